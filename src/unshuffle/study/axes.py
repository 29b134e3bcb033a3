"""Scales and the marks along them, for pictures that are drawn as SVG within an HTML page.

Places along x are shares of the width, in per cent, so that a picture is as wide as its reader's page and its letters
keep their size; places along y are pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

_SIDE = 1.5
"""Per cent of the width that stay free on both sides, for dots at the very ends."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from low to high on a line; with `is_log` by their logarithms."""

    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """From 0 at the low end to 1 at the high end; what lies beyond stays at the end."""
        low, high = self.low, self.high
        if self.is_log:
            value, low, high = log10(max(value, low)), log10(low), log10(high)
        return min(1.0, max(0.0, (value - low) / (high - low)))

    def x(self, value: float) -> str:
        """The place along the width."""
        return f"{self.percent(value):.2f}%"

    def percent(self, value: float) -> float:
        """The same as a number."""
        return _SIDE + (100 - 2 * _SIDE) * self.share(value)

    def marks(self, most: int) -> list[float]:
        """Round numbers on the scale: at most so many, and one at least."""
        if self.is_log:
            return _log_marks(self.low, self.high, most)
        return _even_marks(self.low, self.high, most)


def _even_marks(low: float, high: float, most: int) -> list[float]:
    power = floor(log10((high - low) / most))
    for step in (10**power * factor for factor in (1, 2, 5, 10, 20, 50, 100)):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if last - first < most:
            # By whole numbers: sums of 0.1 would not be round.
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
    """A number beside an axis: short, and never rounded to another."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(size, 1e5) and value % size == 0:
            return f"{value / size:,.0f}{sign}"
    text = f"{value:,.10f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def x_axis(scale: Scale, top: float, bottom: float, title: str, *, most: int = 5) -> list[str]:
    """Marks and their lines from top to bottom, the numbers below them, and what they count."""
    drawn = []
    for mark in scale.marks(most):
        x, share = scale.x(mark), scale.share(mark)
        anchor = "start" if share < 0.04 else "end" if share > 0.96 else "middle"
        drawn.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top:g}" y2="{bottom:g}"/>')
        drawn.append(f'<text x="{x}" y="{bottom + 15:g}" text-anchor="{anchor}">{write_mark(mark)}</text>')
    if title:
        drawn.append(f'<text x="50%" y="{bottom + 31:g}" text-anchor="middle">{write_text(title)}</text>')
    return drawn


def y_axis(scale: Scale, top: float, bottom: float, unit: str = "") -> list[str]:
    """Marks, their lines across the picture, and their numbers on its left, where the stylesheet leaves room."""
    drawn = []
    for mark in scale.marks(5):
        y = bottom - (bottom - top) * scale.share(mark)
        drawn.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        number = f"{write_mark(mark)}{unit}"
        drawn.append(f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{number}</text>')
    return drawn


def write_text(text: str) -> str:
    """Text, for an element or for an attribute in quotation marks; what is not to be seen is not hidden in it."""
    return escape("".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text))


def wrap_svg(height: float, parts: Sequence[str], title: str, words: str = "") -> str:
    """The picture; its title and words are what a person hears who does not see it."""
    described = f"<desc>{write_text(words)}</desc>" if words else ""
    inside = "".join(parts)
    return f'<svg role="img" height="{height:g}"><title>{write_text(title)}</title>{described}{inside}</svg>'
