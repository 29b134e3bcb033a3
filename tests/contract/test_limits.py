"""Laws for all games: a search ends within its limits and says which of them it hit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from inspect import isfunction, signature
from itertools import islice, pairwise
from time import monotonic
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG, effort, every_game, random_line, tokens
from unshuffle.solve import check_found
from unshuffle.solve.reference import Found

pytestmark = pytest.mark.both_engines

Game = un.Game[Any, Any]

MEMORIES = (1, 4096, 200_000)
LIMITS: tuple[dict[str, Any], ...] = ({}, {"nodes": 0}, {"nodes": 15}, {"seconds": 0})
NAMES = {"nodes": "node-limit", "seconds": "time-limit"}
STUCK = 60.0
"""Seconds after which a search that should have ended at once is cancelled, which fails the test."""


def positions(game: Game) -> Iterator[Any]:
    """A whole deal, the end of a random line, late positions, and a table that is won already."""
    yield game.deal(1)
    *_, end = random_line(game, 3, at_most=60)
    yield end
    late = [state for seed in (1, 2) for state in islice(game.small_states(seed), 3)]
    yield from late[:2]
    yield from islice(filter(None, map(won_end, late)), 1)


def won_end(state: Any) -> Any | None:
    result = un.solve(state, nodes=20_000)
    return un.replay(state, result.moves).states[-1] if result.status is un.Status.SOLVED else None


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_a_search_ends_and_names_the_limit_that_it_hit(game: Game) -> None:
    """Law: whatever the limits are, a search ends without an error, decided or with the name of a limit that it had."""
    for state in positions(game):
        for memory in MEMORIES:
            for limits in LIMITS:
                # With room for a table, a whole deal without another limit may well take hours.
                if not limits and memory > 4096 and state.id is not None:
                    continue
                for maximize in (False, True) if IS_LONG else (memory == 4096,):
                    begun = monotonic()
                    result = un.solve(
                        state,
                        memory=memory,
                        maximize=maximize,
                        progress=lambda _, begun=begun: _stop_if_stuck(begun),  # type: ignore[misc]
                        **limits,
                    )
                    allowed = {"solved", "unsolvable", "memory-limit", *(NAMES[name] for name in limits)}
                    assert result.status.value in allowed, (memory, limits, maximize, str(state))
                    if state.outcome is un.Outcome.WON:
                        assert result.status is un.Status.SOLVED, (memory, limits, maximize, str(state))


def _stop_if_stuck(begun: float) -> None:
    if monotonic() - begun > STUCK:
        pytest.fail("the search goes on although it has no room")


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_every_move_of_a_line_is_one_that_legal_moves_lists(game: Game) -> None:
    """Law: the lines of `solve`, shortened or not, hold the moves that `legal_moves` lists, in the same tokens."""
    states = [game.deal(seed) for seed in range(effort(game, 4 if IS_LONG else 2, 1))]
    states += islice(game.small_states(5), 4 if IS_LONG else 2)
    for state in states:
        for shorten in (False, True):
            result = un.solve(state, nodes=effort(game, 3000 if IS_LONG else 1000, 15), seconds=2, shorten=shorten)
            check_tokens(state, result.moves)


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_a_line_with_detours_keeps_to_legal_moves_when_it_is_shortened(game: Game) -> None:
    """Law: what is left of a random line is made of listed moves too. A search seldom finds lines with such detours."""
    for seed in range(20 if IS_LONG else 4):
        state, *others = random_line(game, seed, at_most=60)
        line = _moves_between([state, *others])
        end = [state, *others][-1]
        status = un.Status.SOLVED if end.outcome is un.Outcome.WON else un.Status.NODE_LIMIT
        found = Found(status, line, end.score, False, defaultdict(int))
        check_tokens(state, check_found(state, game, found, shorten=True, until=monotonic() + 1).moves)


def _moves_between(states: list[Any]) -> tuple[Any, ...]:
    """A move from each state to the next."""
    return tuple(
        next(move for move in before.legal_moves() if before.play(move) == after) for before, after in pairwise(states)
    )


@pytest.mark.parametrize("merci", ["play", "front"])
def test_a_merci_onto_what_has_become_its_own_fan_is_written_so(merci: str) -> None:
    """Without the detour QS>KS the queen still lies on the jack: `*JS>QS` is listed as `*JS` there."""
    game = un.game("belle-lucie", merci=merci)
    state = game.parse("JS KD QS / KS")
    line = game.parse_moves("QS>KS *JS>QS JS^ QS^ KS^ KD^")
    result = check_found(state, game, Found(un.Status.SOLVED, line, 52, True, {}), shorten=True)
    assert [move.token for move in result.moves] == ["*JS", "JS^", "QS^", "KS^", "KD^"]


def check_tokens(state: Any, moves: tuple[Any, ...]) -> None:
    for position, move in zip(un.replay(state, moves).states, moves, strict=False):
        assert move.token in tokens(position.legal_moves()), (str(state), str(position), move)


NO_LIMITS: dict[str, tuple[object, ...]] = {
    "seconds": (float("nan"), -1, "5"),
    "nodes": (-1, 1.5, float("nan"), 10**30, "5"),
    "memory": (0, -1, 1.5, float("nan"), 10**30, None),
    "threads": (0, -1, 1.5, float("nan"), 10**30, "5"),
    "samples": (0, -1, 1.5, float("nan"), float("inf"), "5"),
}
LIMITED = {
    name: [limit for limit in NO_LIMITS if limit in signature(getattr(un, name)).parameters]
    for name in un.__all__
    if isfunction(getattr(un, name))
}
_STATE = un.game("agnes").deal(7)
ASKED: dict[str, Callable[..., object]] = {
    "solve": lambda **limits: un.solve(_STATE, **limits),
    "solve_many": lambda **limits: list(un.solve_many([_STATE], **limits)),
    "simulate": lambda **limits: un.simulate(un.game("agnes"), policy="random", seeds=range(1), **limits),
    "estimate": lambda **limits: un.estimate(_STATE, "random", **limits),
    "review": lambda **limits: un.review(_STATE, [_STATE.legal_moves()[0]], **limits),
}
"""Each function of the package that takes limits, asked with them."""


@pytest.mark.parametrize("name", [name for name, limits in LIMITED.items() if limits])
def test_what_is_no_limit_is_refused_by_name(name: str) -> None:
    for limit in LIMITED[name]:
        for value in NO_LIMITS[limit]:
            with pytest.raises(un.UsageError, match=rf"^{limit}="):
                ASKED[name](**{limit: value})
