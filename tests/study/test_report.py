"""Reports: the numbers against a textbook, the words against what must be said, and nothing wider than the page."""

from __future__ import annotations

import io
import json
import sqlite3
import statistics as textbook
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.study.filled import OWNER, STATUSES, fill_policy, fill_solver, make_spec, solver_row
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.store import Store
from unshuffle.study import compare, report, sections
from unshuffle.study.beside import compare_readings
from unshuffle.study.compare_report import print_compare
from unshuffle.study.document import write_markdown
from unshuffle.study.report import Against, print_list, print_report, print_show, report_rows
from unshuffle.study.statistics import Rate, clopper_pearson, mcnemar, wilson

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

KEYS = [
    "game", "variant", "method", "information", "n", "won", "lost", "undecided", "inferred", "rate", "low", "high",
    "rate_if_won", "low_if_won", "high_if_won", "nodes_mean", "nodes_sd", "nodes_max", "extensions", "by_clock",
    "is_phase", "p_values",
]  # fmt: skip
statuses = st.lists(st.sampled_from(STATUSES), max_size=30)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


@pytest.fixture
def lucie(store: Store) -> Store:
    """Three runs on the same deals, one of them with undecided deals."""
    some = ["solved"] * 30 + ["unsolvable"] * 150 + ["node-limit"] * 20
    fill_solver(store, "lucie", some, sizes=(64, 100))
    fill_policy(store, "lucie", [place % 25 == 0 for place in range(200)])
    fill_solver(store, "lucie", ["solved"] * 150 + ["unsolvable"] * 50, variant="redeals", rules={"redeals": "2"})
    return store


def printed(store: Store, study: str, **options: Any) -> str:
    out = io.StringIO()
    print_report(store, study, out=out, **options)
    return out.getvalue()


@given(results=statuses, sizes=st.lists(st.integers(1, 9), max_size=5))
def test_a_row_says_what_a_textbook_says_however_the_work_was_cut(results: list[str], sizes: list[int]) -> None:
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "store.sqlite") as store:
        fill_solver(store, "s", results, sizes=sizes, planned=1)
        (row,) = report_rows(store, "s")
    won, lost, undecided = map(results.count, STATUSES)
    nodes = [solver_row(seed, status)[4] for seed, status in enumerate(results) if status != "node-limit"]
    n = len(results)
    assert list(row) == KEYS
    assert [row[key] for key in ("n", "won", "lost", "undecided", "inferred")] == [n, won, lost, undecided, 0]
    assert row["rate"] == (won / n if n else None)
    assert row["rate_if_won"] == ((won + undecided) / n if n else None)
    assert (row["low"], row["high"]) == wilson(won, n)
    assert (row["low_if_won"], row["high_if_won"]) == wilson(won + undecided, n)
    assert row["nodes_mean"] == (pytest.approx(textbook.mean(nodes)) if nodes else None)
    assert row["nodes_sd"] == (pytest.approx(textbook.stdev(nodes)) if len(nodes) > 1 else None)
    assert row["nodes_max"] == max(nodes, default=None)
    assert row["p_values"] == []


def test_a_policy_has_no_nodes(store: Store) -> None:
    fill_policy(store, "p", [True, False, False])
    (row,) = report_rows(store, "p")
    assert (row["method"], row["information"]) == ("policy:greedy", "hidden")
    assert (row["n"], row["won"], row["lost"], row["undecided"]) == (3, 1, 2, 0)
    assert row["nodes_mean"] is row["nodes_sd"] is row["nodes_max"] is None


def test_runs_on_the_same_deals_are_compared_in_pairs_with_undecided_deals_both_ways(lucie: Store) -> None:
    rows = report_rows(lucie, "lucie")
    solver, greedy, redeals = rows
    # What sees less than all cards answers another question.
    assert greedy["p_values"] == []
    assert [p["source"] for p in solver["p_values"]] == ["belle-lucie/redeals solver"]
    theirs = [place < 150 for place in range(200)]
    for key, words in (("p", ("solved",)), ("p_if_won", ("solved", "node-limit"))):
        ours = [status in words for status in ["solved"] * 30 + ["unsolvable"] * 150 + ["node-limit"] * 20]
        pairs = list(zip(ours, theirs, strict=True))
        table = [pairs.count(kind) for kind in ((True, False), (False, True), (True, True), (False, False))]
        assert solver["p_values"][0][key] == mcnemar(*table).p
    # Each comparison stands with both of its runs.
    assert redeals["p_values"][0] == solver["p_values"][0] | {"source": "belle-lucie/one-deal solver"}
    assert list(solver["p_values"][0]) == ["source", "test", "p", "p_if_won"]
    assert all(p["test"] == "mcnemar-exact" for row in rows for p in row["p_values"])


