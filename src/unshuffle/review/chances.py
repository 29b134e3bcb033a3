"""The chances to win along the line with hidden information: no hidden card and no coming redeal is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import Any

from unshuffle.advise import adviser_of
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame, Outcome
from unshuffle.hidden.chance import Chance
from unshuffle.hidden.stopping import StoppedError
from unshuffle.review.clock import Clock, Looking
from unshuffle.review.ledger import Ledger, Verdict
from unshuffle.views import OpenView, is_known

_LEAST, _MOST = 0.05, 1.0
"""Bounds on the seconds for one position: with less the estimate is noise, with more it hardly improves."""

CERTAIN, NONE = Chance(1.0, 0.0), Chance(0.0, 0.0)


class Curve:
    """The chances of the positions, computed coarse to fine: both ends first, then the middles of the gaps."""

    def __init__(self, game: AnyGame, ledgers: Sequence[Ledger], samples: int | None = None) -> None:
        self._samples = samples
        """Playouts for each option; None: as many as the time allows."""
        self._places = [(ledger, place) for ledger in ledgers for place in range(len(ledger))]
        self._views = [ledger.line.states[place].view() for ledger, place in self._places]
        self._known: dict[Any, Chance | None] = {}
        self.is_wanted = any(not isinstance(view, OpenView) for view in self._views)
        """Whether anything was hidden from the player in any position."""
        self._adviser = adviser_of(game) if self.is_wanted else None
        if samples is not None and (self._adviser is None or not self._adviser.takes_samples):
            raise UsageError(f"samples has no effect on {game.id} here: its chances are not estimated by playouts")

    def run(self, clock: Clock, progress: Callable[[Looking], object] | None, cancel: Event | None, nodes: int) -> None:
        """Ask the adviser about as many positions as the time allows."""
        adviser = self._adviser
        if adviser is None:
            return
        fair = _MOST if clock.seconds is None else clock.seconds / len(self._places)
        adviser.effort = (
            {"seconds": min(max(fair, _LEAST), _MOST)} if self._samples is None else {"samples": self._samples}
        )
        if cancel is not None:
            adviser.is_stopped = cancel.is_set
        for done, number in enumerate(coarse_to_fine(len(self._places))):
            if clock.is_over or (cancel is not None and cancel.is_set()):
                return
            if progress is not None:
                progress(Looking("chances", done, len(self._places), nodes))
            view = self._views[number]
            if self._certain(number) is None and view not in self._known:
                try:
                    self._known[view] = adviser.advise(view).chance
                except StoppedError:
                    return

    def chance(self, number: int) -> Chance | None:
        """Return the chance at a position of the whole line; None if it was not computed or has no estimate."""
        if not self.is_wanted:
            return None
        certain = self._certain(number)
        return self._known.get(self._views[number]) if certain is None else certain

    def _certain(self, number: int) -> Chance | None:
        """Return a certain chance: at the end of the game, or if the player sees all that the verdict needs."""
        ledger, place = self._places[number]
        outcome = ledger.line.states[place].outcome
        if outcome is not None:
            return CERTAIN if outcome is Outcome.WON else NONE
        view, verdict = self._views[number], ledger.verdicts[place]
        if isinstance(view, OpenView) or (hasattr(view, "unseen") and is_known(view)):
            return {Verdict.WINNABLE: CERTAIN, Verdict.LOST: NONE}.get(verdict)
        # Only redeals are hidden, and this win needs none.
        is_seen = hasattr(view, "table") and verdict is Verdict.WINNABLE and not ledger.needs_redeal[place]
        return CERTAIN if is_seen else None


def coarse_to_fine(count: int) -> Iterator[int]:
    """Yield 0 to count - 1: both ends, then middles of smaller and smaller gaps; any prefix is spread evenly."""
    yield from range(min(count, 1))
    yield from range(max(count - 1, 1), count)
    ranges = deque([(0, count - 1)])
    while ranges:
        low, high = ranges.popleft()
        if high - low > 1:
            middle = (low + high) // 2
            yield middle
            ranges += [(low, middle), (middle, high)]
