"""What a count of wins says about the game: intervals, tests, and how many deals to plan.

docs/statistics.md explains every number to its reader. The work is scipy's wherever scipy has it; scipy is imported
inside the functions, so that a run, which only counts, starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isfinite, log10, sqrt
from operator import index, mul
from typing import ClassVar, Literal, NamedTuple

from unshuffle.errors import UsageError, unknown

LEVEL = 0.95
"""The confidence of an interval where nothing else is asked for."""

_SMALLEST_EXPECTED = 5
"""Below this expected count chi-square is not trusted, and Fisher's exact test is made (Cochran's rule)."""

Method = Literal["wilson", "clopper-pearson"]


class Interval(NamedTuple):
    """From where to where the true value may lie."""

    low: float
    high: float


def wilson(won: int, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a rate; without deals nothing is known: (0, 1)."""
    _check_counts(won, n)
    _check_level(level)
    if n == 0:
        return Interval(0.0, 1.0)
    import scipy.stats  # noqa: F401  # so that it is missed here, whatever was asked before

    return _wilson(won, n, level)


# scipy takes half a millisecond, and a page with hundreds of runs asks for each interval several times.
@lru_cache(maxsize=4096)
def _wilson(won: int, n: int, level: float) -> Interval:
    from scipy.stats import binomtest

    low, high = binomtest(won, n).proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(low), float(high))


def clopper_pearson(won: int, n: int, level: float = LEVEL) -> Interval:
    """Clopper and Pearson's exact interval of a rate: never less sure than it says, therefore wider than Wilson's."""
    _check_counts(won, n)
    _check_level(level)
    if n == 0:
        return Interval(0.0, 1.0)
    from scipy.stats import beta

    # By the beta quantiles: binomtest's own "exact" interval stops within 2e-12, too coarse for one win in 70 million.
    tail = (1 - level) / 2
    low = float(beta.ppf(tail, won, n - won + 1)) if won else 0.0
    high = float(beta.isf(tail, won + 1, n - won)) if won < n else 1.0
    return Interval(low, high)


_METHODS: Mapping[Method, Callable[[int, int, float], Interval]] = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
}


@dataclass(frozen=True, slots=True)
class Odds:
    """One win in how many deals, with the interval of the rate turned over."""

    one_in: float | None
    """None if no deal was won: then only a bound is known, not "infinite"."""
    low: float
    """At the best end of the interval one deal in this many is won."""
    high: float | None
    """At the worst end; None if no deal was won."""

    def __str__(self) -> str:
        if self.one_in is None or self.high is None:
            return f"at best 1 in {_few_digits(self.low)}"
        return f"1 in {_few_digits(self.one_in)} [{_few_digits(self.low)}, {_few_digits(self.high)}]"


@dataclass(frozen=True, slots=True)
class Rate:
    """How many deals of a study were won, and what that says: undecided deals are counted as lost, and as won."""

    won: int
    lost: int
    undecided: int = 0
    method: Method = "wilson"
    level: float = LEVEL

    def __post_init__(self) -> None:
        for name in ("won", "lost", "undecided"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name}={getattr(self, name)} is negative")
        if self.method not in _METHODS:
            raise unknown("interval", self.method, _METHODS)
        _check_level(self.level)

    @property
    def n(self) -> int:
        """All deals, decided or not."""
        return self.won + self.lost + self.undecided

    @property
    def completed(self) -> int:
        """The deals that were decided."""
        return self.won + self.lost

    @property
    def rate(self) -> float | None:
        """The share that was won if no undecided deal can be; None without deals."""
        return self.won / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        """The interval of `rate`."""
        return _METHODS[self.method](self.won, self.n, self.level)

    @property
    def low(self) -> float:
        """The lower end of `interval`."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of `interval`."""
        return self.interval.high

    @property
    def odds(self) -> Odds | None:
        """`rate` as "1 in so many"; None without deals."""
        return _odds(self.won, self.n, self.interval)

    @property
    def rate_if_won(self) -> float | None:
        """The share that was won if every undecided deal can be; None without deals."""
        return (self.won + self.undecided) / self.n if self.n else None

    @property
    def interval_if_won(self) -> Interval:
        """The interval of `rate_if_won`."""
        return _METHODS[self.method](self.won + self.undecided, self.n, self.level)

    @property
    def low_if_won(self) -> float:
        """The lower end of `interval_if_won`."""
        return self.interval_if_won.low

    @property
    def high_if_won(self) -> float:
        """The upper end of `interval_if_won`."""
        return self.interval_if_won.high

    @property
    def odds_if_won(self) -> Odds | None:
        """`rate_if_won` as "1 in so many"; None without deals."""
        return _odds(self.won + self.undecided, self.n, self.interval_if_won)

    def __str__(self) -> str:
        if self.rate is None or self.rate_if_won is None:
            return "no deals"
        text = write_percent(self.rate, self.interval)
        if self.undecided:
            text += f"; undecided as won {write_percent(self.rate_if_won, self.interval_if_won)}"
        return text


def write_percent(rate: float, interval: Interval) -> str:
    """A rate with its interval, to the digits that the interval supports: '4.51 % [4.47, 4.55]'."""
    digits = max(1, ceil(-log10(50 * (interval.high - interval.low))))
    return f"{100 * rate:.{digits}f} % [{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f}]"


