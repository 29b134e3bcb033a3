"""Moves that cost points, as Spider's do: scores below 0 and above a byte in every room, from search to report."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

import unshuffle as un
import unshuffle.study
from tests.cli.program import program
from tests.simulate import toll_road
from tests.simulate.toll_road import State, TollRoad
from tests.store.making import rewrite
from unshuffle.hidden import playing
from unshuffle.hidden.playouts import Tally
from unshuffle.registry import _registered
from unshuffle.simulate import play_each, play_tournament
from unshuffle.solve import reference
from unshuffle.solve.limits import Limits
from unshuffle.solve.shorten import shorten
from unshuffle.solve.sides import check_found
from unshuffle.store import Store, StoreError
from unshuffle.study.export import export
from unshuffle.study.histogram import histogram
from unshuffle.study.plots import Source, plot_distribution
from unshuffle.study.report import report_rows

pytestmark = pytest.mark.one_engine("the game is Python only")

ROAD = TollRoad()
FILE = toll_road.__file__
DEALS = 40
PLAYERS = ("--policy", "random", "--policy", "greedy", "--seeds", f"0..{DEALS - 1}")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is registered for the test alone: the laws for all games are not about it."""
    monkeypatch.setitem(_registered, "toll-road", TollRoad())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def won(state: State) -> bool:
    """Whether the way is free."""
    return all(card.rank < toll_road.KING for card in state.row[1:])


# Searches.


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("variant", ["cheap", "dear"])
def test_verdicts_do_not_hang_on_scores(variant: str, maximize: bool) -> None:
    """Law: a deal is solved exactly if the way is free, whatever a win scores; deciding alone proves no such score."""
    game = TollRoad(variant)
    poor = 0
    for seed in range(DEALS):
        state = game.deal(seed)
        result = un.solve(state, maximize=maximize)
        assert (result.status is un.Status.SOLVED) == won(state)
        assert result.is_decided
        assert result.score_proved == (maximize or result.score == toll_road.bound(state))
        if maximize and won(state):
            # The best win goes straight to the end.
            assert len(result.moves) == len(state.row) - 1
        best = max(each.score for each in un.replay(state, result.moves).states)
        poor += won(state) and result.score < best
    assert poor > 1 if variant == "dear" else poor == 0


def test_the_bound_excludes_no_win() -> None:
    """A bound below the score of some loss cuts the win where nobody knows that moves cost points."""
    state = next(ROAD.deal(seed) for seed in range(DEALS) if won(ROAD.deal(seed)))
    hooks: un.Hooks[State, toll_road.Step] = un.Hooks(bound=lambda _: state.score, key=toll_road.key)
    for maximize in (False, True):
        found = reference.search(
            state, Limits(None, None, 1 << 30), maximize=maximize, most_score=1000, charges_moves=True, hooks=hooks
        )
        assert found.status is un.Status.SOLVED


def test_a_search_may_begin_below_0() -> None:
    tired = State(ROAD.rules, ROAD.deal(1).row, steps=700)
    assert not won(tired)
    result = un.solve(tired)
    assert (result.status, result.score) == (un.Status.UNSOLVABLE, un.replay(tired, result.moves).score)
    assert result.score < -1


