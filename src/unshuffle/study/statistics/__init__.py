"""Statistics of counted games: estimates with confidence intervals, and tests of differences."""

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
    write_if_won,
    write_percent,
    write_rate,
)
from unshuffle.study.statistics.significance import (
    NESTED,
    Paired,
    TestResult,
    compare_counts,
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
    "TestResult",
    "clopper_pearson",
    "compare_counts",
    "holm",
    "mcnemar",
    "mean_interval",
    "needs_fisher",
    "nested",
    "p_value",
    "planned_n",
    "wilson",
    "write_if_won",
    "write_percent",
    "write_rate",
]
