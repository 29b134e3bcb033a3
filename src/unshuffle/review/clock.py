"""How long a part of a review may last, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic


class Clock:
    """Runs from when it is made. Without seconds there is always time."""

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
    """How far a review has come."""

    what: str
    """'verdicts' or 'chances'."""
    done: int
    """Positions of which that is known."""
    of: int
    nodes: int
    """Nodes of all searches so far."""