@pytest.mark.parametrize("changes", [{"generator": "python"}, {"game": "other"}, {"first_seed": 1000}])
def test_runs_on_other_deals_are_not_compared(store: Store, changes: dict[str, Any]) -> None:
    fill_solver(store, "s", ["solved", "unsolvable"])
    fill_solver(store, "s", ["solved", "unsolvable"], variant="else", **changes)
    assert [row["p_values"] for row in report_rows(store, "s")] == [[], []]


def test_a_report_tells_nested_rules_and_what_it_does_not_compare(store: Store) -> None:
    for variant, won in (("one-deal", 3), ("classic", 6)):
        rules = write_rules(un.game("belle-lucie", variant).rules)
        fill_solver(store, "s", ["solved"] * won + ["unsolvable"] * 94, variant=variant, rules=rules)
    (strict, _) = report_rows(store, "s", published=False)
    assert strict["p_values"] == [
        {"source": "belle-lucie/classic solver", "test": "nested-exact", "p": 0, "p_if_won": 0}
    ]
    text = " ".join(printed(store, "s").split())
    assert "One deal that the looser one alone has won proves that the rates differ" in text
    assert text.count(" proved") == 1
    assert "do not answer one question" not in text
    fill_policy(store, "s", [True, False])
    assert "(hidden) do not answer one question and are not compared here" in " ".join(printed(store, "s").split())


def test_verdicts_about_a_phase_are_not_told_as_those_of_deals(store: Store) -> None:
    """What was wrong: the solver's rate of first phases stood there as that of a game with three redeals."""
    names = ("addiction", "addiction-one-deal")
    for name in names:
        game = un.game("gaps", name)
        fill_solver(store, "s", ["solved", "unsolvable"], game="gaps", variant=name, rules=write_rules(game.rules))
        fill_solver(store, name, ["solved", "unsolvable"], game="gaps", variant=name, rules=write_rules(game.rules))
    told = "Won and lost of gaps/addiction are said of the first phase of each deal: the solver leaves the redeals out"
    texts = [" ".join(printed(store, name).split()) for name in ("s", *names)]
    assert [text.count(told) for text in texts] == [1, 1, 0]
    assert [text.count("open: all cards known, but no redeal") for text in texts] == [1, 1, 0]
    assert [row["is_phase"] for row in report_rows(store, "s")] == [True, False]
    page = " ".join(write_markdown(store, "addiction").split())
    assert "with all cards known, but no redeal: the first phase alone: " in page
    out = io.StringIO()
    print_compare(store, "s:addiction", "s:addiction-one-deal", out=out)
    text = " ".join(out.getvalue().split())
    assert told in text
    assert "They win the same first phases." in text
    fill_policy(store, "played", [True], game="gaps", variant="addiction")
    assert "phase" not in printed(store, "played").partition("Beside")[0]


def test_counts_from_elsewhere(lucie: Store) -> None:
    row = report_rows(lucie, "lucie", against=[("Smith", 45, 1000), ("Jones", 2, 10)])[0]
    for found, (source, won, n) in zip(row["p_values"][-2:], [("Smith", 45, 1000), ("Jones", 2, 10)], strict=True):
        wanted = compare_readings(Rate(30, 150, 20), Rate(won, n - won))
        assert found == {"source": source, "test": wanted.test, "p": wanted.p, "p_if_won": wanted.p_if_won}
    text = printed(lucie, "lucie", against=["Smith: 1990:45/1,000"])
    assert "Smith: 1990  45 of 1,000  chi-square" in text
    assert "p (Holm of 3)" in text


