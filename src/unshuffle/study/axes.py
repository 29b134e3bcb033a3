"""Scales and their tick marks."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `low` to `high`, logarithmic with `is_log`."""

    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """Return the position of a value: 0 at the low end, 1 at the high end; values beyond an end are clipped."""
        low, high = self.low, self.high
        if self.is_log:
            value, low, high = log10(max(value, low)), log10(low), log10(high)
        return min(1.0, max(0.0, (value - low) / (high - low)))

    def between(self, low: float, high: float, share: float) -> float:
        """Return the value at this share of the way from low to high."""
        return float(low * (high / low) ** share) if self.is_log else low + (high - low) * share

    def marks(self, most: int) -> list[float]:
        """Return round numbers on the scale: at least one, at most `most`."""
        if self.is_log:
            return _log_marks(self.low, self.high, most)
        return _even_marks(self.low, self.high, most)


def _even_marks(low: float, high: float, most: int) -> list[float]:
    power = floor(log10((high - low) / most))
    for step in (10**power * factor for factor in (1, 2, 5, 10, 20, 50, 100)):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if last - first < most:
            # Multiples of the step: sums of 0.1 would not be round.
            return [number * step for number in range(first, last + 1)]
    raise AssertionError("some step is long enough")


def _log_marks(low: float, high: float, most: int) -> list[float]:
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for factors, every in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 4), ((1,), 6)):
        marks = [factor * 10.0**power for power in powers[::every] for factor in factors]
        marks = [mark for mark in marks if low * 0.999 <= mark <= high * 1.001]
        if len(marks) <= most:
            return marks or [low]
    return [low]


def write_mark(value: float) -> str:
    """Return the label of a tick mark: short, but not rounded."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(size, 1e5) and value % size == 0:
            return f"{value / size:,.0f}{sign}"
    text = f"{value:,.10f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
