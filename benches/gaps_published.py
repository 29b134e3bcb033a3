"""What others have counted of Gaps, and what was measured before this program was written: facts, with sources."""

from __future__ import annotations

from dataclasses import dataclass

from rates import Count


@dataclass(frozen=True, slots=True)
class Published:
    """A rate for one variant, as far as its source tells it."""

    variant: str
    source: str
    count: Count


PUBLISHED = (
    # 85.815 +- 3.717 %, of which 6 % are undecided deals and the rest chance: the undecided lie in the middle.
    Published("one-deal", "Blake and Gent 2026", Count(8_282, 10_000, undecided=600)),
    Published("one-deal", "Helmstetter and Cazenave 2004", Count(89, 100)),
    Published("basic", "Blake and Gent 2026", Count(2_490_200, 10_000_000)),
    Published("basic", "Helmstetter and Cazenave 2004", Count(2_480, 10_000)),
    Published("basic", "research before this program", Count(99, 383)),
    Published("addiction-one-deal", "research before this program", Count(573, 928, undecided=1)),
)
"""Wins computed from the published percents. The 24.8 % of 2004 come with +-0.8, as if of about 10,000 deals."""


@dataclass(frozen=True, slots=True)
class Before:
    """A whole game as research had it: percent won, of so many games."""

    variant: str
    policy: str
    limit: str
    percent: float
    n: int


BEFORE = (
    Before("addiction", "max-locked", "0.3 M nodes a phase", 85.5, 200),
    Before("addiction", "max-locked", "2 M nodes a phase", 92.1, 127),
    Before("addiction", "max-locked", "0.3 s", 90.0, 797),
    Before("addiction", "value", "0.3 s", 91.6, 797),
    Before("addiction", "max-locked", "2 s", 94.7, 580),
    Before("addiction", "value", "2 s", 94.0, 580),
    Before("addiction-early", "max-locked", "0.3 s", 92.8, 721),
    Before("addiction-early", "value", "0.3 s", 95.7, 721),
    Before("addiction-early", "fresh", "0.3 s", 95.8, 721),
    Before("addiction-early", "fresh", "2 M nodes a phase", 95.2, 83),
)
