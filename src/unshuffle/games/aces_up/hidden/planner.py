"""Planning in Aces Up: the recommended move, and what every option is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import NamedTuple

from unshuffle.deals import SplitMix64
from unshuffle.games.aces_up.hidden.estimate import best, options_of, weigh, worth
from unshuffle.games.aces_up.moves import FromReserve, Move, ToSpace
from unshuffle.games.aces_up.rules import MOST_SCORE, State
from unshuffle.games.aces_up.view import View
from unshuffle.hidden.playouts import SECONDS, Option, Plan, Stop, never, sample
from unshuffle.solve import Result, Status, solve
from unshuffle.solve.limits import DEFAULT_MEMORY

_NODES = 1_000_000


def plan(
    view: View,
    *,
    samples: int | None = None,
    seconds: float = SECONDS,
    memory: int = DEFAULT_MEMORY,
    is_stopped: Callable[[], bool] = never,
) -> Plan:
    """Return a plan: by a search where all cards are known, else by playouts with sampled orders of the stock.

    Each option gets `samples` playouts, or as many as there is time for, with a small minimum.
    """
    begun = monotonic()
    options = tuple(_distinct(view, options_of(view, view.legal_moves())))
    if view.outcome is not None or not options:
        return Plan((), (), None, monotonic() - begun)
    if len(view.unseen) > 1:
        # A fixed seed: the same table gets the same answer.
        luck = SplitMix64(0)
        tallies = sample(lambda count: weigh(view, options, count, luck), samples, begun + seconds, is_stopped)
        first = best(tallies)
        ranked = [first, *sorted((tally for tally in tallies if tally is not first), key=worth, reverse=True)]
        return Plan((first.move,), tuple(map(Option.sampled, ranked)), None, monotonic() - begun)
    state = view.laid(view.unseen)
    until = begun + seconds
    search = _Search(memory, Stop(is_stopped))
    found = search.most(state, until)
    known = [_searched(state, found, move, until + seconds, search) for move in options]
    is_decided = found.status in (Status.SOLVED, Status.UNSOLVABLE)
    line = found.moves if is_decided else found.moves[:1] or options[:1]
    known.sort(key=lambda option: (option.move not in line[:1], -(option.chance or 0), -(option.mean_score or 0)))
    return Plan(line, tuple(known), found.status, monotonic() - begun)


def _distinct(view: View, options: Iterable[Move]) -> Iterator[Move]:
    """Yield the options, with only the first of several spaces: any card may be dealt next, so all places are alike."""
    first = view.spaces[:1]
    for move in options:
        is_other = isinstance(move, ToSpace | FromReserve) and move.target not in first
        if not is_other or view.rules.destination != "any":
            yield move


class _Search(NamedTuple):
    """The limits of a search."""

    memory: int
    stop: Stop

    def most(self, state: State, until: float) -> Result:
        """Search for the best score within the time that is left."""
        left = max(0.01, until - monotonic())
        return solve(state, nodes=_NODES, seconds=left, memory=self.memory, maximize=True, cancel=self.stop)


def _searched(state: State, found: Result, move: Move, until: float, search: _Search) -> Option:
    """Return an option where all cards are known: its best score, proved unless the search was cut short."""
    result = found if found.moves[:1] == (move,) else search.most(state.play(move), until)
    score = result.score
    if result.score_proved:
        return Option.proved(move, score == MOST_SCORE, score)
    return Option(move, None, None, None, float(score), 1)
