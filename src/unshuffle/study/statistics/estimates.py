"""Estimates: rates and means with confidence intervals, and how many deals to plan.

docs/statistics.md explains every number. scipy does the work wherever it can; it is imported inside the functions, so
that a run, which only counts, starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isfinite, log10, sqrt
from operator import index
from typing import TYPE_CHECKING, Literal, NamedTuple

from unshuffle.errors import UsageError, unknown

if TYPE_CHECKING:
    from unshuffle.store import ChunkSummary

LEVEL = 0.95
"""The default confidence level of an interval."""

Method = Literal["wilson", "clopper-pearson"]


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def wilson(won: int, n: int, level: float = LEVEL) -> Interval:
    """Return Wilson's score interval of a rate; (0, 1) without deals."""
    check_counts(won, n)
    check_level(level)
    if n == 0:
        return Interval(0.0, 1.0)
    import scipy.stats  # noqa: F401  # a missing scipy must raise here, even if the result is cached

    return _wilson(won, n, level)


# Cached: scipy takes half a millisecond, and a page with hundreds of runs needs each interval several times.
@lru_cache(maxsize=4096)
def _wilson(won: int, n: int, level: float) -> Interval:
    from scipy.stats import binomtest

    low, high = binomtest(won, n).proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(low), float(high))


def clopper_pearson(won: int, n: int, level: float = LEVEL) -> Interval:
    """Return Clopper and Pearson's exact interval of a rate: coverage of at least `level`, so wider than Wilson's."""
    check_counts(won, n)
    check_level(level)
    if n == 0:
        return Interval(0.0, 1.0)
    from scipy.stats import beta

    # By beta quantiles: binomtest's own "exact" interval has a tolerance of 2e-12, too coarse for 1 win in 70 million.
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
    """A rate as "1 in so many deals", with the reciprocal interval."""

    one_in: float | None
    """None if no deal was won: then only the bound `low` is known."""
    low: float
    """The reciprocal of the upper end of the rate's interval."""
    high: float | None
    """The reciprocal of its lower end; None if no deal was won."""

    def __str__(self) -> str:
        if self.one_in is None or self.high is None:
            return f"at best 1 in {_few_digits(self.low)}"
        return f"1 in {_few_digits(self.one_in)} [{_few_digits(self.low)}, {_few_digits(self.high)}]"


@dataclass(frozen=True, slots=True)
class Rate:
    """The win rate of a study, with undecided deals counted as lost and as won."""

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
        check_level(self.level)

    @classmethod
    def of(cls, counts: ChunkSummary) -> Rate:
        """Return the rate of counted deals, such as the summary of a run."""
        return cls(counts.won, counts.lost, counts.undecided)

    @property
    def n(self) -> int:
        """The number of deals, decided or not."""
        return self.won + self.lost + self.undecided

    @property
    def completed(self) -> int:
        """The number of decided deals."""
        return self.won + self.lost

    @property
    def rate(self) -> float | None:
        """The win rate with undecided deals as lost; None without deals."""
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
        """The win rate with undecided deals as won; None without deals."""
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

    def __str__(self) -> str:
        return f"{write_rate(self)}; undecided as won {write_if_won(self)}" if self.undecided else write_rate(self)


def write_rate(rate: Rate) -> str:
    """Return the text of a rate with its interval, with undecided deals as lost; 'no deals' without deals."""
    return "no deals" if rate.rate is None else write_percent(rate.rate, rate.interval)


def write_if_won(rate: Rate) -> str:
    """Return the text of a rate with its interval, with undecided deals as won; 'no deals' without deals."""
    return "no deals" if rate.rate_if_won is None else write_percent(rate.rate_if_won, rate.interval_if_won)


def write_percent(rate: float, interval: Interval) -> str:
    """Return a rate with its interval, to the digits that the interval supports: '4.51 % [4.47, 4.55]'."""
    digits = max(1, ceil(-log10(50 * (interval.high - interval.low))))
    return f"{100 * rate:.{digits}f} % [{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f}]"


def mean_interval(mean: float, sd: float | None, n: int, level: float = LEVEL) -> Interval | None:
    """Return the normal interval of a mean; None for fewer than two values, whose standard deviation is unknown."""
    check_level(level)
    if n < 2 or sd is None:
        return None
    from scipy.stats import norm

    half = float(norm.isf((1 - level) / 2)) * sd / sqrt(n)
    return Interval(mean - half, mean + half)


_MOST_DEALS = 1 << 64


def planned_n(half_width: float, guess: float = 0.5, level: float = LEVEL) -> int:
    """Return the least number of deals for which Wilson's interval at rate `guess` is at most 2 * `half_width` wide.

    It is fixed before the first deal: stopping when the interval looks good would change its coverage.
    """
    if not (isfinite(half_width) and half_width > 0):
        raise UsageError(f"precision={half_width} is not a half-width; expected a number above 0, such as 0.01 (1%)")
    if not 0 <= guess <= 1:
        raise UsageError(f"guess={guess} is not a rate; expected a number from 0 to 1")
    check_level(level)
    from scipy.stats import norm

    z = float(norm.isf((1 - level) / 2))

    def is_enough(n: int) -> bool:
        # Wilson's half-width decreases with n at any rate, so bisection finds the least n.
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
    """Count, mean, standard deviation and maximum of integers, from integer sums, which are exact for any count."""

    count: int = 0
    total: int = 0
    squares: int = 0
    """The sum of the squares."""
    largest: int | None = None

    @classmethod
    def of_counts(cls, counts: Mapping[int, int]) -> Moments:
        """Return the moments of values with these numbers of occurrences."""
        # `index` converts numpy's integers, whose squares would overflow, to Python's, and raises TypeError for floats.
        pairs = [(index(value), index(times)) for value, times in counts.items() if times]
        return cls(
            sum(times for _, times in pairs),
            sum(value * times for value, times in pairs),
            sum(value * value * times for value, times in pairs),
            max((value for value, _ in pairs), default=None),
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
    """Return a number of deals as text, with decimals only if it is small."""
    return f"{number:,.{0 if number >= 100 else 1 if number >= 10 else 2}f}"


def check_counts(won: int, n: int) -> None:
    """Raise UsageError unless 0 <= won <= n."""
    if not 0 <= won <= n:
        raise UsageError(f"{won} deals won of {n} is no count of wins")


def check_level(level: float) -> None:
    """Raise UsageError unless 0 < level < 1."""
    if not 0 < level < 1:
        raise UsageError(f"level={level} is not a confidence; expected a number between 0 and 1, such as 0.95")
