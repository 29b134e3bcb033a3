"""What counts of games are worth: estimates with their intervals, and tests of differences."""

from __future__ import annotations

from unshuffle.study.statistics.estimates import (
    LEVEL,
    Interval,
    Moments,
    Odds,
    Rate,
    clopper_pearson,
    mean_interval,
    planned_n,
    wilson,
    write_percent,
)
from unshuffle.study.statistics.significance import (
    NESTED,
    Paired,
    TestBothWays,
    TestResult,
    compare_counts,
    compare_to_published,
    holm,
    mcnemar,
    needs_fisher,
    nested,
    p_value,
)

__all__ = [
    "LEVEL",
    "NESTED",
    "Interval",
    "Moments",
    "Odds",
    "Paired",
    "Rate",
    "TestBothWays",
    "TestResult",
    "clopper_pearson",
    "compare_counts",
    "compare_to_published",
    "holm",
    "mcnemar",
    "mean_interval",
    "needs_fisher",
    "nested",
    "p_value",
    "planned_n",
    "wilson",
    "write_percent",
]
