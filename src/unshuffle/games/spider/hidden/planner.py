"""The planner of Spider: plans up to the next unknown card or row, each with its chance to win."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from math import inf
from time import monotonic
from typing import Any

from unshuffle import engine
from unshuffle.deals import SplitMix64
from unshuffle.games.spider import Move, Spider, State, View
from unshuffle.games.spider.hidden.sampling import decide
from unshuffle.games.spider.hidden.values import packed, values_of
from unshuffle.hidden.playouts import SECONDS, Option, Plan, Stop, never, wilson
from unshuffle.hidden.stopping import StoppedError, deaf
from unshuffle.rulebook import write_rules
from unshuffle.solve import Result, Status, has_twin, replay, solve
from unshuffle.solve.limits import DEFAULT_MEMORY
from unshuffle.views import is_known

MOST_SAMPLES = 2_000
"""Enough to estimate a chance to two points."""
_FEWEST = 4
"""The fewest samples; the Python side takes some seconds for them."""
_LUCK = 0
"""The seed, which is fixed, so that the same table and the same number of samples give the same answer."""


@dataclass(frozen=True, slots=True)
class Candidate(Option):
    """Moves up to the next turned card or row, and the chance to win with them."""

    moves: tuple[Move, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        """The values for JSON output."""
        return {
            "moves": [move.token for move in self.moves],
            "win_chance": self.chance,
            "low": self.low,
            "high": self.high,
            "samples": self.samples,
        }


def plan(
    view: View,
    *,
    samples: int | None = None,
    seconds: float = SECONDS,
    memory: int = DEFAULT_MEMORY,
    is_stopped: Callable[[], bool] = never,
) -> Plan:
    """Return plans evaluated by playouts on sampled deals; where all cards are known, the result of a search.

    Use `samples` deals, or as many as there is time for, but never fewer than a few.
    """
    begun = monotonic()
    if view.outcome is not None:
        return Plan((), (), None, monotonic() - begun)
    if is_known(view):
        found = solve(view.laid(view.unseen), seconds=seconds, memory=memory, shorten=True, cancel=Stop(is_stopped))
        return Plan(found.moves, (_searched(found),), found.status, monotonic() - begun)
    plans = _in_time(view, begun + seconds, is_stopped) if samples is None else weigh(view, samples)
    return Plan(plans[0].moves if plans else (), tuple(plans), None, monotonic() - begun)


def _searched(found: Result) -> Candidate:
    """Return the result of the search, the only option where all cards are known."""
    chance = {Status.SOLVED: 1.0, Status.UNSOLVABLE: 0.0}.get(found.status)
    return Candidate(found.moves[0] if found.moves else None, chance, chance, chance, None, 0, found.moves)


def _in_time(view: View, until: float, is_stopped: Callable[[], bool]) -> list[Candidate]:
    """Evaluate plans with as many samples as there is time for, estimated from runs with fewer of the same samples."""
    samples, plans = 0, list[Candidate]()
    more = _FEWEST
    # Fewer than twice as many samples are not worth a new run.
    while more > 2 * samples and not (plans and is_stopped()):
        begun = monotonic()
        samples = min(more, MOST_SAMPLES)
        try:
            # The first run is never stopped: without it there is no answer.
            with nullcontext() if plans else deaf():
                found = weigh(view, samples, until - begun, is_stopped) if plans else weigh(view, samples)
        except StoppedError:
            if not plans:
                raise
            break
        if not plans or found[0].samples > plans[0].samples:
            plans = found
        left, spent = until - monotonic(), max(1e-3, monotonic() - begun)
        more = min(MOST_SAMPLES, int(samples * left / spent)) if plans else 0
    return plans


def weigh(
    view: View, samples: int, seconds: float | None = None, is_stopped: Callable[[], bool] = never
) -> list[Candidate]:
    """Return plans evaluated on the same sampled deals, the best first; Python and engine give the same.

    The engine does not call `is_stopped`: when Ctrl-C interrupts it, its results are lost (StoppedError).
    """
    game = Spider(**asdict(view.rules))
    # Any order of the hidden cards will do: the engine removes them again.
    state = view.laid(view.unseen)
    native = engine.native()
    if native is not None and has_twin(game):
        with deaf():
            answer = native.weigh(
                game.engine_id,
                write_rules(view.rules),
                game.wire(state),
                samples=samples,
                luck=_LUCK,
                seconds=seconds,
                values=packed(view.rules),
            )
        found = [(found["moves"], found["chance"], found["samples"]) for found in answer["plans"]]
        return [_weighed(state, map(game.parse_move, moves), *worth) for moves, *worth in found]
    until = monotonic() + (inf if seconds is None else seconds)

    def is_late() -> bool:
        return monotonic() >= until or is_stopped()

    decision = decide(view, SplitMix64(_LUCK), samples, values_of(view.rules), is_late=is_late, lone=True)
    return [_weighed(state, plan.moves, plan.chance, plan.samples) for plan in decision.plans]


def _weighed(state: State, line: Iterable[Move], chance: float, samples: int) -> Candidate:
    moves = tuple(line)
    replay(state, moves)
    if not samples:
        return Candidate(moves[0], None, None, None, None, 0, moves)
    # Chances between 0 and 1 vary less than wins and losses do, so this interval is wide enough.
    low, high = wilson(chance * samples, samples)
    return Candidate(moves[0], chance, low, high, None, samples, moves)
