"""What to do now in Agnes Sorel, and what each of the moves is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from unshuffle.advise.agnes.estimate import Tally, best, estimate, options_of, weigh
from unshuffle.deals import SplitMix64
from unshuffle.games.agnes.moves import Move
from unshuffle.games.agnes.rules import State
from unshuffle.games.agnes.strategy import is_safe
from unshuffle.games.agnes.view import View
from unshuffle.solve import Result, Status, solve

SECONDS = 5.0
"""Time for an answer, where no number of samples is asked for."""
_FEWEST_SAMPLES = 10
_MOST_SAMPLES = 20_000
"""Enough for a chance to be told to half a point; the engine takes a second for them, the Python side far longer."""
_BATCH = 5
"""Samples between two looks at the clock, at the least; later a twentieth of those that are done."""
_NODES = 1_000_000
_NORMAL = 1.959963984540054
"""The normal distribution has 95 % of its weight within so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Option:
    """A move, and the chance to win with it."""

    move: Move
    chance: float | None
    """None if it could not be told."""
    low: float | None
    high: float | None
    """From where to where it may lie, with 95 % confidence; where it is proved, all three are the same."""
    mean_score: float | None
    samples: int
    """Games that were played on; 0 where the chance is proved."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The options, the best one first, and the moves that are recommended."""

    moves: tuple[Move, ...]
    """The best option; a whole line where all cards are known and the search has decided."""
    options: tuple[Option, ...]
    status: Status | None
    """What the search says where all cards are known; None where some are not."""
    seconds: float


def plan(view: View, *, samples: int | None = None, seconds: float = SECONDS) -> Plan:
    """Weigh every option: by a search where all cards are known, else by games with the unseen cards filled in.

    So many samples for each option, or as many as there is time for, but never fewer than a few.
    """
    begun = monotonic()
    moves = view.legal_moves()
    options = tuple(options_of(view, moves))
    if view.outcome is not None or not options:
        return Plan((), (), None, monotonic() - begun)
    if len(view.unseen) > 1:
        tallies = _sample(view, options, samples, begun + seconds)
        # What is proved to lose nothing needs no games to speak for it.
        safe = (tally for tally in tallies if is_safe(view, tally.move))
        first = next(safe, None) or best(view, moves, tallies)
        ranked = [first, *sorted((tally for tally in tallies if tally is not first), key=_rank)]
        return Plan((first.move,), tuple(map(_sampled, ranked)), None, monotonic() - begun)
    state = view.laid(view.unseen)
    found = solve(state, nodes=_NODES, seconds=seconds)
    played = estimate(view, options, 1, SplitMix64(0))
    known = [_searched(state, found, tally, begun + 2 * seconds) for tally in played]
    line = found.moves if found.status in (Status.SOLVED, Status.UNSOLVABLE) else (best(view, moves, played).move,)
    known.sort(key=lambda option: (option.move not in line[:1], -(option.chance or 0), -(option.mean_score or 0)))
    return Plan(line, tuple(known), found.status, monotonic() - begun)


def _sample(view: View, options: Sequence[Move], samples: int | None, until: float) -> list[Tally]:
    # Always the same stream: the same table gets the same answer.
    luck = SplitMix64(0)
    if samples is not None:
        return weigh(view, options, samples, luck)
    tallies = weigh(view, options, _FEWEST_SAMPLES, luck)
    while (done := tallies[0].samples) < _MOST_SAMPLES and monotonic() < until:
        more = min(max(_BATCH, done // 20), _MOST_SAMPLES - done)
        for tally, further in zip(tallies, weigh(view, options, more, luck), strict=True):
            tally.add(further)
    return tallies


def _rank(tally: Tally) -> tuple[int, int]:
    return -tally.wins, -tally.score


def _sampled(tally: Tally) -> Option:
    low, high = wilson(tally.wins, tally.samples)
    return Option(
        tally.move, tally.wins / tally.samples, low, high, round(tally.score / tally.samples, 2), tally.samples
    )


def _searched(state: State, found: Result, tally: Tally, until: float) -> Option:
    """An option where all cards are known: it wins, it does not, or the search was cut short."""
    status = found.status
    if status is Status.SOLVED and found.moves[0] != tally.move:
        left = until - monotonic()
        status = solve(state.play(tally.move), nodes=_NODES, seconds=left).status if left > 0 else Status.TIME_LIMIT
    if status is Status.SOLVED:
        return Option(tally.move, 1.0, 1.0, 1.0, float(len(state.rules.pack)), 0)
    if status is Status.UNSOLVABLE:
        return Option(tally.move, 0.0, 0.0, 0.0, float(tally.score), 0)
    return Option(tally.move, None, None, None, float(tally.score), 1)


def wilson(wins: int, samples: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate; by hand, for scipy comes only with the studies."""
    z2 = _NORMAL * _NORMAL
    rate = wins / samples
    middle = (rate + z2 / (2 * samples)) / (1 + z2 / samples)
    half = _NORMAL * math.sqrt(rate * (1 - rate) / samples + z2 / (4 * samples * samples)) / (1 + z2 / samples)
    return (0.0 if wins == 0 else middle - half), (1.0 if wins == samples else middle + half)
