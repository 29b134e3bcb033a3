"""Histograms of scores in plain text."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from unshuffle.errors import UsageError

_SHORTEST_BAR = 4


class Bin(NamedTuple):
    """The number of deals with scores from low to high, both included."""

    low: int
    high: int
    deals: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


def make_bins(counts: Mapping[int, int], most: int) -> list[Bin]:
    """Return at most `most` bins of one width (1, 2, 5, 10, 20, ...) that cover all scores that occur."""
    if most < 2:
        raise UsageError(f"{most} bins are too few; expected 2 or more")
    came = {score: times for score, times in counts.items() if times}
    if any(times < 0 for times in came.values()):
        raise UsageError("a score has a negative number of deals")
    if not came:
        return []
    for power in count():
        for width in (10**power, 2 * 10**power, 5 * 10**power):
            first, last = min(came) // width, max(came) // width
            if last - first < most:
                sums = [0] * (last - first + 1)
                for score, times in came.items():
                    sums[score // width - first] += times
                return [
                    Bin((first + place) * width, (first + place + 1) * width - 1, times)
                    for place, times in enumerate(sums)
                ]
    raise AssertionError("some width is wide enough")


def histogram(counts: Mapping[int, int], width: int = 80, rows: int = 60) -> list[str]:
    """Return lines of at most `width` characters: a header and at most `rows` rows of score, deals, share and bar.

    If the width does not suffice, the bars are dropped first, then the shares.
    """
    bins = make_bins(counts, rows)
    if not bins:
        return ["no scores"]
    n = sum(bar.deals for bar in bins)
    largest = max(bar.deals for bar in bins)
    names = _column("score", [str(bar) for bar in bins])
    deals = _column("deals", [f"{bar.deals:,}" for bar in bins])
    shares = _column("share", [_share(bar.deals, n) for bar in bins])

    columns = [names, deals]
    room = width - _wide(columns)
    if room < 0:
        raise UsageError(f"width={width} is too narrow for a histogram; it needs {_wide(columns)}")
    if _wide([*columns, shares]) <= width:
        columns.append(shares)
        room = width - _wide(columns) - len("  ")
        if room >= _SHORTEST_BAR:
            columns.append(["", *(_bar(bar.deals, largest, room) for bar in bins)])
    return ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]


def _column(head: str, cells: list[str]) -> list[str]:
    wide = max(map(len, [head, *cells]))
    return [cell.rjust(wide) for cell in (head, *cells)]


def _wide(columns: list[list[str]]) -> int:
    return sum(len(column[0]) for column in columns) + len("  ") * (len(columns) - 1)


def _share(part: int, n: int) -> str:
    # Something is never shown as 0 %, and less than everything never as 100 %.
    if part > 0 and 2000 * part < n:
        return "<0.1 %"
    if part < n and 2000 * (n - part) < n:
        return ">99.9 %"
    return f"{100 * part / n:.1f} %"


def _bar(part: int, largest: int, room: int) -> str:
    """Return a proportional bar, or a dot for what is too rare for a stroke. Integers only: no rounding error."""
    strokes = (2 * part * room + largest) // (2 * largest)
    return "#" * strokes if strokes else "." * (part > 0)
