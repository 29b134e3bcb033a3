"""The charts of a study as shapes on two axes. `svg` draws them in an HTML page, `plots` into image files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from unshuffle.store.results import Step
from unshuffle.study.axes import Scale
from unshuffle.study.histogram import make_bins
from unshuffle.study.statistics import Interval, Rate, wilson, write_percent

KINDS = ("won", "lost", "undecided")
_GAP = 0.06
"""The gap on either side of a bar, as a share of its width."""
_FEWEST_BARS = 12
"""A chart leaves room for this many bars, so that a single bar does not fill it."""
_THINNEST = 1 / 150
"""The least height of a bar, as a share of the chart: rare values stay visible."""
_THICK = 0.11
"""Half the height of the bar in a row of one rate."""
_MOST_POINTS = 80
# The interval over the first few deals is too wide to draw: a course begins at ten deals, or at a hundredth of all.
_FEWEST_DEALS = 10
_BEGIN = 100


class Bar(NamedTuple):
    """A filled rectangle. As in every shape, the kind (won, lost or undecided) sets the colour."""

    kind: str
    left: float
    right: float
    low: float
    high: float


class Mark(NamedTuple):
    """A dot at a value on a horizontal line for its interval; hollow if it counts undecided deals as won."""

    kind: str
    low: float
    value: float
    high: float
    y: float


class Course(NamedTuple):
    """A line through points, with a band if there are intervals. Lines with labels are told apart by their strokes."""

    kind: str
    xs: Sequence[float]
    ys: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()
    label: str = ""


Shape = Bar | Mark | Course


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart whose y axis is in per cent. Title and words are read out by screen readers."""

    title: str
    words: str
    x: Scale
    across: str
    """The title of the x axis."""
    y: Scale
    shapes: Sequence[Shape]


# Rates.


def span_rates(rates: Sequence[Rate]) -> Scale:
    """Return a scale in per cent that covers all intervals with a margin, from 0 if that is near, up to 100 at most."""
    drawn = [rate for rate in rates if rate.n]
    if not drawn:
        return Scale(0, 100)
    low, high = 100 * min(rate.low for rate in drawn), 100 * max(rate.high_if_won for rate in drawn)
    air = 0.06 * (high - low)
    return Scale(0 if low < 0.35 * high else low - air, min(100, high + air))


def chart_rates(rates: Sequence[Rate], scale: Scale, title: str = "", words: str = "") -> Chart:
    """Return a chart with a row for each rate and its interval, with undecided deals as lost and (lighter) as won."""
    shapes: list[Shape] = []
    for row, rate in enumerate(rates):
        if rate.rate is None or rate.rate_if_won is None:
            continue
        middle, best = 100 * rate.rate, 100 * rate.rate_if_won
        if rate.undecided:
            shapes.append(Bar("undecided", middle, best, row - _THICK, row + _THICK))
            shapes.append(Mark("undecided", middle, best, 100 * rate.high_if_won, row))
        shapes.append(Mark("won", 100 * rate.low, middle, 100 * rate.high, row))
    return Chart(title, words, scale, "deals won (%)", Scale(len(rates) - 0.5, -0.5), shapes)


# Distributions.


def chart_nodes(spread: Mapping[str, Mapping[int, int]], octaves: range, name: str) -> Chart:
    """Return a histogram of nodes per search: a bar for each power of two, with won, lost and undecided stacked."""
    n = sum(sum(counts.values()) for counts in spread.values())
    scale = Scale(2.0**octaves.start, 2.0**octaves.stop, is_log=True)
    bars = [(2.0**k, 2.0 ** (k + 1), [spread[kind].get(k, 0) for kind in KINDS]) for k in octaves]
    words = f"Of {n:,} searched deals: " + ", ".join(
        f"{sum(counts):,} took {low:,.0f} to {high - 1:,.0f} nodes" for low, high, counts in bars if any(counts)
    )
    return _chart_bars(scale, "nodes", bars, n, f"Nodes of {name}", words)