@pytest.mark.parametrize("text", ["Smith", "Smith:45", ":45/100", "Smith:-1/2", "Smith:5/2", "Smith:0/0", "Smith:²/9"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a count"):
        Against.parse(text)


def test_a_report_reads_summaries_only(store: Store) -> None:
    """Law: ten million results cost as much as ten."""
    fill_solver(store, "s", ["solved", "node-limit", "unsolvable"])
    fill_policy(store, "p", [True, False])
    wanted = [report_rows(store, name) for name in "sp"]

    def allow(action: int, table: str | None, *_: object) -> int:
        return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_READ and table in ("result", "block", "win") else 0

    store._db.set_authorizer(allow)
    assert [report_rows(store, name) for name in "sp"] == wanted
    assert printed(store, "s", scores=True, exact=True)
    store._db.set_authorizer(None)


def test_json_is_a_line_per_run(lucie: Store) -> None:
    lines = printed(lucie, "lucie", json=True, exact=True, against=["Smith:45/1000"]).splitlines()
    assert [json.loads(line) for line in lines] == report_rows(lucie, "lucie", against=[("Smith", 45, 1000)])
    assert all(list(json.loads(line)) == KEYS for line in lines)


def test_a_report_says_what_its_numbers_rest_on(lucie: Store) -> None:
    text = printed(lucie, "lucie")
    for words in (
        "3 runs, 600 of 600 deals finished.", "fan_size=3 redeals=0", "generator unshuffle, seeds 0..199",
        "open: all cards known", "hidden: what a player sees", "100,000 nodes, 1 GiB a deal", "none (a policy)",
        "native, unshuffle", "3 lines replayed", "[2] belle-lucie/one-deal policy:greedy", "[1] - [3]",
        "15.0 % [10.7, 20.6]", "25.0 % [19.5, 31.4]", "completed",
    ):  # fmt: skip
        assert words in text, words
    assert "UNFINISHED" not in text
    assert "exact" not in text.replace("exact McNemar", "")
    low, high = clopper_pearson(30, 200)
    assert f"[{100 * low:.2f}, {100 * high:.2f}]" in printed(lucie, "lucie", exact=True)


def test_an_unfinished_study_says_so(store: Store) -> None:
    fill_solver(store, "half", ["solved"] * 5, planned=10)
    text = printed(store, "half")
    assert "5 of 10 deals finished. UNFINISHED: `unshuffle study run half` goes on." in " ".join(text.split())
    assert "only finished deals are counted" in text
    store.add_run("none", make_spec(10))
    assert "no deals" in printed(store, "none", scores=True)


def test_inferred_deals_have_a_column_where_there_are_some(lucie: Store) -> None:
    assert "inferred" not in printed(lucie, "lucie")
    lucie._db.execute("UPDATE chunk SET inferred = 4 WHERE run_id = 1")
    assert "inferred" in printed(lucie, "lucie")
    assert [row["inferred"] for row in report_rows(lucie, "lucie")] == [12, 0, 0]


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_no_line_is_wider_than_the_page(lucie: Store, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    fill_solver(lucie, "lucie", ["solved"] * 200, variant="one-deal+" + "+".join(f"rule{n}=long" for n in range(9)))
    text = printed(lucie, "lucie", exact=True, scores=True, against=["Smith:45123/1000000"])
    for show in (print_list, lambda store, out: print_show(store, "lucie", out=out)):
        out = io.StringIO()
        show(lucie, out=out)
        text += out.getvalue()
    # A name may be longer than any page; words are folded at blanks.
    assert max(len(line) for line in text.splitlines() if "rule8=long" not in line) <= columns
    assert text.isascii()


def test_a_page_that_shows_little_still_shows_all(store: Store) -> None:
    fill_solver(store, "Lücie", ["solved"])
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_report(store, "Lücie", out=out)
    out.flush()
    assert b"Study L?cie: 1 run" in raw.getvalue()


def test_scores_are_drawn_in_text(lucie: Store) -> None:
    text = printed(lucie, "lucie", scores=True)
    assert text.count("Scores of ") == 3
    assert text.count("best score of 150 of 180 decided deals is not proved") == 1
    assert "Scores of belle-lucie/one-deal policy:greedy: mean" in text


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_pictures(lucie: Store, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture.{suffix}"
    assert f"Drawn: {path}\n" in printed(lucie, "lucie", plot=path)
    assert path.stat().st_size > 1000
    printed(lucie, "lucie", plot=path, scores=True, json=True)
    # The solver has proved the best scores of the won deals only: there is nothing to draw.
    names = {"picture", "picture-one-deal-policy-greedy"}
    assert {each.stem for each in tmp_path.glob(f"*.{suffix}")} == names


def test_a_picture_that_cannot_be_drawn_is_refused_first(lucie: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        printed(lucie, "lucie", plot=tmp_path / "picture.gif")
    with pytest.raises(UsageError, match="cannot write the picture"):
        report.plot_rates(lucie, "lucie", tmp_path / "nowhere" / "picture.svg")


@pytest.mark.parametrize("function", [report_rows, print_report, print_show])
def test_an_unknown_study_gets_the_nearest_name(lucie: Store, function: Any) -> None:
    with pytest.raises(UsageError, match="unknown study 'lucy'; did you mean 'lucie'"):
        function(lucie, "lucy")


@pytest.mark.parametrize("package", ["scipy", "matplotlib"])
def test_a_missing_package_is_named_with_its_remedy(
    lucie: Store, tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"needs {package}.*pip install 'unshuffle\[study\]'"):
        printed(lucie, "lucie", plot=tmp_path / "picture.png")
    print_list(lucie, out=io.StringIO())
    print_show(lucie, "lucie", out=io.StringIO())


def test_the_list(lucie: Store) -> None:
    fill_solver(lucie, "half", ["solved"] * 5, planned=10)
    out = io.StringIO()
    print_list(lucie, json=True, out=out)
    half, whole = map(json.loads, out.getvalue().splitlines())
    assert (half["name"], half["runs"], half["deals"], half["planned"]) == ("half", 1, 5, 10)
    assert (whole["name"], whole["runs"], whole["deals"], whole["games"]) == ("lucie", 3, 600, ["belle-lucie"])
    out = io.StringIO()
    print_list(lucie, out=out)
    assert [line.split()[:6] for line in out.getvalue().splitlines()[1:]] == [
        ["half", "belle-lucie", "1", "5", "10", "50"],
        ["lucie", "belle-lucie", "3", "600", "600", "finished"],
    ]


def test_an_empty_store_has_no_studies(store: Store) -> None:
    out = io.StringIO()
    print_list(store, out=out)
    assert out.getvalue().startswith("No studies in ")


def test_show_tells_all_that_is_stored_of_a_run(lucie: Store) -> None:
    run = lucie.add_run("lucie", make_spec(300))
    claim = lucie.claim(run, OWNER, 10)
    out = io.StringIO()
    print_show(lucie, "lucie", json=True, out=out)
    shown = json.loads(out.getvalue().splitlines()[0])
    columns = [name for _, name, *_ in lucie._db.execute("PRAGMA table_info(run)")]
    assert set(columns) - {"id", "study_id", "strategy_id", "seal"} <= shown.keys()
    assert shown["rules"] == {"fan_size": "3", "redeals": "0"}
    assert (shown["seeds_done"], shown["chunks"], shown["claimed"]) == ([[0, 199]], 3, 10)
    assert (shown["planned"], shown["finished"], shown["replayed"]) == (300, 200, 3)
    assert shown["seconds"] == sum(seed / 8 for seed in range(200))
    assert [(work["engine"], work["chunks"], work["deals"]) for work in shown["work"]] == [("native", 3, 200)]
    assert claim == (200, 209)
    out = io.StringIO()
    print_show(lucie, "lucie", out=out)
    for words in ("seeds done    0..199", "3 finished", "0:41:28 (h:mm:ss)", "on 10 deals", "not kept"):
        assert words in out.getvalue(), words


def test_too_many_runs_are_not_all_compared(lucie: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert any(row["p_values"] for row in report_rows(lucie, "lucie"))
    for module in (compare, sections):
        monkeypatch.setattr(module, "MOST_COMPARED", 1)
    assert not any(row["p_values"] for row in report_rows(lucie, "lucie"))
    out = io.StringIO()
    print_report(lucie, "lucie", out=out)
    assert "runs are too many to compare each with each" in " ".join(out.getvalue().split())
