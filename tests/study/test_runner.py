"""Runs: what is stored is what the library finds; nothing is played twice; nothing that is wrong is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import unshuffle as un
import unshuffle.study
from tests.laws import ROOT
from unshuffle.deals import Source
from unshuffle.engine import describe_engine
from unshuffle.errors import InternalError, UsageError
from unshuffle.store import Run, Store
from unshuffle.study import Standing, StudyInterrupted, ledger

pytestmark = pytest.mark.both_engines

NATIVE = describe_engine() == "native"
native_only = pytest.mark.one_engine("the engine's own way of working")
any_engine = pytest.mark.one_engine("checks what is played and stored, not the answers")
DEALS = 150 if NATIVE else 15
LUCIE: dict[str, Any] = {"game": "belle-lucie", "solver": True}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def run(path: Path, **options: Any) -> list[Run]:
    return unshuffle.study.run("s", store=path, **options)


def rows(path: Path, number: int = 0) -> list[dict[str, Any]]:
    with Store.open(path, create=False) as store:
        return list(store.rows(store.runs("s")[number]))


def chunks(path: Path) -> Iterator[tuple[Any, ...]]:
    with Store.open(path, create=False) as store:
        yield from store._db.execute("SELECT first, last, replayed, engine FROM chunk ORDER BY first")


@pytest.mark.parametrize("generator", ["unshuffle", "python", "ms"])
def test_results_are_those_of_the_library(path: Path, generator: str) -> None:
    run(path, **LUCIE, seeds=f"1..{DEALS}", generator=generator, moves=True, threads=2)
    game = un.game("belle-lucie")
    stored = rows(path)
    results = un.solve_many(game.deal(Source(seed, generator)) for seed in range(1, DEALS + 1))
    for row, result in zip(stored, results, strict=True):
        assert (row["status"], row["score"], row["score_proved"], row["nodes"]) == (
            result.status,
            result.score,
            result.score_proved,
            result.stats.nodes,
        )
        # The line is the library's own, and wins or scores what the row says.
        line = un.replay(result.state, game.parse_moves(row["moves"]))
        assert (line.score, line.outcome is un.Outcome.WON) == (row["score"], row["status"] == "solved")


@any_engine
def test_running_again_plays_only_what_is_missing(path: Path) -> None:
    run(path, **LUCIE, seeds="10..59")
    first = rows(path)
    run(path, **LUCIE, seeds="10..59")
    assert rows(path) == first
    run(path, **LUCIE, seeds="0..99")
    widened = rows(path)
    assert [row["seed"] for row in widened] == list(range(100))
    assert widened[10:60] == first, "a finished deal was played again"
    with pytest.raises(UsageError, match="nodes: stored 10000000, now 5"):
        run(path, **LUCIE, seeds="0..99", nodes=5)


@any_engine
def test_fewer_seeds_than_planned_play_only_those(path: Path) -> None:
    with Store.open(path) as store:
        (part,) = unshuffle.study.make_parts("belle-lucie", solver=True, seeds="0..99")
        store.add_run("s", part.spec())
    run(path, **LUCIE, seeds="20..29")
    assert [row["seed"] for row in rows(path)] == list(range(20, 30))


@any_engine
def test_the_last_seeds_of_all(path: Path) -> None:
    last = 2**63 - 1
    run(path, **LUCIE, seeds=f"{last - 9}..{last}")
    run(path, **LUCIE, seeds=f"{last - 19}..{last}")
    assert [row["seed"] for row in rows(path)] == list(range(last - 19, last + 1))


def test_limits_leave_deals_undecided_and_are_kept(path: Path) -> None:
    (planned,) = run(path, **LUCIE, seeds="0..49", nodes=3, memory="16MB")
    with Store.open(path, create=False) as store:
        summary = store.summary(planned)
    assert (planned.nodes_limit, planned.memory_limit) == (3, 16_000_000)
    assert summary.undecided == sum(row["status"] == "node-limit" for row in rows(path)) > 0
    assert summary.n == 50


def test_policies_store_what_they_play(path: Path) -> None:
    run(path, game="belle-lucie", policy="greedy,random", seeds=range(DEALS))
    game = un.game("belle-lucie")
    for number, policy in enumerate(("greedy", "random")):
        games = un.simulate(game, policy, range(DEALS))
        scores, won = games.packed
        assert [(row["score"], row["won"]) for row in rows(path, number)] == [
            (score, bool(each)) for score, each in zip(scores, won, strict=True)
        ]


@any_engine
def test_a_game_without_a_twin_is_played_in_python(path: Path) -> None:
    un.load(ROOT / "examples" / "golf.py")
    run(path, game="golf", solver=True, seeds="0..4", nodes=20)
    assert len(rows(path)) == 5
    assert {engine for *_, engine in chunks(path)} == {"python"}


@native_only
def test_a_sample_of_lines_is_replayed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "REPLAYED_WINS", 10)
    run(path, **LUCIE, seeds="0..999")
    won = [row["seed"] for row in rows(path) if row["status"] == "solved"]
    assert len(won) > 20
    replayed = sum(each for _, _, each, _ in chunks(path))
    assert replayed == len({*won[:10], *range(0, 1000, 100)})
    run(path, **LUCIE, seeds="0..1999")
    assert sum(each for _, _, each, _ in chunks(path)) == replayed + 10


@any_engine
def test_all_lines_are_replayed_on_request(path: Path) -> None:
    run(path, **LUCIE, seeds="0..99", replay="all")
    assert sum(each for _, _, each, _ in chunks(path)) == 100


@native_only
def test_a_line_that_fails_stops_the_run_and_nothing_of_its_chunk_is_stored(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(state: Any, *_: Any) -> None:
        if state.id.endswith("@500"):
            raise InternalError("the line fails", "evidence")

    monkeypatch.setattr("unshuffle.study.chunks.check_found", check)
    with pytest.raises(InternalError, match="the line fails"):
        run(path, **LUCIE, seeds="0..999")
    stored = [row["seed"] for row in rows(path)]
    assert stored == list(range(len(stored)))
    assert len(stored) <= 500
    with Store.open(path, create=False) as store:
        assert store.claimed(store.runs("s")[0]) == {}
    monkeypatch.undo()
    run(path, **LUCIE, seeds="0..999")
    assert len(rows(path)) == 1000


@any_engine
def test_progress_tells_how_far_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "SHOW_SECONDS", 0)
    seen: list[Standing] = []
    run(path, **LUCIE, seeds="0..29")
    run(path, **LUCIE, seeds="0..99", progress=seen.append)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    last = seen[-1]
    assert (last.wanted, last.done, last.played, last.waiting) == (100, 100, 70, 0)
    won = sum(row["status"] == "solved" for row in rows(path))
    assert (last.won, last.lost, last.undecided) == (won, 100 - won, 0)


def test_a_run_can_be_cancelled_and_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "SHOW_SECONDS", 0)
    deals = 200 if NATIVE else 40
    for options in (LUCIE, {"game": "belle-lucie", "policy": "random"}):
        path.unlink(missing_ok=True)
        cancel = Event()

        def stop_early(now: Standing, cancel: Event = cancel) -> None:
            if now.played >= 10:
                cancel.set()

        with pytest.raises(StudyInterrupted):
            run(path, **options, seeds=range(deals), progress=stop_early, cancel=cancel)
        stored = rows(path)
        assert 0 < len(stored) < deals
        run(path, **options, seeds=range(deals))
        assert rows(path)[: len(stored)] == stored
        assert len(rows(path)) == deals


@any_engine
@pytest.mark.parametrize("options", [LUCIE, {"game": "belle-lucie", "policy": "random"}])
def test_a_cancelled_run_stores_every_deal_that_it_has_told_as_played(
    path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    monkeypatch.setattr(ledger, "SHOW_SECONDS", 0)
    cancel, told = Event(), [0]

    def stop_within_a_chunk(now: Standing) -> None:
        told.append(now.played)
        if now.played > 12:
            cancel.set()

    with pytest.raises(StudyInterrupted):
        run(path, **options, seeds="0..199", threads=2, progress=stop_within_a_chunk, cancel=cancel)
    assert max(told) <= len(rows(path)) < 200


@any_engine
def test_results_of_seeds_that_another_took_over_are_left_to_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "SHOW_SECONDS", 0)
    robbed: list[int] = []

    def rob(now: Standing) -> None:
        if not robbed:
            with Store.open(path) as other:
                changed = other._db.execute(
                    "UPDATE chunk SET owner = 'elsewhere:1:2:3', claimed = '2001-01-01' WHERE finished IS NULL"
                )
                robbed.append(changed.rowcount)

    run(path, **LUCIE, seeds="0..199", progress=rob)
    assert robbed[0] > 0
    assert [row["seed"] for row in rows(path)] == list(range(200))


@any_engine
def test_several_runs_are_refused_before_any_is_begun(path: Path) -> None:
    run(path, game="belle-lucie", policy="random", seeds="10..19")
    with pytest.raises(UsageError, match="would leave a gap"):
        run(path, game="belle-lucie", policy="greedy,random", seeds="30..39")
    with Store.open(path, create=False) as store:
        assert [each.method for each in store.runs("s")] == ["policy:random"]
