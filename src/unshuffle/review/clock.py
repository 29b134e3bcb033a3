"""The time limit and the progress of a review."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic


class Clock:
    """A time limit that starts when the clock is made; None: no limit."""

    def __init__(self, seconds: float | None, share: float = 1.0) -> None:
        self.seconds = None if seconds is None else share * seconds
        self._until = None if self.seconds is None else monotonic() + self.seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left; None: no limit."""
        return None if self._until is None else self._until - monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        left = self.left
        return left is not None and left <= 0


@dataclass(frozen=True, slots=True)
class Looking:
    """The progress of a review."""

    what: str
    """'verdicts' or 'chances'."""
    done: int
    """The number of positions for which that is known."""
    of: int
    nodes: int
    """Nodes of all searches so far."""
