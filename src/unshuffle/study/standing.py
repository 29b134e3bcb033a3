"""The progress of a study, as reported while it runs and when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unshuffle.store import Run
from unshuffle.study.plan import Plan


@dataclass(frozen=True, slots=True)
class Standing:
    """The progress of a run."""

    run: Run
    wanted: int
    """Deals that this call must finish."""
    done: int
    """Finished ones among them, by this call, an earlier one, or another process."""
    played: int
    """Deals played by this call."""
    seconds: float
    """Time since the run began."""
    won: int
    lost: int
    undecided: int
    waiting: int = 0
    """Deals that other processes work on, if nothing else is left but to wait for them."""
    workers: int | None = None
    """Worker processes of a cluster; with 0 the run waits for some to join. None: no cluster."""


Progress = Callable[[Standing], object]


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C or `cancel` has ended a run. Everything that was played is stored, and the same call resumes it."""

    def __init__(self, plan: Plan, path: Path) -> None:
        super().__init__("interrupted")
        self.plan = plan
        self.path = path
