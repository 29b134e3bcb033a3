"""How far a study has come, as it is told while it runs and when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unshuffle.store import Run
from unshuffle.study.plan import Plan


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run has come."""

    run: Run
    wanted: int
    """Deals that this call is to see done."""
    done: int
    """Of those, finished: now or before, here or by another process."""
    played: int
    """Deals played by this call."""
    seconds: float
    """Since it began."""
    won: int
    lost: int
    undecided: int
    waiting: int = 0
    """Deals that another process is at work on; there is nothing left to do but to wait for them."""
    workers: int | None = None
    """Processes of a cluster that are at work; with 0 the run waits for some. None: it has no cluster."""


Progress = Callable[[Standing], object]


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C, or `cancel`: everything that was played is stored, and the same call goes on from there."""

    def __init__(self, plan: Plan, path: Path) -> None:
        super().__init__("interrupted")
        self.plan = plan
        self.path = path
