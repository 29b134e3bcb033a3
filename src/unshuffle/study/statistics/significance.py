"""Whether two counts of wins differ by more than chance: tests, and the correction for their number.

docs/statistics.md explains every number to its reader. As in `estimates`, scipy is imported inside the functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

from unshuffle.errors import UsageError
from unshuffle.study.statistics.estimates import LEVEL, check_counts, check_level, clopper_pearson

_SMALLEST_EXPECTED = 5
"""Below this expected count chi-square is not trusted, and Fisher's exact test is made (Cochran's rule)."""


NESTED = "nested-exact"
"""The name of the test of two rules of which one is stricter."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """The answer of a test: which one it was, and how likely a difference at least this large is by chance alone."""

    # pytest takes a class of this name for tests of its own wherever it is imported.
    __test__: ClassVar[bool] = False

    test: str
    p: float


def compare_counts(won_a: int, n_a: int, won_b: int, n_b: int) -> TestResult:
    """Whether two independent counts may have one rate: chi-square, or Fisher where an expected count is below 5."""
    check_counts(won_a, n_a)
    check_counts(won_b, n_b)
    exact = needs_fisher(won_a, n_a, won_b, n_b)
    return TestResult("fisher" if exact else "chi-square", p_value(won_a, n_a, won_b, n_b, exact=exact))


def needs_fisher(won_a: int, n_a: int, won_b: int, n_b: int) -> bool:
    """True if a cell of the table is expected to hold fewer than five; in whole numbers, no rounding decides."""
    won, n = won_a + won_b, n_a + n_b
    return min(n_a, n_b) * min(won, n - won) < _SMALLEST_EXPECTED * n or n == 0


def p_value(won_a: int, n_a: int, won_b: int, n_b: int, *, exact: bool, is_less: bool = False) -> float:
    """Of Fisher's exact test or of chi-square; two-sided, or with `is_less` whether the rate of a is the lower one."""
    from scipy.stats import chi2_contingency, fisher_exact

    table = [[won_a, n_a - won_a], [won_b, n_b - won_b]]
    if exact:
        return float(fisher_exact(table, alternative="less" if is_less else "two-sided").pvalue)
    # Without Yates's correction, which makes p too large; what it was made for, small counts, goes to Fisher.
    p = float(chi2_contingency(table, correction=False).pvalue)
    if is_less:
        # The root of chi-square is normal under one rate: one of its tails.
        return p / 2 if won_a * n_b < won_b * n_a else 1 - p / 2
    return p


@dataclass(frozen=True, slots=True)
class Paired:
    """Two ways of playing on the same deals: whether they differ (p), and by how much in the rate of wins, a - b."""

    test: str
    p: float
    difference: float | None
    """None without deals."""
    low: float
    high: float


def mcnemar(only_a: int, only_b: int, both: int, neither: int, level: float = LEVEL) -> Paired:
    """McNemar's exact test on the deals that only one of the two has won, and Tango's interval of the difference."""
    if min(only_a, only_b, both, neither) < 0:
        raise UsageError(f"a count of deals is negative: {only_a}, {only_b}, {both}, {neither}")
    check_level(level)
    from scipy.stats import binom, norm

    # Twice the smaller tail is the exact two-sided p at 1/2. Not `binomtest`, which counts outcomes within a factor of
    # 1 + 1e-7 as equally likely: among 70 million deals that shifts the fourth digit.
    p = min(1.0, 2 * float(binom.cdf(min(only_a, only_b), only_a + only_b, 0.5)))
    n = only_a + only_b + both + neither
    if n == 0:
        return Paired("mcnemar-exact", p, None, -1.0, 1.0)
    z = float(norm.isf((1 - level) / 2))
    low, high = -_tango_upper(only_b, only_a, n, z), _tango_upper(only_a, only_b, n, z)
    return Paired("mcnemar-exact", p, (only_a - only_b) / n, low, high)


def nested(only_looser: int, n: int, level: float = LEVEL) -> Paired:
    """Return the test of two rules of which one is stricter, on the same n deals; the difference is looser - stricter.

    What is won under the stricter rules is won under the looser ones, so no deal is won under the stricter ones alone.
    If the rates were equal, none would be won under the looser ones alone either: one such deal proves that they
    differ (p = 0). The difference is the share of such deals, a single proportion, so its interval is Clopper and
    Pearson's: it covers at least as often as it says, and does not reach below 0.
    """
    check_counts(only_looser, n)
    check_level(level)
    p = 0.0 if only_looser else 1.0
    if n == 0:
        return Paired(NESTED, p, None, 0.0, 1.0)
    low, high = clopper_pearson(only_looser, n, level)
    return Paired(NESTED, p, only_looser / n, low, high)


def _tango_upper(only_a: int, only_b: int, n: int, z: float) -> float:
    """The upper end of Tango's score interval for the difference of two paired proportions, a - b.

    T. Tango, Statistics in Medicine 17 (1998) 891-908: the largest difference whose score test, with the likeliest
    probabilities that have this difference, is not beyond z. At difference 0 that test is McNemar's.
    """
    from scipy.optimize import brentq

    estimate = (only_a - only_b) / n
    if only_a == n:
        return 1.0

    def beyond(difference: float) -> float:
        """Negative where the score test accepts this difference, positive where it does not."""
        # The likeliest probability that only b wins solves 2 q² + linear q + constant = 0.
        linear = (2 - estimate) * difference - (only_a + only_b) / n
        constant = -only_b / n * difference * (1 - difference)
        root = sqrt(max(0.0, linear * linear - 8 * constant))
        # Of the two forms of the solution the one that does not subtract nearly equal numbers.
        likeliest = (root - linear) / 4 if linear < 0 else -2 * constant / (root + linear) if root + linear else 0.0
        variance = max(0.0, 2 * likeliest + difference * (1 - difference))
        return (estimate - difference) ** 2 - z * z / n * variance

    # A step aside from the estimate itself: without discordant deals its variance is nought, and `beyond` too.
    start = estimate + (1 - estimate) * 1e-6 * z * z / (n + z * z)
    return float(brentq(beyond, start, 1.0, xtol=1e-15))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of one family of tests, corrected for their number after Holm, in the order in which they came."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
