"""Bisection for the last winnable position, with few searches and growing time limits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from math import inf
from threading import Event

from unshuffle.review.clock import Clock, Looking
from unshuffle.review.ledger import By, Ledger
from unshuffle.solve import Interrupted, Limits, Progress, Result, Status, solve

_SHARES = (1 / 64, 1 / 16, 1 / 4, 1.0)
"""The share of the time for each search, by round.

Easy positions leave time for the others. Repeated searches cost at most a third of the time of the last one.
"""
_FINAL = (Status.NODE_LIMIT, Status.MEMORY_LIMIT)
"""Statuses after which more time would not help."""


class Searching:
    """Bisection in each part of the line. It continues on both sides of a position that stays undecided."""

    def __init__(
        self,
        ledgers: Sequence[Ledger],
        limits: Limits,
        progress: Callable[[Looking], object] | None,
        cancel: Event | None,
    ) -> None:
        self._ledgers = ledgers
        self._limits = limits
        self._progress = progress
        self._cancel = cancel
        self._tried: dict[tuple[int, int], float] = {}
        """The seconds of the last undecided search of a position; infinite if more time would not help."""
        self.nodes = 0
        self.searches = 0

    def run(self, clock: Clock) -> None:
        """Decide as many positions as the time allows."""
        for share in _SHARES if clock.seconds is not None else (1.0,):
            seconds = None if clock.seconds is None else share * clock.seconds
            for number, ledger in enumerate(self._ledgers):
                for place in self._open_places(ledger):
                    if clock.is_over or self._is_cancelled:
                        return
                    self._ask(number, place, seconds, clock)

    @property
    def _is_cancelled(self) -> bool:
        return self._cancel is not None and self._cancel.is_set()

    def _open_places(self, ledger: Ledger) -> Iterator[int]:
        """Yield the middle of the undecided range, repeatedly; around one that stays undecided, coarse to fine."""
        ranges = deque([(max(ledger.last_winnable, ledger.last_unseen), ledger.first_left)])
        while ranges:
            low, high = ranges.popleft()
            low, high = max(low, ledger.last_winnable), min(high, ledger.first_left)
            if high - low <= 1:
                continue
            middle = (low + high) // 2
            if ledger.is_askable(middle):
                yield middle
            if ledger.is_askable(middle):
                # The later half first, since late positions are decided faster.
                ranges += [(middle, high), (low, middle)]
            else:
                ranges.appendleft((low, high))

    def _ask(self, number: int, place: int, seconds: float | None, clock: Clock) -> None:
        """Search a position, unless a search with this time limit did not decide it."""
        left = clock.left
        given = None if seconds is None or left is None else max(0.0, min(seconds, left))
        ledger = self._ledgers[number]
        if self._tried.get((number, ledger.first_like(place)), -1.0) >= (inf if given is None else given):
            return
        self.searches += 1
        try:
            result = solve(
                ledger.line.states[place],
                seconds=given,
                nodes=self._limits.nodes,
                memory=self._limits.memory,
                progress=self._tell,
                cancel=self._cancel,
            )
        except Interrupted as interrupted:
            self._note(number, place, interrupted.result, given)
            raise
        self._note(number, place, result, given)

    def _note(self, number: int, place: int, result: Result, given: float | None) -> None:
        self.nodes += int(result.stats.nodes)
        ledger = self._ledgers[number]
        if result.status is Status.SOLVED:
            ledger.add_win(place, result.moves, By.SEARCH)
        elif result.status is Status.UNSOLVABLE:
            ledger.add_loss(place, By.SEARCH)
        elif result.status is Status.UNKNOWN_REDEALS:
            ledger.add_left(place)
        elif result.status is not Status.CANCELLED:
            tried = inf if result.status in _FINAL or given is None else given
            self._tried[number, ledger.first_like(place)] = tried
            ledger.add_limit(place)

    def _tell(self, now: Progress) -> None:
        if self._progress is not None:
            done = sum(not ledger.is_askable(place) for ledger in self._ledgers for place in range(len(ledger)))
            self._progress(Looking("verdicts", done, sum(map(len, self._ledgers)), self.nodes + now.nodes))
