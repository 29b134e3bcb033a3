"""Significance tests for the difference of two counts of wins, and the correction for multiple tests.

docs/statistics.md explains every number. As in `estimates`, scipy is imported inside the functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

from unshuffle.errors import UsageError
from unshuffle.study.statistics.estimates import LEVEL, check_counts, check_level, clopper_pearson

_SMALLEST_EXPECTED = 5
"""If an expected count is below this, Fisher's exact test is made instead of chi-square (Cochran's rule)."""


NESTED = "nested-exact"
"""The name of the test of two rules of which one is stricter."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """The name of a test and its p-value."""

    # pytest would collect a class of this name wherever it is imported.
    __test__: ClassVar[bool] = False

    test: str
    p: float


def compare_counts(won_a: int, n_a: int, won_b: int, n_b: int) -> TestResult:
    """Test whether two independent counts have the same rate: chi-square, or Fisher if an expected count is below 5."""
    check_counts(won_a, n_a)
    check_counts(won_b, n_b)
    exact = needs_fisher(won_a, n_a, won_b, n_b)
    return TestResult("fisher" if exact else "chi-square", p_value(won_a, n_a, won_b, n_b, exact=exact))


def needs_fisher(won_a: int, n_a: int, won_b: int, n_b: int) -> bool:
    """Return whether an expected count of the table is below 5. Integers only, so that no rounding decides."""
    won, n = won_a + won_b, n_a + n_b
    return min(n_a, n_b) * min(won, n - won) < _SMALLEST_EXPECTED * n or n == 0


def p_value(won_a: int, n_a: int, won_b: int, n_b: int, *, exact: bool, is_less: bool = False) -> float:
    """Return the p of Fisher's exact test or of chi-square; two-sided, or with `is_less` for a lower rate of a."""
    from scipy.stats import chi2_contingency, fisher_exact

    table = [[won_a, n_a - won_a], [won_b, n_b - won_b]]
    if exact:
        return float(fisher_exact(table, alternative="less" if is_less else "two-sided").pvalue)
    # No Yates's correction, which makes p too large: the small counts it was made for go to Fisher's test.
    p = float(chi2_contingency(table, correction=False).pvalue)
    if is_less:
        # The signed root of chi-square is normal if the rates are equal: take one of its tails.
        return p / 2 if won_a * n_b < won_b * n_a else 1 - p / 2
    return p


@dataclass(frozen=True, slots=True)
class Paired:
    """The paired test of two methods on the same deals: its p, and the difference of the win rates, a - b."""

    test: str
    p: float
    difference: float | None
    """None without deals."""
    low: float
    high: float


def mcnemar(only_a: int, only_b: int, both: int, neither: int, level: float = LEVEL) -> Paired:
    """Return McNemar's exact test on the deals that only one of the two has won, with Tango's interval."""
    if min(only_a, only_b, both, neither) < 0:
        raise UsageError(f"a count of deals is negative: {only_a}, {only_b}, {both}, {neither}")
    check_level(level)
    from scipy.stats import binom, norm

    # Twice the smaller tail is the exact two-sided p at 1/2. `binomtest` treats outcomes within a factor of 1 + 1e-7 as
    # equally likely, which among 70 million deals changes the fourth digit.
    p = min(1.0, 2 * float(binom.cdf(min(only_a, only_b), only_a + only_b, 0.5)))
    n = only_a + only_b + both + neither
    if n == 0:
        return Paired("mcnemar-exact", p, None, -1.0, 1.0)
    z = float(norm.isf((1 - level) / 2))
    low, high = -_tango_upper(only_b, only_a, n, z), _tango_upper(only_a, only_b, n, z)
    return Paired("mcnemar-exact", p, (only_a - only_b) / n, low, high)


def nested(only_looser: int, n: int, level: float = LEVEL) -> Paired:
    """Return the test of two rules of which one is stricter, on the same n deals; the difference is looser - stricter.

    Every deal won under the stricter rules is won under the looser ones, so none is won under the stricter ones only.
    If the rates were equal, none would be won under the looser ones only either: one such deal proves that they differ
    (p = 0). The difference is the share of such deals, a single proportion, so its interval is Clopper and Pearson's:
    its coverage is at least `level`, and it does not reach below 0.
    """
    check_counts(only_looser, n)
    check_level(level)
    p = 0.0 if only_looser else 1.0
    if n == 0:
        return Paired(NESTED, p, None, 0.0, 1.0)
    low, high = clopper_pearson(only_looser, n, level)
    return Paired(NESTED, p, only_looser / n, low, high)


def _tango_upper(only_a: int, only_b: int, n: int, z: float) -> float:
    """Return the upper end of Tango's score interval for the difference of two paired proportions, a - b.

    T. Tango, Statistics in Medicine 17 (1998) 891-908: the largest difference whose score test, with the maximum
    likelihood estimates under this difference, is within z. At difference 0 this test is McNemar's.
    """
    from scipy.optimize import brentq

    estimate = (only_a - only_b) / n
    if only_a == n:
        return 1.0

    def beyond(difference: float) -> float:
        """Return a value that is negative if the score test accepts this difference, and positive if it does not."""
        # The maximum likelihood estimate q of the probability that only b wins solves 2 q² + linear q + constant = 0.
        linear = (2 - estimate) * difference - (only_a + only_b) / n
        constant = -only_b / n * difference * (1 - difference)
        root = sqrt(max(0.0, linear * linear - 8 * constant))
        # Use that form of the solution which does not subtract nearly equal numbers.
        likeliest = (root - linear) / 4 if linear < 0 else -2 * constant / (root + linear) if root + linear else 0.0
        variance = max(0.0, 2 * likeliest + difference * (1 - difference))
        return (estimate - difference) ** 2 - z * z / n * variance

    # Start beside the estimate: at the estimate itself, without discordant deals, the variance and `beyond` are 0.
    start = estimate + (1 - estimate) * 1e-6 * z * z / (n + z * z)
    return float(brentq(beyond, start, 1.0, xtol=1e-15))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the Holm-adjusted p-values of one family of tests, in the order of the input."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
