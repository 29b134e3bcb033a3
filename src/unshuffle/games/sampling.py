"""What `unshuffle advise` takes in games with hidden cards: how much an answer may cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unshuffle.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class SamplingOptions:
    """How many games are played on for each move, or how long."""

    samples: int | None = field(
        default=None,
        metadata={
            "metavar": "K",
            "help": "Games that are played on for each move.  [default: as many as there is time for]",
            "min": 1,
            "max": 1_000_000,
        },
    )
    seconds: float | None = field(
        default=None, metadata={"metavar": "S", "help": "Time for an answer.  [default: 5]", "min": 0.01}
    )

    @property
    def effort(self) -> dict[str, Any]:
        """As the adviser takes it."""
        if self.samples is not None and self.seconds is not None:
            raise UsageError("--samples and --seconds exclude each other")
        return {name: value for name in ("samples", "seconds") if (value := getattr(self, name)) is not None}

    @property
    def asks_open(self) -> bool:
        """Whether the open solver is asked beside the advice."""
        return False

    @property
    def import_file(self) -> None:
        """There are no saves of other programs."""
        return None
