"""What `unshuffle advise agnes` takes beyond the options of every game: how much an answer may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unshuffle.games.sampling import SamplingOptions


@dataclass(frozen=True, kw_only=True)
class AdviseOptions(SamplingOptions):
    """How many games are played on for each move, or how long."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle advise agnes --seed 7 --samples 200",
        "unshuffle advise agnes table.txt --variant up-suit-anyrun --seconds 20 --json",
    )


OPTIONS = {"advise": AdviseOptions}
