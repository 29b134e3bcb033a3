"""Laws of solving: prunings, threads, limits and a small memory change no verdict."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from itertools import islice
from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import IS_LONG, OURS, asked, deal_numbers, effort, every_game, for_each, native_games, native_module
from unshuffle.game import Hooks
from unshuffle.laws import Case
from unshuffle.laws.search import generic
from unshuffle.solve import Limits, has_twin, reference

Game = un.Game[Any, Any]


@pytest.mark.parametrize("game", native_games(), ids=str)
@for_each
@given(seed=deal_numbers)
@pytest.mark.one_engine("checks the native engine")
def test_the_engine_agrees_with_itself_without_prunings(game: Game, seed: int) -> None:
    for state in game.small_states(seed):
        with_them = native_module().solve(*asked(game, state), maximize=True)
        without = native_module().solve(*asked(game, state), maximize=True, prune=False)
        assert (with_them.status, with_them.score) == (without.status, without.score), str(state)


@pytest.mark.both_engines
def test_a_line_is_replayed_once_and_a_list_of_results_keeps_no_states(monkeypatch: pytest.MonkeyPatch) -> None:
    game = un.game(OURS[0])
    played: list[Any] = []
    replay = un.replay

    def count(state: Any, moves: Any) -> un.Line:
        played.append(state)
        return replay(state, moves)

    monkeypatch.setattr(sys.modules["unshuffle.solve.replay"], "replay", count)
    result = un.solve(game.deal(3), nodes=2_000)
    assert (result.line, result.line.moves, len(played)) == (result.line, result.moves, 1)
    again = pickle.loads(pickle.dumps(result))
    assert (again, again.line, len(played)) == (result, result.line, 2)
    assert len(pickle.dumps(result)) < len(pickle.dumps(result.line))
    played.clear()
    results = []
    for one in un.solve_many(game, seeds=range(3), nodes=500):
        assert one.line.moves == one.moves
        results.append(one)
    # So far each line was replayed once; those of a list are replayed when they are asked for.
    assert len(played) == 3
    assert [one.line for one in results] == [replay(one.state, one.moves) for one in results]
    assert len(played) == 6


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_no_order_of_moves_changes_a_verdict(game: Game) -> None:
    """Whatever order a hook likes, and even if it forgets moves; alone and beside the game's own hooks."""
    rng = Random(str(game))
    states = islice(game.small_states(rng.getrandbits(64)), 0, None, 1 if IS_LONG else 2)
    for state in map(game.phase, states):
        truth = generic(Case(game, 0), state, maximize=True)
        none: Hooks[Any, Any] = Hooks()
        for hooks in (none, game.hooks()):
            by_chance = replace(hooks, order=lambda _, moves: rng.sample(moves, rng.randint(0, len(moves))))
            found = generic(Case(game, 0, nodes=2_000), state, maximize=True, hooks=by_chance)
            if found.status is un.Status.NODE_LIMIT:
                continue  # where moves cost points, a bad order comes to a position by many ways
            assert (found.status, found.score, found.score_proved) == (truth.status, truth.score, True), str(state)


def test_moves_are_tried_in_the_order_of_the_hook() -> None:
    """Those that it leaves out come last, each move once."""
    state = un.game("agnes", "up-color-anyrun").deal(7)
    first = state.legal_moves()
    hooks: Hooks[Any, Any] = Hooks(order=lambda _, moves: (moves[-1], moves[1], moves[-1]))
    branch = reference._Search(hooks, Limits(), maximize=False, most_score=52)._enter(state)
    assert isinstance(branch, reference._Branch)
    assert branch.moves[::-1] == [first[-1], first[1], first[0], *first[2:-1]]


@pytest.mark.parametrize("game", every_game(), ids=str)
@pytest.mark.both_engines
def test_shortened_lines_are_no_longer_and_end_alike(game: Game) -> None:
    for state in game.small_states(5):
        plain, short = un.solve(state), un.solve(state, shorten=True)
        assert len(short.moves) <= len(plain.moves)
        assert short.status == plain.status
        assert short.score == plain.score or (game.charges_moves and short.score > plain.score)


@pytest.mark.parametrize("game", every_game(), ids=str)
@pytest.mark.both_engines
def test_results_do_not_depend_on_the_number_of_threads(game: Game) -> None:
    seeds, nodes = range(effort(game, 40 if IS_LONG else 12, 4)), effort(game, 100, 10)

    def answers(threads: int) -> list[tuple[Any, ...]]:
        results = un.solve_many(game, seeds=seeds, threads=threads, nodes=nodes)
        return [(r.state, r.status, r.moves, r.score, r.score_proved, r.stats.nodes) for r in results]

    alone = answers(1)
    assert [answer[0].id for answer in alone] == [f"{game}@{seed}" for seed in seeds]
    assert answers(2) == answers(3) == alone
    for seed, (state, status, moves, score, *rest) in zip(seeds, alone, strict=True):
        result = un.solve(game.deal(seed), nodes=nodes)
        assert (result.state, result.status, result.score) == (state, status, score)
        assert [result.score_proved, result.stats.nodes] == rest
        # Of one deal the line is the same without what the engine finds needless.
        tokens = [move.token for move in moves]
        if has_twin(game):
            tokens = native_module().shorten(*asked(game, state), tokens)
        assert [move.token for move in result.moves] == tokens


@pytest.mark.parametrize("game", every_game(), ids=str)
@pytest.mark.both_engines
def test_a_limit_is_never_a_no(game: Game) -> None:
    for seed in range(effort(game, 10, 3)):
        state = game.deal(seed)
        full = un.solve(state, nodes=effort(game, 300, 10))
        for status, limits in ((un.Status.NODE_LIMIT, {"nodes": 1}), (un.Status.TIME_LIMIT, {"seconds": 0.0})):
            result = un.solve(state, **limits)
            assert result.status in (status, full.status)
            if result.status is un.Status.UNSOLVABLE:
                assert full.status is un.Status.UNSOLVABLE


@pytest.mark.parametrize("game", every_game(), ids=str)
@pytest.mark.both_engines
def test_a_small_memory_changes_no_verdict(game: Game) -> None:
    for state in game.small_states(11):
        truth = un.solve(state)
        # Where moves can be taken back, a search that forgets what it has seen may go on for very long.
        small = un.solve(state, memory="64KB", nodes=20_000)
        assert small.status in (truth.status, un.Status.MEMORY_LIMIT, un.Status.NODE_LIMIT)
        if small.is_decided:
            assert small.score == truth.score


@pytest.mark.one_engine("checks a message")
def test_seeds_that_do_not_exist_are_refused() -> None:
    with pytest.raises(un.UsageError, match="seeds are 0"):
        list(un.solve_many(un.game("belle-lucie"), seeds=[7, -1]))


@pytest.mark.both_engines
def test_a_set_event_cancels() -> None:
    event = Event()
    event.set()
    un.load("examples/golf.py")
    result = un.solve(un.game("golf").deal(0), cancel=event)
    assert result.status is un.Status.CANCELLED
    assert not result.is_decided


@pytest.mark.parametrize("threads", [0, 1025])
def test_there_is_a_least_and_a_greatest_number_of_threads(threads: int) -> None:
    with pytest.raises(un.UsageError, match=rf"threads={threads} is not allowed; it may be 1\.\.1024"):
        un.solve_many(un.game("belle-lucie"), seeds=[7], threads=threads)
