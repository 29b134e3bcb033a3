"""Verdicts that are taken from other runs: right, marked, counted apart, and never where they would not hold."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import unshuffle as un
import unshuffle.study
from tests.cli.conftest import Run as Program
from tests.cli.conftest import run as program
from tests.cli.program import PROGRAM, environment
from tests.laws import IS_LONG, ROOT
from tests.store.making import rewrite
from unshuffle.errors import InternalError, UsageError
from unshuffle.store import Run, Store
from unshuffle.study import make_parts, plots, read_plan
from unshuffle.study.drawing import plot_scores
from unshuffle.study.export import COLUMNS, export_rows
from unshuffle.study.inference import Inference, check_implications, find_implications, order_parts
from unshuffle.study.report import report_rows

pytestmark = pytest.mark.one_engine("plays a game that the native engine does not know")

__all__ = ["program"]  # the fixture

LADDER = ROOT / "tests" / "study" / "ladder.py"
VARIANTS = ("c3", "c6", "c9")
DEALS = 60


@pytest.fixture(autouse=True)
def _ladder() -> None:
    un.load(LADDER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def play(
    path: Path, variant: str = "all", game: str = "ladder", seeds: str = f"0..{DEALS - 1}", **options: Any
) -> None:
    unshuffle.study.run("s", game, variant=variant, solver=True, seeds=seeds, store=path, **options)


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Variant to results; `inferred_from` is a variant too."""
    with Store.open(path, create=False) as store:
        runs = store.runs("s")
        names = {None: None} | {run.id: run.variant for run in runs}
        found = {run.variant: list(store.rows(run)) for run in runs}
    return {
        variant: [row | {"inferred_from": names[row["inferred_from"]]} for row in each]
        for variant, each in found.items()
    }


def rank(seed: int) -> int:
    return int(un.game("ladder").deal(seed).deck[0].rank)


def runs_of(path: Path) -> dict[str, Run]:
    with Store.open(path, create=False) as store:
        return {run.variant: run for run in store.runs("s")}


def test_a_study_infers_what_it_can_and_finds_what_it_would_find_without(path: Path) -> None:
    play(path)
    found = rows(path)
    ranks = [rank(seed) for seed in range(DEALS)]
    for variant, climbs in zip(VARIANTS, (3, 6, 9), strict=True):
        assert [row["status"] == "solved" for row in found[variant]] == [each <= climbs for each in ranks]
    # The strictest game is played first; its wins are wins of the others. Each mark leads to the search.
    assert {row["inferred_from"] for row in found["c3"]} == {None}
    assert [row["inferred_from"] for row in found["c6"]] == ["c3" if each <= 3 else None for each in ranks]
    origins = ["c3" if each <= 3 else "c6" if each <= 6 else None for each in ranks]
    assert [row["inferred_from"] for row in found["c9"]] == origins
    for row in found["c9"]:
        if row["inferred_from"]:
            values = [row[name] for name in ("score", "score_proved", "nodes", "seconds", "moves")]
            assert values == [13, True, 0, 0, None]


def test_wins_come_from_stricter_games_and_losses_keep_what_those_have_reached(path: Path) -> None:
    play(path, "c3")
    play(path, "c9", seeds="0..39")
    play(path, "c6")
    for row in rows(path)["c6"]:
        each = rank(row["seed"])
        if each <= 3:
            assert (row["inferred_from"], row["score"], row["score_proved"]) == ("c3", 13, True)
        elif each > 9 and row["seed"] < 40:
            assert (row["inferred_from"], row["status"]) == ("c9", "unsolvable")
            assert (row["score"], row["score_proved"]) == (13 - each + 3, False), "the three climbs of c3"
        else:
            assert row["inferred_from"] is None


def test_inferred_deals_count_as_won_and_lost_but_not_in_nodes_and_scores(path: Path) -> None:
    play(path, "c9")
    play(path, "c3")
    found = rows(path)["c3"]
    searched = [row for row in found if row["inferred_from"] is None]
    inferred = [row for row in found if row["inferred_from"]]
    assert searched
    assert inferred
    with Store.open(path, create=False) as store:
        run = runs_of(path)["c3"]
        summary = store.summary(run)
        scores = store.scores(run)
        report = next(row for row in report_rows(store, "s") if row["variant"] == "c3")
    assert (summary.n, summary.inferred, summary.completed) == (DEALS, len(inferred), len(searched))
    assert summary.won == sum(row["status"] == "solved" for row in found)
    assert summary.nodes_sum == sum(row["nodes"] for row in searched)
    assert sum(scores.values()) == len(searched), "the best scores of inferred losses are not known"
    assert report["inferred"] == len(inferred)
    assert report["nodes_mean"] == pytest.approx(summary.nodes_sum / len(searched))


