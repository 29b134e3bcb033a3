"""The loop of long work: claim a piece of the rest, do it, store it; the time it took determines the next size."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import TypeVar

PieceT = TypeVar("PieceT")


class Pace:
    """The number of deals in a piece of work, adapted to take about `seconds` seconds."""

    def __init__(self, seconds: float, *, first: int = 1, least: int = 1, most: int) -> None:
        self.size = first
        """The size of the next piece."""
        self._seconds = seconds
        self._least = least
        self._most = most

    def adapt(self, deals: int, seconds: float) -> None:
        """Adapt the size to the seconds of a piece. It grows slowly, because those deals may have been easy ones."""
        wanted = int(deals * self._seconds / max(seconds, 1e-6))
        # A piece smaller than requested (from a small gap) tells little: it does not shrink the next ones.
        grown = 4 * deals if deals >= self.size else self.size
        self.size = max(self._least, min(wanted, grown, self._most))


def pieces(
    claim: Callable[[int], PieceT | None],
    pace: Pace,
    count: Callable[[PieceT], int],
    *,
    begin: Callable[[PieceT], bool] | None = None,
    wants_more: Callable[[], bool] | None = None,
) -> Iterator[PieceT]:
    """Claim pieces until none is left, and yield each when it is to be done, or when its results are to be fetched.

    `claim` gets the wished number of deals and returns a piece of `count(piece)` deals. The time until the caller asks
    for the next piece is the duration of this one. For work in the background, `begin` starts a piece while
    `wants_more` is true; a piece for which `begin` returns False needs no waiting and is yielded at once.
    """
    begun: deque[PieceT] = deque()
    while True:
        while (not begun if wants_more is None else wants_more()) and (piece := claim(pace.size)) is not None:
            if begin is None or begin(piece):
                begun.append(piece)
            else:
                yield from _timed(piece, pace, count)
        if not begun:
            return
        yield from _timed(begun.popleft(), pace, count)


def _timed(piece: PieceT, pace: Pace, count: Callable[[PieceT], int]) -> Iterator[PieceT]:
    start = monotonic()
    yield piece
    pace.adapt(count(piece), monotonic() - start)


def parts(numbers: range, pace: Pace) -> Iterator[range]:
    """Cut consecutive numbers into pieces; nobody else works on them."""
    rest = numbers

    def claim(size: int) -> range | None:
        nonlocal rest
        part, rest = rest[:size], rest[size:]
        return part or None

    return pieces(claim, pace, len)