def mean_interval(mean: float, sd: float | None, n: int, level: float = LEVEL) -> Interval | None:
    """The normal interval of a mean; None where fewer than two values leave the spread unknown."""
    _check_level(level)
    if n < 2 or sd is None:
        return None
    from scipy.stats import norm

    half = float(norm.isf((1 - level) / 2)) * sd / sqrt(n)
    return Interval(mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class TestResult:
    """The answer of a test: which one it was, and how likely a difference at least this large is by chance alone."""

    # pytest takes a class of this name for tests of its own wherever it is imported.
    __test__: ClassVar[bool] = False

    test: str
    p: float


@dataclass(frozen=True, slots=True)
class TestBothWays:
    """The answer of a test whose undecided deals were counted as lost (p) and as won (p_if_won)."""

    __test__: ClassVar[bool] = False

    test: str
    p: float
    p_if_won: float


def compare_counts(won_a: int, n_a: int, won_b: int, n_b: int) -> TestResult:
    """Whether two independent counts may have one rate: chi-square, or Fisher where an expected count is below 5."""
    _check_counts(won_a, n_a)
    _check_counts(won_b, n_b)
    exact = needs_fisher(won_a, n_a, won_b, n_b)
    return TestResult("fisher" if exact else "chi-square", p_value(won_a, n_a, won_b, n_b, exact=exact))


def compare_to_published(rate: Rate, won: int, n: int) -> TestBothWays:
    """Our rate against a published count, by one test for both readings of our undecided deals.

    Fisher if either reading needs it.
    """
    _check_counts(won, n)
    readings = (rate.won, rate.won + rate.undecided)
    exact = any(needs_fisher(ours, rate.n, won, n) for ours in readings)
    p, p_if_won = (p_value(ours, rate.n, won, n, exact=exact) for ours in readings)
    return TestBothWays("fisher" if exact else "chi-square", p, p_if_won)


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
    _check_level(level)
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


_MOST_DEALS = 1 << 64


def planned_n(half_width: float, guess: float = 0.5, level: float = LEVEL) -> int:
    """The smallest number of deals for which Wilson's interval at the guessed rate is at most twice `half_width` wide.

    It is fixed before the first deal; a run that stops when its interval pleases has another coverage than it prints.
    """
    if not (isfinite(half_width) and half_width > 0):
        raise UsageError(f"precision={half_width} is not a half-width; expected a number above 0, such as 0.01")
    if not 0 <= guess <= 1:
        raise UsageError(f"guess={guess} is not a rate; expected a number from 0 to 1")
    _check_level(level)
    from scipy.stats import norm

    z = float(norm.isf((1 - level) / 2))

    def is_enough(n: int) -> bool:
        # Wilson's half-width falls with every further deal at any rate, so halving finds the first n.
        return z * sqrt(n * guess * (1 - guess) + z * z / 4) / (n + z * z) <= half_width

    enough = 1
    while not is_enough(enough):
        enough *= 2
        if enough > _MOST_DEALS:
            raise UsageError(f"precision={half_width} would take more deals than there are numbers for; expected more")
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if is_enough(middle):
            enough = middle
        else:
            too_few = middle
    return enough


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, mean, spread and maximum of whole numbers, kept as whole numbers.

    So parts can be added in any order, on any number of machines, and always give the same table, to the last digit.
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    """The sum of the squares."""
    largest: int | None = None

    @classmethod
    def of(cls, values: Iterable[int]) -> Moments:
        """The moments of these values."""
        # `index` makes Python's own ints of numpy's, whose squares would overflow, and refuses floats.
        numbers = list(map(index, values))
        return cls(len(numbers), sum(numbers), sum(map(mul, numbers, numbers)), max(numbers, default=None))

    @classmethod
    def of_counts(cls, counts: Mapping[int, int]) -> Moments:
        """The moments of values of which each came so many times."""
        pairs = [(index(value), index(times)) for value, times in counts.items() if times]
        return cls(
            sum(times for _, times in pairs),
            sum(value * times for value, times in pairs),
            sum(value * value * times for value, times in pairs),
            max((value for value, _ in pairs), default=None),
        )

    def __add__(self, other: Moments) -> Moments:
        largest = [part.largest for part in (self, other) if part.largest is not None]
        return Moments(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            max(largest, default=None),
        )

    @property
    def mean(self) -> float | None:
        """The mean; None without values."""
        return self.total / self.count if self.count else None

    @property
    def sd(self) -> float | None:
        """The standard deviation of the sample (n - 1); None for fewer than two values."""
        if self.count < 2:
            return None
        return sqrt((self.count * self.squares - self.total**2) / (self.count * (self.count - 1)))


def _odds(won: int, n: int, interval: Interval) -> Odds | None:
    if n == 0:
        return None
    return Odds(n / won, 1 / interval.high, 1 / interval.low) if won else Odds(None, 1 / interval.high, None)


def _few_digits(number: float) -> str:
    """A number of deals: with decimals only while it is small."""
    return f"{number:,.{0 if number >= 100 else 1 if number >= 10 else 2}f}"


def _check_counts(won: int, n: int) -> None:
    if not 0 <= won <= n:
        raise UsageError(f"{won} deals won of {n} is no count of wins")


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise UsageError(f"level={level} is not a confidence; expected a number between 0 and 1, such as 0.95")