def test_inference_can_be_switched_off_and_is_part_of_the_provenance(path: Path) -> None:
    play(path, infer=False)
    assert {row["inferred_from"] for each in rows(path).values() for row in each} == {None}
    assert {run.infers for run in runs_of(path).values()} == {False}
    # A run that was begun so goes on so: a command that does not say --no-infer does not make it infer.
    play(path, seeds="0..79")
    assert {row["inferred_from"] for each in rows(path).values() for row in each} == {None}
    assert {run.infers for run in runs_of(path).values()} == {False}
    play(path.with_name("other.sqlite"))
    with pytest.raises(UsageError, match="infer: stored yes, now no"):
        play(path.with_name("other.sqlite"), infer=False)
    # A game without implications is none that infers, so what was stored of it before goes on.
    un.load(ROOT / "examples" / "golf.py")
    (part,) = make_parts("golf", solver=True, seeds="0..9")
    assert not part.infers


def test_other_generators_and_other_rules_say_nothing(path: Path) -> None:
    play(path, "c9", generator="python")
    play(path, "c3")
    assert {row["inferred_from"] for row in rows(path)["c3"]} == {None}


def test_a_run_whose_rules_have_changed_says_nothing(path: Path) -> None:
    play(path, "c9")
    with Store.open(path) as store:
        rewrite(store, 'UPDATE run SET rules = \'{"climbs": "8"}\'')
    play(path, "c3")
    assert {row["inferred_from"] for row in rows(path)["c3"]} == {None}


def test_with_maximize_only_wins_are_taken_over_and_stricter_games_come_first(path: Path) -> None:
    play(path, maximize=True)
    found = rows(path)
    for variant, stricter in (("c6", "c3"), ("c9", "c3")):
        for row in found[variant]:
            each = rank(row["seed"])
            if each <= 3:
                assert (row["inferred_from"], row["score"], row["score_proved"]) == (stricter, 13, True)
            if row["status"] == "unsolvable":
                assert row["inferred_from"] is None
                assert row["score_proved"]


def test_with_maximize_a_win_that_is_not_the_best_is_searched(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(un.game("ladder")), "most_score", 14)
    play(path, "c3,c6", maximize=True)
    assert {row["inferred_from"] for row in rows(path)["c6"]} == {None}


def test_moves_are_taken_over_and_replayed(path: Path) -> None:
    play(path, "c3", moves=True)
    play(path, "c9", moves=True)
    play(path, "c6", moves=True)
    for row in rows(path)["c6"]:
        each = rank(row["seed"])
        lines = {"c3": ["up"] * min(3, each), "c9": ["up"] * min(3, each), None: ["up"] * min(6, each)}
        assert row["moves"].split() == lines[row["inferred_from"]]
    with Store.open(path, create=False) as store:
        assert store.summary(runs_of(path)["c6"]).replayed == DEALS


def test_without_moves_over_there_a_win_is_searched_where_moves_are_kept(path: Path) -> None:
    play(path, "c3")
    play(path, "c9", moves=True)
    won = [row for row in rows(path)["c9"] if row["status"] == "solved"]
    assert won
    assert all(row["inferred_from"] is None and row["moves"] for row in won)


def test_a_run_that_replays_all_takes_over_only_what_was_replayed(path: Path) -> None:
    play(path, "c3")
    play(path, "c6", replay="all")
    assert {row["inferred_from"] for row in rows(path)["c6"]} == {None}
    play(path, "c9", replay="all")
    assert {row["inferred_from"] for row in rows(path)["c9"] if rank(row["seed"]) <= 6} == {"c6"}


def test_a_line_that_is_none_here_stops_the_run(path: Path) -> None:
    play(path, "c3", moves=True)
    with Store.open(path) as store:
        rewrite(store, "UPDATE result SET moves = moves || ' up up' WHERE status = 'solved'")
    with pytest.raises(InternalError, match="the line of a stricter game on ladder/c6@"):
        play(path, "c6", moves=True)
    assert len(rows(path)["c6"]) < DEALS


def test_an_undecided_deal_says_nothing(path: Path) -> None:
    play(path, "c9", nodes=5, infer=True)
    play(path, "c6", nodes=5)
    found = rows(path)
    undecided = {row["seed"] for row in found["c9"] if row["status"] == "node-limit"}
    assert undecided
    assert all(row["inferred_from"] is None for row in found["c6"] if row["seed"] in undecided)


