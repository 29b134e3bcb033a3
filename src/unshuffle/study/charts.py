"""The pictures of a report's HTML page: rates, nodes, scores, and how a rate came to be known.

They are drawn as SVG by hand, in the colours of the page, so that they are small, sharp and readable at night and on a
phone. Pictures in files of their own are `plots`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from unshuffle.store.course import Step
from unshuffle.study.axes import Scale, wrap_svg, write_text, x_axis, y_axis
from unshuffle.study.histogram import make_bins
from unshuffle.study.plots import span_rates
from unshuffle.study.statistics import Interval, Rate, wilson, write_percent

KINDS = ("won", "lost", "undecided")
MOST_BARS = 60
_TOP, _BOTTOM, _HEIGHT = 8.0, 160.0, 196.0
_MOST_POINTS = 80
# The interval over the first few deals is as wide as any picture: it begins with ten, or with a hundredth of them all.
_FEWEST_DEALS = 10
_BEGIN = 100


def draw_rates(rows: Sequence[tuple[str, Rate]]) -> str:
    """Every rate with its interval in a row; undecided deals as lost, and as won in the lighter colour."""
    scale = Scale(*span_rates([rate for _, rate in rows]))
    grid = [f'<line class="grid" x1="{scale.x(mark)}" x2="{scale.x(mark)}" y1="0" y2="30"/>' for mark in scale.marks(6)]
    items = []
    for name, rate in rows:
        value, *more = _write_rate(rate)
        small = "".join(f"<small>{write_text(text)}</small>" for text in more)
        strip = wrap_svg(30, [*grid, *_draw_rate(scale, rate)], f"{name}: {value}", "; ".join(more))
        said = f'<span class="value">{write_text(value)}{small}</span>'
        items.append(f'<li><span class="name">{write_text(name)}</span>{strip}{said}</li>')
    axis = wrap_svg(36, x_axis(scale, 0, 4, "deals won (%)", most=6), "Scale of the rates, in per cent of the deals")
    items.append(f'<li><span class="name"></span>{axis}<span class="value"></span></li>')
    return "\n".join(['<ul class="rates">', *items, "</ul>"])


def _write_rate(rate: Rate) -> list[str]:
    if rate.rate is None or rate.rate_if_won is None:
        return ["no deals"]
    texts = [write_percent(rate.rate, rate.interval)]
    if rate.undecided:
        texts.append(f"undecided as won {write_percent(rate.rate_if_won, rate.interval_if_won)}")
    return texts


def _draw_rate(scale: Scale, rate: Rate) -> list[str]:
    if rate.rate is None or rate.rate_if_won is None:
        return []
    drawn = []
    if rate.undecided:
        low, high, best = 100 * rate.rate, 100 * rate.high_if_won, 100 * rate.rate_if_won
        wide = scale.percent(best) - scale.percent(low)
        drawn += [
            f'<line class="open-line" x1="{scale.x(low)}" x2="{scale.x(high)}" y1="15" y2="15"/>',
            f'<rect class="undecided" x="{scale.x(low)}" width="{wide:.2f}%" y="11" height="8"/>',
            f'<circle class="ring" cx="{scale.x(best)}" cy="15" r="4.5"/>',
        ]
    ends = f'x1="{scale.x(100 * rate.low)}" x2="{scale.x(100 * rate.high)}"'
    drawn.append(f'<line class="line" {ends} y1="15" y2="15"/>')
    drawn.append(f'<circle class="won" cx="{scale.x(100 * rate.rate)}" cy="15" r="4.5"/>')
    return drawn


def draw_key(kinds: Mapping[str, str]) -> str:
    """Which colour is what: classes of the stylesheet to words."""
    items = [
        f'<li><svg aria-hidden="true"><rect class="{kind}" width="22" height="12"/></svg>{write_text(words)}</li>'
        for kind, words in kinds.items()
    ]
    return f'<ul class="key">{"".join(items)}</ul>'


def draw_panels(panels: Sequence[tuple[str, str, str]]) -> str:
    """Small pictures beside each other: a name, a line of words, and the picture of each."""
    parts = [
        f'<div class="panel"><h3>{write_text(name)}</h3><p>{write_text(words)}</p>\n{drawn}</div>'
        for name, words, drawn in panels
    ]
    return "\n".join(['<div class="panels">', *parts, "</div>"])


def draw_nodes(spread: Mapping[str, Mapping[int, int]], octaves: range, name: str) -> str:
    """How many searches took how many nodes: a bar for each power of two, won, lost and undecided on each other."""
    n = sum(sum(counts.values()) for counts in spread.values())
    scale = Scale(2.0**octaves.start, 2.0**octaves.stop, is_log=True)
    bars = [(2.0**k, 2.0 ** (k + 1), [spread[kind].get(k, 0) for kind in KINDS]) for k in octaves]
    words = f"Of {n:,} searched deals: " + ", ".join(
        f"{sum(counts):,} took {low:,.0f} to {high - 1:,.0f} nodes" for low, high, counts in bars if any(counts)
    )
    return _draw_bars(scale, bars, n, "nodes", f"Nodes of {name}", words)


def draw_scores(counts: Mapping[int, int], together: Mapping[int, int], name: str) -> str:
    """How often each score came, on the scale of all runs `together`."""
    bins = make_bins(together, MOST_BARS)
    size = bins[0].high - bins[0].low + 1
    sums = dict.fromkeys((each.low for each in bins), 0)
    for score, deals in counts.items():
        sums[score // size * size] += deals
    n = sum(counts.values())
    # A score has its place in the middle of its bar.
    bars = [(low - 0.5, low + size - 0.5, [deals]) for low, deals in sums.items()]
    scale = Scale(bars[0][0], bars[-1][1])
    title = "score" if size == 1 else f"score ({size:,} to a bar)"
    common = max(sums, key=lambda low: sums[low])
    often = f"{common}" if size == 1 else f"{common} to {common + size - 1}"
    words = f"{n:,} deals, scores {min(counts)} to {max(counts)}; {often} came most often, in {sums[common]:,} deals"
    return _draw_bars(scale, bars, n, title, f"Scores of {name}", words)


def _draw_bars(
    scale: Scale, bars: Sequence[tuple[float, float, Sequence[int]]], n: int, axis: str, title: str, words: str
) -> str:
    """Bars from a low to a high end, each of several counts on each other, as shares of n."""
    highest = max(100 * sum(counts) / n for _, _, counts in bars)
    y = Scale(0, 1.08 * highest)
    drawn = [*y_axis(y, _TOP, _BOTTOM, " %"), *x_axis(scale, _BOTTOM, _BOTTOM + 4, axis)]
    for low, high, counts in bars:
        left, wide = scale.percent(low), scale.percent(high) - scale.percent(low)
        below = 0.0
        for kind, count in zip(KINDS, counts, strict=False):
            if count:
                # Something that came is seen, however rare.
                tall = max(1.0, (_BOTTOM - _TOP) * y.share(100 * count / n))
                top = _BOTTOM - below - tall
                drawn.append(
                    f'<rect class="{kind}" x="{left + 0.06 * wide:.2f}%" width="{0.88 * wide:.2f}%"'
                    f' y="{top:.1f}" height="{tall:.1f}"/>'
                )
                below += tall
    drawn.append(f'<line class="axis" x1="0" x2="100%" y1="{_BOTTOM:g}" y2="{_BOTTOM:g}"/>')
    return wrap_svg(_HEIGHT, drawn, title, words)


class Point(NamedTuple):
    """What was known after so many deals."""

    n: int
    won: int
    undecided: int

    @property
    def interval(self) -> Interval:
        """With undecided deals as lost."""
        return wilson(self.won, self.n)

    @property
    def interval_if_won(self) -> Interval:
        """With undecided deals as won."""
        return wilson(self.won + self.undecided, self.n)


def follow(course: Sequence[Step]) -> list[Point]:
    """The counts after more and more deals, at most some eighty times: evenly by the logarithm of n, and at the end."""
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


def draw_convergence(points: Sequence[Point], name: str) -> str:
    """The rate over the first n deals with its interval, n by its logarithm."""
    low = min(100 * point.interval.low for point in points)
    high = max(100 * point.interval_if_won.high for point in points)
    y = Scale(max(0.0, low - 0.04 * (high - low)), min(100.0, high + 0.04 * (high - low)))
    first, last = points[0].n, points[-1].n
    x = Scale(first, max(last, first + 1), is_log=True)
    drawn = [*y_axis(y, _TOP, _BOTTOM, " %"), *x_axis(x, _BOTTOM, _BOTTOM + 4, "deals")]
    paths = []
    if any(point.undecided for point in points):
        ends = [point.interval_if_won for point in points]
        middles = [(point.won + point.undecided) / point.n for point in points]
        paths += _paths(x, y, points, ends, middles, "open-band", "open-line")
    ends = [point.interval for point in points]
    paths += _paths(x, y, points, ends, [point.won / point.n for point in points], "band", "line")
    # Its own box is stretched to the width; the strokes within it are not.
    drawn.append(
        f'<svg y="{_TOP:g}" width="100%" height="{_BOTTOM - _TOP:g}" viewBox="0 0 1000 1000"'
        f' preserveAspectRatio="none">{"".join(paths)}</svg>'
    )
    drawn.append(f'<line class="axis" x1="0" x2="100%" y1="{_BOTTOM:g}" y2="{_BOTTOM:g}"/>')
    begin, end = (write_percent(point.won / point.n, point.interval) for point in (points[0], points[-1]))
    words = f"Won after {first:,} deals: {begin}; after {last:,}: {end}"
    return wrap_svg(_HEIGHT, drawn, f"Rate of {name} over the first n deals", words)


def _paths(
    x: Scale,
    y: Scale,
    points: Sequence[Point],
    ends: Sequence[Interval],
    middles: Sequence[float],
    band: str,
    line: str,
) -> list[str]:
    across = [10 * x.percent(point.n) for point in points]

    def path(shares: Sequence[float], places: Sequence[float]) -> str:
        return " ".join(
            f"{place:.0f},{1000 - 1000 * y.share(100 * share):.0f}" for place, share in zip(places, shares, strict=True)
        )

    if len(points) == 1:  # a point has no length, and a line of none is not seen
        across = [across[0] - 5, across[0] + 5]
        ends, middles = [ends[0]] * 2, [middles[0]] * 2
    lows, highs = path([each.low for each in ends], across), path([each.high for each in ends][::-1], across[::-1])
    return [
        f'<polygon class="{band}" points="{lows} {highs}"/>',
        f'<polyline class="{line}" vector-effect="non-scaling-stroke" points="{path(middles, across)}"/>',
    ]
