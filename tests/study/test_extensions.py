"""A study that was extended says so, and what its intervals are worth then."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from tests.store.test_versions import write_old
from tests.study.filled import fill_policy, fill_solver, make_spec
from unshuffle.deals import Source
from unshuffle.store import Store
from unshuffle.study import Plan, make_parts, run_study
from unshuffle.study.compare_report import print_compare
from unshuffle.study.document import write_html, write_markdown
from unshuffle.study.report import print_report, report_rows

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

__all__ = ["run"]  # the fixture

FIXED = "How many deals there are was fixed before the first of them was played."
DOUBT = "the coverage of the intervals is below 95 %"
SOME = ["solved", "unsolvable"] * 5


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def texts(store: Store, study: str) -> list[str]:
    """Every report of a study, on one line each."""
    out = io.StringIO()
    print_report(store, study, out=out)
    return [" ".join(text.split()) for text in (out.getvalue(), write_markdown(store, study), write_html(store, study))]


def extend(store: Store, study: str, count: int, **changes: Any) -> None:
    """Ten deals more than there are."""
    fill_solver(store, study, SOME, planned=count, **changes)


def test_a_study_that_was_planned_once_says_that_its_size_was_fixed(store: Store) -> None:
    fill_solver(store, "s", SOME, sizes=(3, 4))
    store.add_run("s", make_spec(10))  # the same command again
    text, markdown, html = texts(store, "s")
    assert FIXED in html
    assert not any("extended" in each or DOUBT in each for each in (text, markdown, html))
    assert [row["extensions"] for row in report_rows(store, "s")] == [0]


def test_extensions_are_named_with_what_the_intervals_are_worth(store: Store) -> None:
    fill_solver(store, "s", SOME)
    extend(store, "s", 20)
    extend(store, "s", 30)
    (run,) = store.runs("s")
    assert [(each.first_seed, each.last_seed, each.finished) for each in store.plans(run)] == [
        (0, 9, 0), (0, 19, 10), (0, 29, 20),
    ]  # fmt: skip
    for text in texts(store, "s"):
        assert "The run was extended after deals had been finished, twice; the conditions list when" in text
        assert DOUBT in text
        assert "; 0..19 on " in text
        assert "UTC, with 10 deals finished; 0..29 on " in text
        assert FIXED not in text
        assert "nothing stopped by looking" not in text
    assert [row["extensions"] for row in report_rows(store, "s")] == [2]


def test_a_comparison_names_the_extensions_of_both_sides(store: Store) -> None:
    """What was wrong: p and interval stood there as if both sizes had been fixed."""
    for study in ("a", "b"):
        fill_solver(store, study, SOME)
    assert not any(words in compared(store) for words in ("extended", "planned"))
    extend(store, "b", 20)
    text = compared(store)
    assert "1 of 2 runs were extended after deals had been finished, once; the conditions list when" in text
    assert DOUBT in text
    assert "planned of b seeds 0..9 on " in text


def compared(store: Store) -> str:
    out = io.StringIO()
    print_compare(store, "a", "b", out=out)
    return " ".join(out.getvalue().split())


def test_deals_that_were_added_before_the_first_was_played_harm_nothing(store: Store) -> None:
    store.add_run("s", make_spec(5))
    fill_solver(store, "s", SOME)
    assert FIXED in texts(store, "s")[2]
    assert [row["extensions"] for row in report_rows(store, "s")] == [0]


def test_a_share_that_becomes_the_whole_which_was_announced_is_no_extension(store: Store) -> None:
    plan = Plan(name="s", parts=make_parts("belle-lucie", policy="random", seeds="0..99"))
    path = store.path
    run_study(plan.part_of("10%"), path)
    run_study(plan.part_of("20%"), path)
    (run,) = store.runs("s")
    assert [(each.seeds, each.whole) for each in store.plans(run)] == [((0, 9), (0, 99)), ((0, 19), (0, 99))]
    assert "0..9 (a share of 0..99) on " in texts(store, "s")[0]
    assert [row["extensions"] for row in report_rows(store, "s")] == [1], "nobody had announced to stop here"
    run_study(plan, path)
    assert [row["extensions"] for row in report_rows(store, "s")] == [0]
    assert FIXED in texts(store, "s")[2]
    run_study(Plan(name="s", parts=make_parts("belle-lucie", policy="random", seeds="0..119")), path)
    assert [row["extensions"] for row in report_rows(store, "s")] == [3]


def test_of_several_runs_it_says_how_many(store: Store) -> None:
    fill_solver(store, "s", SOME)
    extend(store, "s", 20)
    fill_policy(store, "s", [True, False])
    text = texts(store, "s")[0]
    assert "1 of 2 runs were extended after deals had been finished, once;" in text


def test_an_unfinished_study_does_not_say_that_it_went_to_its_end(store: Store) -> None:
    fill_solver(store, "s", SOME, planned=50)
    html = texts(store, "s")[2]
    assert FIXED not in html
    assert "The study is not finished: these are the deals so far." in html


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_of_an_older_store_nobody_knows_whether_it_was_extended(version: int, tmp_path: Path) -> None:
    with Store.open(write_old(version, tmp_path / "old.sqlite"), create=False) as store:
        for study in store.studies():
            for text in texts(store, study.name):
                assert (
                    "an older unshuffle, which kept only the last plan: whether deals were added later is not" in text
                )
                assert DOUBT in text
                assert FIXED not in text
            assert {row["extensions"] for row in report_rows(store, study.name)} == {None}


def test_stored_decks_have_no_planned_number(store: Store) -> None:
    ids = store.add_decks("belle-lucie", [Source(1), Source(2)])
    fill_policy(store, "s", [True, False], generator="deck", first_seed=ids[0])
    html = write_html(store, "s")
    assert FIXED not in html
    assert "The deals are stored decks, as they were asked for." in html


def test_show_lists_every_planned_size_with_its_time(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "s.sqlite"))
    for last in (9, 19):
        assert (
            run("study", "run", "s", "--game", "belle-lucie", "--policy", "random", "--seeds", f"0..{last}").code == 0
        )
    shown = json.loads(run("study", "show", "s", "--json").out)
    assert [(each["last_seed"], each["finished"]) for each in shown["plans"]] == [(9, 0), (19, 10)]
    assert all(each["created"].startswith("20") for each in shown["plans"])
    (line,) = [each for each in run("study", "show", "s").out.splitlines() if each.strip().startswith("planned  ")]
    assert "seeds 0..9 on 20" in line
    assert "UTC; 0..19 on 20" in line