def test_a_study_goes_on_with_what_is_known_by_then(path: Path) -> None:
    play(path, "c3", seeds="0..19")
    play(path, "c9", seeds="0..39")
    unshuffle.study.run_study(_stored(path, range(40)), path)
    found = rows(path)["c3"]
    assert [row["seed"] for row in found] == list(range(40))
    assert {row["inferred_from"] for row in found[:20]} == {None}
    assert {row["inferred_from"] for row in found[20:] if rank(row["seed"]) > 9} == {"c9"}


def _stored(path: Path, seeds: range) -> unshuffle.study.Plan:
    with Store.open(path, create=False) as store:
        return unshuffle.study.stored_plan(store, "s", seeds)


def test_two_at_once_share_the_work_and_agree(path: Path) -> None:
    deals = 300 if IS_LONG else 60
    command = [
        *PROGRAM, "study", "run", "s", "--game", "ladder", "--variant", "all", "--solver", "--seeds", f"0..{deals - 1}",
        "--load", str(LADDER), "--store", str(path), "--threads", "1",
    ]  # fmt: skip
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) for _ in range(2)]
    assert [(process.communicate(timeout=120), process.returncode)[1] for process in both] == [0, 0]
    found = rows(path)
    for variant, climbs in zip(VARIANTS, (3, 6, 9), strict=True):
        assert [row["status"] == "solved" for row in found[variant]] == [rank(seed) <= climbs for seed in range(deals)]
    assert any(row["inferred_from"] for each in found.values() for row in each)


def test_contradictions_are_found_and_named(path: Path) -> None:
    play(path, infer=False)
    with Store.open(path) as store:
        check_implications(store, "s")
        run = runs_of(path)["c3"]
        won = [seed for seed in range(DEALS) if 3 < rank(seed) <= 6][:2]
        for seed in won:
            rewrite(store, "UPDATE result SET status = 'solved' WHERE run_id = ? AND seed = ?", run.id, seed)
        check_implications(store, "s")
        wrong = [seed for seed in range(DEALS) if rank(seed) > 9][:3]
        for seed in wrong:
            rewrite(store, "UPDATE result SET status = 'solved' WHERE run_id = ? AND seed = ?", run.id, seed)
        with pytest.raises(InternalError, match="the study 's' contradicts itself") as caught:
            check_implications(store, "s")
        with pytest.raises(InternalError, match="contradicts itself"):
            report_rows(store, "s")
    for seed in wrong:
        for looser in ("c6", "c9"):
            assert f"ladder/c3@{seed}: solved; unsolvable in {looser}" in str(caught.value)
    assert str(caught.value).count("unsolvable in") == 6


def test_a_contradiction_that_is_met_on_the_way_stops_the_run(path: Path) -> None:
    play(path, "c3")
    play(path, "c9", infer=False)
    seed = next(seed for seed in range(DEALS) if rank(seed) > 9)
    with Store.open(path) as store:
        strict = runs_of(path)["c3"]
        rewrite(store, "UPDATE result SET status = 'solved' WHERE run_id = ? AND seed = ?", strict.id, seed)
    with pytest.raises(InternalError, match="won in a stricter game and lost in a looser one") as caught:
        play(path, "c6")
    assert f"ladder/c6@{seed}" in str(caught.value)


def test_implications_hold_between_solver_runs_on_the_same_deals_only(path: Path) -> None:
    play(path)
    unshuffle.study.run("s", "ladder", variant="c3", policy="random", seeds="0..9", store=path)
    with Store.open(path, create=False) as store:
        pairs = find_implications(store.runs("s"))
    assert sorted((strict.variant, loose.variant) for strict, loose in pairs) == [
        ("c3", "c6"), ("c3", "c9"), ("c6", "c9"),
    ]  # fmt: skip
    assert {run.method for pair in pairs for run in pair} == {"solver"}


def test_stricter_games_come_first_and_other_parts_stay_where_they_are() -> None:
    ladder = make_parts("ladder", variant="c9,c3,c6", solver=True, seeds="0..9")
    policy = make_parts("ladder", variant="c9", policy="random", seeds="0..9")
    lucie = make_parts("belle-lucie", variant="fan-18,trefoil,shamrocks", solver=True, seeds="0..9")
    other = make_parts("ladder", variant="c6", solver=True, seeds="0..9", generator="python")
    parts = (ladder[0], *policy, ladder[1], *lucie, *other, ladder[2])
    last = len(parts) - 1
    assert order_parts(parts) == [2, 1, last, *range(3, last), 0]
    off = make_parts("ladder", variant="c9,c3", solver=True, seeds="0..9", infer=False)
    assert order_parts(off) == [0, 1]


def test_the_order_of_agnes_never_plays_a_looser_game_first() -> None:
    parts = make_parts("agnes", variant="all", solver=True, seeds="0..9")
    played = [parts[place].game for place in order_parts(parts)]
    for place, game in enumerate(played):
        assert not any(each.is_stricter(game) for each in played[place + 1 :]), game


