"""What to do now in any game, and what each of the moves is worth, by what a player sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from time import monotonic
from typing import Any

from unshuffle.deals import SplitMix64
from unshuffle.hidden.playing_on import fitting, weigh
from unshuffle.hidden.playouts import SECONDS, Option, Plan, Stop, Tally, never, sample
from unshuffle.solve import Result, Status, solve
from unshuffle.solve.limits import DEFAULT_MEMORY
from unshuffle.views import unknown_in

_SHARE = 0.5
"""The search that decides takes so much of the time; the rest is for the other moves."""


def plan(
    view: Any,
    *,
    samples: int | None = None,
    seconds: float = SECONDS,
    memory: int = DEFAULT_MEMORY,
    is_stopped: Callable[[], bool] = never,
) -> Plan:
    """Weigh every move: by a search where nothing is unknown, else by playouts from samples of what is.

    So many samples for each move, or as many as there is time for, but never fewer than a few.
    """
    begun = monotonic()
    state = fitting(view)
    moves = state.legal_moves()
    if state.outcome is not None or not moves:
        return Plan((), (), None, monotonic() - begun)
    # Always the same streams: the same table gets the same answer.
    luck, rng = SplitMix64(0), Random(0)

    def weigh_some(count: int) -> list[Tally]:
        return weigh(view, moves, count, luck, rng)

    if unknown_in(view):
        tallies = sorted(sample(weigh_some, samples, begun + seconds, is_stopped), key=_rank)
        return Plan((tallies[0].move,), tuple(map(Option.sampled, tallies)), None, monotonic() - begun)
    stop = Stop(is_stopped)
    found = solve(state, seconds=_SHARE * seconds, memory=memory, cancel=stop)
    tallies = sorted(sample(weigh_some, samples or 1, begun, is_stopped), key=_rank)
    line = found.moves if found.status.is_decided and found.moves else (tallies[0].move,)
    # The move that the search found first: of the others, what there is time for.
    tallies.sort(key=lambda tally: tally.move != line[0])
    known = list(_searched(state, found, tallies, begun + seconds, memory, stop))
    known.sort(key=lambda option: (option.move != line[0], -(option.chance or 0)))
    return Plan(line, tuple(known), found.status, monotonic() - begun)


def _rank(tally: Tally) -> tuple[int, int]:
    return -tally.wins, -tally.score


def _searched(
    state: Any, found: Result, tallies: Iterable[Tally], until: float, memory: int, stop: Stop
) -> Iterator[Option]:
    """The options where nothing is unknown: each wins, it does not, or the search was cut short."""
    left = list(tallies)
    while left:
        tally = left.pop(0)
        result, mean = found, round(tally.score / tally.samples, 2)
        if tally.move in found.moves[:1]:
            mean = float(found.score)
        elif found.status is Status.SOLVED:
            # What is left of the time, in equal shares; a search without time is cut short at once.
            share = max(1e-3, (until - monotonic()) / (1 + len(left)))
            result = solve(state.play(tally.move), seconds=share, memory=memory, cancel=stop)
        if result.status is Status.SOLVED or result.status is Status.UNSOLVABLE:
            yield Option.proved(tally.move, result.status is Status.SOLVED, mean)
        else:
            yield Option(tally.move, None, None, None, mean, tally.samples)
