"""Planning in any game: the recommended move, and what every move is worth, from what a player sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
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
"""The share of the time for the search that decides the position; the rest is for the other moves."""


def plan(
    view: Any,
    *,
    samples: int | None = None,
    seconds: float = SECONDS,
    memory: int = DEFAULT_MEMORY,
    is_stopped: Callable[[], bool] = never,
) -> Plan:
    """Return a plan: by a search where nothing is unknown, else by playouts from sampled states.

    Each move gets `samples` playouts, or as many as there is time for, with a small minimum. If the search is cut
    short, playouts rank the moves in the remaining time; the first move of the search's best line gets that line's
    score where it is greater.
    """
    begun = monotonic()
    state = fitting(view)
    moves = state.legal_moves()
    if state.outcome is not None or not moves:
        return Plan((), (), None, monotonic() - begun)
    # Fixed seeds: the same table gets the same answer.
    luck, rng = SplitMix64(0), Random(0)

    def weigh_some(count: int) -> list[Tally]:
        return weigh(view, moves, count, luck, rng)

    if unknown_in(view):
        tallies = sorted(sample(weigh_some, samples, begun + seconds, is_stopped), key=_rank)
        return Plan((tallies[0].move,), tuple(map(Option.sampled, tallies)), None, monotonic() - begun)
    stop = Stop(is_stopped)
    found = solve(state, seconds=_SHARE * seconds, memory=memory, cancel=stop)
    if found.status in (Status.SOLVED, Status.UNSOLVABLE):
        known = _searched(state, found, moves, begun + seconds, memory, stop)
        line = found.moves or (known[0].move,)
    else:
        known = _undecided(found, sample(weigh_some, samples, begun + seconds, is_stopped, fewest=1))
        line = (known[0].move,)
    return Plan(line, tuple(known), found.status, monotonic() - begun)


def _rank(tally: Tally) -> tuple[int, int]:
    return -tally.wins, -tally.score


def _searched(state: Any, found: Result, moves: Sequence[Any], until: float, memory: int, stop: Stop) -> list[Option]:
    """Return the options after a decided search: each wins, does not win, or was not decided in the time left."""
    first = found.moves[:1]
    rest = [move for move in moves if move not in first]
    options = [Option.proved(move, found.status is Status.SOLVED, found.score) for move in first]
    for left, move in zip(range(len(rest), 0, -1), rest, strict=True):
        # Equal shares of the remaining time; a search without time is cut short at once.
        share = max(1e-3, (until - monotonic()) / left)
        result = solve(state.play(move), seconds=share, memory=memory, cancel=stop)
        if result.status is Status.SOLVED or Status.UNSOLVABLE in (result.status, found.status):
            options.append(Option.proved(move, result.status is Status.SOLVED, result.score))
        else:
            options.append(Option(move, None, None, None, None, 0))
    return sorted(options, key=lambda option: (option.move not in first, -(option.chance or 0), -_worth(option)))


def _undecided(found: Result, tallies: Sequence[Tally]) -> list[Option]:
    """Return the options after a search that was cut short: by playouts, and one also by the search's best line."""
    options = [
        Option(
            tally.move, None, None, None, round(tally.score / tally.samples, 2), tally.samples,
            line_score=found.score if tally.move in found.moves[:1] else None,
        )
        for tally in tallies
    ]  # fmt: skip
    wins = {tally.move: tally.wins for tally in tallies}
    return sorted(options, key=lambda option: (wins[option.move], _worth(option)), reverse=True)


def _worth(option: Option) -> float:
    """Return the greater of the option's scores: the mean of its playouts, and the score of a known line."""
    return max((score for score in (option.mean_score, option.line_score) if score is not None), default=-inf)