def test_options_and_plan_files(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--no-infer: for --solver only"):
        make_parts("ladder", policy="random", seeds="0..9", infer=False)
    file = tmp_path / "plan.toml"
    file.write_text('game = "ladder"\nsolver = true\nseeds = "0..9"\ninfer = false\n')
    assert [part.infers for part in read_plan(file).parts] == [False]
    file.write_text('game = "ladder"\nsolver = true\nseeds = "0..9"\n')
    assert [part.infers for part in read_plan(file).parts] == [True]
    file.write_text('game = "ladder"\nsolver = true\nseeds = "0..9"\ninfer = "no"\n')
    with pytest.raises(UsageError, match="expected true or false"):
        read_plan(file)


def test_exports_carry_the_mark(path: Path) -> None:
    play(path)
    with Store.open(path, create=False) as store:
        for run in store.runs("s"):
            marks = [row[COLUMNS.index("inferred_from")] for row in export_rows(store, run)]
            assert marks == [row["inferred_from"] for row in rows(path)[run.variant]]


def test_a_run_with_inferred_losses_has_no_picture_of_scores(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(path, "c9")
    play(path, "c3")
    titles: list[str] = []
    monkeypatch.setattr(plots, "plot_distribution", lambda *_, title: titles.append(title))
    with Store.open(path, create=False) as store:
        plot_scores(store, "s", path.with_suffix(".png"))
    assert any(row["inferred_from"] is not None for row in rows(path)["c3"])
    assert titles == ["Scores: s, ladder/c9 solver"]


def test_the_program_says_what_was_inferred(program: Program, path: Path) -> None:
    for variant in ("c9", "c3"):
        ended = program(
            "study", "run", "s", "--game", "ladder", "--variant", variant, "--solver", "--seeds", f"0..{DEALS - 1}",
            "--load", str(LADDER), "--store", str(path),
        )  # fmt: skip
        assert ended.code == 0, ended.err
    inferred = sum(row["inferred_from"] is not None for row in rows(path)["c3"])
    assert f" undecided (of these {inferred} inferred), won " in ended.out.splitlines()[0]
    report = program("study", "report", "s", "--scores", "--store", str(path)).out
    assert f"{DEALS} of {DEALS} deals, of these {inferred} inferred" in report
    assert f"the best score of {inferred} of {DEALS} decided deals is not proved" in " ".join(report.split())
    assert "nodes over completed deals that were searched" in " ".join(report.split())
    compared = program("study", "compare", "s:c3", "s:c9", "--store", str(path)).out
    assert f"Inferred verdicts ({inferred} of a, " in compared
    compared = program("study", "compare", "s:c3", "s:c9", "--json", "--store", str(path)).out
    assert [json.loads(compared)[side]["inferred"] for side in ("a", "b")] == [inferred, 0]
    shown = program("study", "show", "s", "--store", str(path)).out
    assert "wins of stricter games and losses of looser ones, from this study" in shown
    values = json.loads(program("study", "show", "s", "--json", "--store", str(path)).out.splitlines()[1])
    assert (values["infers"], values["inferred"]) == (True, inferred)

    with Store.open(path) as store:
        rewrite(store, "UPDATE result SET status = 'solved' WHERE run_id = 2 AND inferred_from IS NOT NULL")
    ended = program("study", "report", "s", "--store", str(path))
    assert (ended.code, ended.out) == (70, "")
    assert "contradicts itself" in ended.err
    assert "ladder/c3@" in ended.err


def test_a_line_may_score_more_where_more_counts() -> None:
    """In Gaps a run of a wrong suit counts under looser rules: a lost deal is told with what its line scores there."""
    strict, loose = un.game("gaps", "basic"), un.game("gaps", "one-deal")
    assert strict.is_stricter(loose)
    # A 2 is dealt into column 1 of a row of another suit.
    seed = next(seed for seed in range(99) if loose.deal(seed).score > strict.deal(seed).score == 0)
    move = strict.deal(seed).legal_moves()[0].token
    inference = object.__new__(Inference)
    inference._part = SimpleNamespace(game=loose, generator="unshuffle")  # type: ignore[assignment] # all that is asked
    inference._games = {1: strict}
    found: Any = SimpleNamespace(seed=seed, moves=move, score=0, run=1)
    score, tokens = inference._adopt(found, un.Status.UNSOLVABLE)
    assert (score > 0, tokens) == (True, move)
    found.score = 48
    with pytest.raises(InternalError, match="it ends None with score"):
        inference._adopt(found, un.Status.UNSOLVABLE)
