"""What `unshuffle advise spider` takes beyond the options of every game: how much an answer may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unshuffle.games.sampling import SamplingOptions


@dataclass(frozen=True, kw_only=True)
class AdviseOptions(SamplingOptions):
    """How many games are played on for each plan, or how long."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle advise spider --variant 2-suits",
        "unshuffle advise spider --seed 7 --samples 100",
        "unshuffle advise spider table.txt --variant 4-suits-strict --seconds 20 --json",
    )


OPTIONS = {"advise": AdviseOptions}
