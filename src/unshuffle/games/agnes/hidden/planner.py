"""Planning in Agnes Sorel: the recommended move, and what every move is worth."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from unshuffle.deals import SplitMix64
from unshuffle.games.agnes.hidden.estimate import best, estimate, options_of, weigh
from unshuffle.games.agnes.hidden.strategy import is_safe
from unshuffle.games.agnes.rules import State
from unshuffle.games.agnes.view import View
from unshuffle.hidden.playouts import SECONDS, Option, Plan, Stop, Tally, never, sample
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
    """Return a plan: by a search where all cards are known, else by playouts with sampled unseen cards.

    Each option gets `samples` playouts, or as many as there is time for, with a small minimum.
    """
    begun = monotonic()
    moves = view.legal_moves()
    options = tuple(options_of(view, moves))
    if view.outcome is not None or not options:
        return Plan((), (), None, monotonic() - begun)
    if len(view.unseen) > 1:
        # A fixed seed: the same table gets the same answer.
        luck = SplitMix64(0)
        tallies = sample(lambda count: weigh(view, options, count, luck), samples, begun + seconds, is_stopped)
        # A move that is proved safe comes first, whatever the playouts say.
        safe = (tally for tally in tallies if is_safe(view, tally.move))
        first = next(safe, None) or best(view, moves, tallies)
        ranked = [first, *sorted((tally for tally in tallies if tally is not first), key=_rank)]
        return Plan((first.move,), tuple(map(Option.sampled, ranked)), None, monotonic() - begun)
    state = view.laid(view.unseen)
    stop = Stop(is_stopped)
    found = solve(state, nodes=_NODES, seconds=seconds, memory=memory, cancel=stop)
    played = estimate(view, options, 1, SplitMix64(0))
    known = [_searched(state, found, tally, begun + 2 * seconds, memory, stop) for tally in played]
    line = found.moves if found.status in (Status.SOLVED, Status.UNSOLVABLE) else (best(view, moves, played).move,)
    known.sort(key=lambda option: (option.move not in line[:1], -(option.chance or 0), -(option.mean_score or 0)))
    return Plan(line, tuple(known), found.status, monotonic() - begun)


def _rank(tally: Tally) -> tuple[int, int]:
    return -tally.wins, -tally.score


def _searched(state: State, found: Result, tally: Tally, until: float, memory: int, stop: Stop) -> Option:
    """Return an option where all cards are known: it wins, it does not, or the search was cut short."""
    status = found.status
    if status is Status.SOLVED and found.moves[0] != tally.move:
        left = until - monotonic()
        status = Status.TIME_LIMIT
        if left > 0:
            asked = state.play(tally.move)
            status = solve(asked, nodes=_NODES, seconds=left, memory=memory, cancel=stop).status
    if status is Status.SOLVED:
        return Option.proved(tally.move, True, len(state.rules.pack))
    if status is Status.UNSOLVABLE:
        return Option.proved(tally.move, False, tally.score)
    return Option(tally.move, None, None, None, float(tally.score), 1)