def test_a_shorter_line_scores_more(monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(ROAD.deal(seed) for seed in range(DEALS) if won(ROAD.deal(seed)))
    straight = tuple(toll_road.Step("r") for _ in state.row[1:])
    line = un.replay(state, straight)
    later = un.replay(state, (straight[0], toll_road.Step("l"), *straight))
    # What the engine leaves out of a line may have cost points; the result tells the score that the line has then.
    found = reference.Found(un.Status.SOLVED, later.moves, later.score, False, {"nodes": 1, "seconds": 0.0})
    monkeypatch.setattr(sys.modules[check_found.__module__], "tidied", lambda *_: straight)
    result = check_found(state, ROAD, found, "python", tidy=True)
    assert (result.moves, result.score) == (straight, line.score) == (straight, later.score + 2)


def test_a_single_needless_move_is_dropped_though_the_score_changes() -> None:
    state = State(ROAD.rules, ROAD.deal(0).row, place=1, farthest=1)
    # Both stand where the other began, so that neither step is needed.
    line = un.replay(state, [toll_road.Step("l"), toll_road.Step("r")])
    assert len(shorten(line).moves) < 2


# Play, and what is kept of it.


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_simulated_scores_are_those_of_the_games(policy: str) -> None:
    games = un.simulate(ROAD, policy, range(DEALS))
    records = list(play_each(ROAD, policy, range(DEALS)))
    scores = [record.score for record in records]
    assert min(scores) < -1900
    assert max(scores) > 255
    assert games.scores.tolist() == scores
    assert [un.replay(ROAD.deal(seed), record.moves).score for seed, record in enumerate(records)] == scores
    assert games.score_counts == Counter(scores)
    assert list(games.score_counts) == sorted(set(scores))
    assert games.mean == pytest.approx(sum(scores) / DEALS)
    assert [record.score for record in games] == scores
    assert max(len(record.moves) for record in records) == playing.MOST_MOVES
    with pytest.raises(ValueError, match="read-only"):
        games.scores[0] = 1


def test_a_score_that_two_bytes_do_not_hold_is_refused() -> None:
    for play in (un.simulate, lambda *arguments: list(play_each(*arguments))):
        with pytest.raises(un.UsageError, match=r"toll-road/dear@1 ends with score -797\d\d; .*keep -32768\.\.32767"):
            play(TollRoad("dear"), "random", range(3))


def test_a_tournament_in_a_store_is_the_one_without(store: Store) -> None:
    policies = ["random", "greedy", "random:seed=1"]
    plain = play_tournament(ROAD, policies, range(DEALS))
    # In two parts, so that blocks are cut.
    play_tournament(ROAD, policies, range(20, 40), store=store)
    kept = play_tournament(ROAD, policies, range(DEALS), store=store)
    for ours, theirs in zip(kept.simulations, plain.simulations, strict=True):
        assert ours.packed == theirs.packed
    for run, games in zip(store.runs("tournament-toll-road-cheap"), plain.simulations, strict=True):
        assert store.scores(run) == games.score_counts
        assert [row["score"] for row in store.rows(run)] == games.scores.tolist()
        part = [score for block in store.games(run, 7, 33) for score in block.scores]
        assert part == games.scores[7:34].tolist()
        mean, wins = store._db.execute("SELECT mean_score, won FROM run_summary WHERE run_id = ?", (run.id,)).fetchone()
        assert (mean, wins) == (pytest.approx(games.mean), games.wins)
        listed = store._db.execute("SELECT score FROM win WHERE run_id = ? ORDER BY seed", (run.id,)).fetchall()
        assert [score for (score,) in listed] == games.scores[games.won].tolist()


def test_a_block_takes_two_bytes_a_game_only_where_it_must(store: Store) -> None:
    games = un.simulate(ROAD, "random", range(DEALS))
    play_tournament(ROAD, ["random"], range(DEALS), store=store)
    for first, count, length in store._db.execute("SELECT first, count, length(scores) FROM block").fetchall():
        scores = games.scores[first : first + count]
        assert length == count * (1 if scores.min() >= 0 and scores.max() <= 255 else 2)
    lengths = {length // count for count, length in store._db.execute("SELECT count, length(scores) FROM block")}
    assert 2 in lengths


def test_a_damaged_block_is_told(store: Store) -> None:
    play_tournament(ROAD, ["random"], range(3), store=store)
    [run] = store.runs("tournament-toll-road-cheap")
    rewrite(store, "UPDATE block SET scores = X'010203040506070809'")
    with pytest.raises(StoreError, match=r"is damaged; .* 9 bytes of scores"):
        list(store.rows(run))


# Studies.


def test_a_study_of_search_and_play(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    for how in ({"solver": True}, {"policy": "random"}):
        unshuffle.study.run("road", ROAD, seeds=f"0..{DEALS - 1}", store=path, **how)
    with Store.open(path) as store:
        solver, played = store.runs("road")
        solved = [un.solve(ROAD.deal(seed)) for seed in range(DEALS)]
        games = un.simulate(ROAD, "random", range(DEALS))
        assert [row["score"] for row in store.rows(solver)] == [result.score for result in solved]
        assert store.scores(played) == games.score_counts
        rows = report_rows(store, "road")
        assert [row["won"] for row in rows] == [sum(won(ROAD.deal(seed)) for seed in range(DEALS)), games.wins]
        wanted = [result.score for result in solved] + games.scores.tolist()
        for kind in ("csv", "json", "parquet"):
            export(store, "road", tmp_path / f"rows.{kind}")
            assert scores_in(tmp_path / f"rows.{kind}") == wanted
    ended = program("study", "report", "road", "--scores", "--store", path, COLUMNS="100")
    assert (ended.code, ended.err) == (0, "")
    assert f"{games.mean:.2f}" in ended.out
    assert "-2000..-1951" in ended.out


def scores_in(path: Path) -> list[int]:
    if path.suffix == ".parquet":
        return [row["score"] for row in parquet.read_table(path).to_pylist()]
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".json":
            return [json.loads(line)["score"] for line in file]
        return [int(row["score"]) for row in csv.DictReader(file)]


def test_every_score_is_in_the_bars_and_in_the_picture(tmp_path: Path) -> None:
    counts = un.simulate(ROAD, "random", range(DEALS)).score_counts
    rows = [line.split() for line in histogram(counts)[1:]]
    assert sum(int(row[1]) for row in rows) == DEALS
    for name, deals, *_ in rows:
        low, high = map(int, name.split(".."))
        assert sum(counts.get(score, 0) for score in range(low, high + 1)) == int(deals)
    plot_distribution(counts, tmp_path / "scores.svg", Source("toll-road", "cheap", "hidden", "unshuffle", "none"))
    assert "<!-- -1,500 -->" in (tmp_path / "scores.svg").read_text(encoding="utf-8")


# The command line.


def told(*arguments: Any) -> str:
    ended = program(*arguments, "--load", FILE)
    assert ended.code in (0, 1), ended.err
    return ended.out


def test_json_tells_every_score() -> None:
    out = told("tournament", "toll-road", *PLAYERS, "--json")
    row = json.loads(out.splitlines()[0])
    games = un.simulate(ROAD, "random", range(DEALS))
    assert row["scores_from"] == min(games.score_counts) < 0
    assert len(row["scores"]) == ROAD.most_score - row["scores_from"] + 1
    told_counts = {row["scores_from"] + place: deals for place, deals in enumerate(row["scores"]) if deals}
    assert told_counts == games.score_counts


def test_prose_tells_scores_and_not_what_is_left_of_them() -> None:
    games = un.simulate(ROAD, "random", range(DEALS))
    out = told("simulate", "toll-road", "--policy", "random", "--seeds", f"0..{DEALS - 1}")
    assert f"Mean score: {games.mean:.2f} [" in out
    out = told("solve", "toll-road", "--seed", "1")
    result = un.solve(ROAD.deal(1))
    assert f"Score: {result.score} of {ROAD.most_score} points;" in out
    assert " left" not in out
    out = told("tournament", "toll-road", *PLAYERS)
    assert f"{games.mean:.2f} [" in out


# Advice.


def test_the_greatest_of_scores_below_0_is_below_0() -> None:
    tally = Tally(None)
    tally.add(Tally(None))
    assert tally.most == 0
    for score in (-300, -20, -100):
        tally.count(score, is_won=False)
    tally.add(Tally(None))
    assert (tally.samples, tally.score, tally.most) == (3, -420, -20)