def chart_scores(
    counts: Mapping[int, int], together: Mapping[int, int], name: str, most: int, score: str = "score"
) -> Chart:
    """Return a histogram of scores in at most `most` bars, on the scale of the scores of all runs, `together`."""
    bins = make_bins(together, most)
    size = bins[0].high - bins[0].low + 1
    sums = dict.fromkeys((each.low for each in bins), 0)
    for number, deals in counts.items():
        sums[number // size * size] += deals
    n = sum(counts.values())
    # A score is at the centre of its bar.
    bars = [(low - 0.5, low + size - 0.5, [deals]) for low, deals in sums.items()]
    beside = size * max(0.0, (_FEWEST_BARS - len(bins)) / 2)
    scale = Scale(bars[0][0] - beside, bars[-1][1] + beside)
    common = max(sums, key=lambda low: sums[low])
    often = f"{common}" if size == 1 else f"{common} to {common + size - 1}"
    words = f"{n:,} deals, scores {min(counts)} to {max(counts)}; {often} came most often, in {sums[common]:,} deals"
    across = score if size == 1 else f"{score} ({size:,} to a bar)"
    return _chart_bars(scale, across, bars, n, f"Scores of {name}", words)


def _chart_bars(
    x: Scale, across: str, bars: Sequence[tuple[float, float, Sequence[int]]], n: int, title: str, words: str
) -> Chart:
    """Return a chart of bars, each a low end, a high end and counts to stack as shares of n."""
    y = Scale(0, 1.08 * max(100 * sum(counts) / n for _, _, counts in bars))
    shapes = []
    for low, high, counts in bars:
        left, right = (x.between(low, high, share) for share in (_GAP, 1 - _GAP))
        below = 0.0
        for kind, count in zip(KINDS, counts, strict=False):
            if count:
                above = below + max(_THINNEST * y.high, 100 * count / n)
                shapes.append(Bar(kind, left, right, below, above))
                below = above
    return Chart(title, words, x, across, y, shapes)


def chart_spread(scores: Mapping[str, Mapping[int, int]], score: str) -> Chart:
    """Return a chart with a line for each distribution of scores."""
    courses = []
    for label, counts in scores.items():
        if n := sum(counts.values()):
            xs = range(min(counts), max(counts) + 1)
            courses.append(Course("won", xs, [100 * counts.get(each, 0) / n for each in xs], label=label))
    lowest, highest = min(each.xs[0] for each in courses), max(each.xs[-1] for each in courses)
    y = Scale(0, 1.08 * max(max(each.ys) for each in courses))
    return Chart("", "", Scale(lowest - 0.5, highest + 0.5), score, y, courses)


# Convergence of a rate.


class Point(NamedTuple):
    """The counts after the first n deals."""

    n: int
    won: int
    undecided: int

    @property
    def interval(self) -> Interval:
        """The interval with undecided deals as lost."""
        return wilson(self.won, self.n)

    @property
    def interval_if_won(self) -> Interval:
        """The interval with undecided deals as won."""
        return wilson(self.won + self.undecided, self.n)


def follow(course: Sequence[Step]) -> list[Point]:
    """Return the cumulative counts at about eighty points, evenly spaced in log n, and at the end."""
    whole = sum(step.deals for step in course)
    begin = max(min(_FEWEST_DEALS, whole), whole / _BEGIN)
    points: list[Point] = []
    n = won = undecided = 0
    wanted = begin
    for step in course:
        n, won, undecided = n + step.deals, won + step.won, undecided + step.undecided
        if n >= wanted or n == whole:
            points.append(Point(n, won, undecided))
            while wanted <= n:
                wanted *= (whole / begin) ** (1 / _MOST_POINTS) if whole > begin else 2
    return points


def chart_convergence(points: Sequence[Point], name: str) -> Chart:
    """Return a chart of the rate over the first n deals with its interval, over log n."""
    low = min(100 * point.interval.low for point in points)
    high = max(100 * point.interval_if_won.high for point in points)
    y = Scale(max(0.0, low - 0.04 * (high - low)), min(100.0, high + 0.04 * (high - low)))
    first, last = points[0], points[-1]
    x = Scale(first.n, max(last.n, first.n + 1), is_log=True)
    xs: list[float] = [point.n for point in points]
    if len(points) == 1:  # draw a short line: a line through one point is invisible
        xs, points = [x.low, x.between(x.low, x.high, 0.01)], [first, first]
    shapes = []
    for kind in ("undecided", "won") if any(point.undecided for point in points) else ("won",):
        extra = [point.undecided if kind == "undecided" else 0 for point in points]
        counts = [(point.won + more, point.n) for point, more in zip(points, extra, strict=True)]
        ends = [wilson(*each) for each in counts]
        lows, highs = [100 * each.low for each in ends], [100 * each.high for each in ends]
        shapes.append(Course(kind, xs, [100 * won / n for won, n in counts], lows, highs))
    begin, end = (write_percent(point.won / point.n, point.interval) for point in (first, last))
    words = f"Won after {first.n:,} deals: {begin}; after {last.n:,}: {end}"
    return Chart(f"Rate of {name} over the first n deals", words, x, "deals", y, shapes)
