"""Charts of rates and scores as PNG or SVG files, each with the conditions of its numbers in the caption.

matplotlib is imported when something is drawn, and never `pyplot`, whose figures are shared with the caller's.
With the same version of matplotlib, the same numbers give the same file, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from io import BytesIO
from itertools import cycle
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from unshuffle.errors import UsageError, quote
from unshuffle.files import write_whole
from unshuffle.study.axes import Scale, write_mark
from unshuffle.study.charts import (  # fmt: skip
    Bar,
    Chart,
    Course,
    Mark,
    chart_rates,
    chart_scores,
    chart_spread,
    span_rates,
)
from unshuffle.study.statistics import Rate, write_if_won, write_rate
from unshuffle.study.stylesheet import DAY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMATS = ("png", "svg")
_MOST_BINS = 120
_MOST_MARKS, _MOST_HEIGHTS = 14, 8
# More rows make a picture taller than matplotlib can draw, and than anyone will read.
_MOST_RATES = 300
_MOST_SPREADS = 6

# Inches. The width of a character is that of the widest ordinary text at 9 points.
_WIDTH = 8.0
_MARGIN = 0.15
_CHARACTER = 0.078
_LINE = 0.17
_HEAD = 0.5
_FOOT = 0.62
_SPREAD = 2.6
_LONGEST_LABEL = 32
_LONGEST_CAPTION_LINE = 124

_GREY, _GRID = "#555555", "#dddddd"
_SHARE = "share of deals (%)"
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _GREY,
    "axes.axisbelow": True,
    # A dollar sign in a policy's name does not begin a formula.
    "text.parse_math": False,
    # Element ids in SVG are hashes; with a fixed salt equal pictures are equal files.
    "svg.hashsalt": "unshuffle",
}


@dataclass(frozen=True, slots=True)
class Source:
    """The conditions of the numbers, which every picture shows."""

    game: str
    variant: str
    information: str
    """`open` (all cards known) or `hidden` (what a person sees)."""
    generator: str
    limits: str
    """The limits of a search, such as '100,000 nodes, 1 GiB'; 'none' for a policy."""


@dataclass(frozen=True, slots=True)
class RateRow:
    """One line of a picture of rates."""

    label: str
    rate: Rate
    source: Source


def plot_rates(
    rows: Sequence[RateRow],
    path: str | Path,
    title: str = "Win rates",
    scores: Mapping[str, Mapping[int, int]] | None = None,
    score: str = "score",
) -> None:
    """Draw each rate with its interval; a lighter bar reaches to the rate with undecided deals as won.

    With `scores` (score counts by the labels of the rows), a plot below shows the distributions of the first rows.
    """
    check_format(path)
    if not rows:
        raise UsageError("no rates to plot")
    if len(rows) > _MOST_RATES:
        raise UsageError(f"{len(rows):,} rates are too many for one picture; it holds {_MOST_RATES}")
    labels = [_fold(parts, ", ", _LONGEST_LABEL) for parts in _labels(rows)]
    texts = [_texts(row.rate) for row in rows]
    lines = max(2, *map(len, labels), *map(len, texts))
    # The columns beside the plot are as wide as their longest lines.
    left, right = (_CHARACTER * max(len(line) for cell in cells for line in cell) for cells in (labels, texts))
    heights = [len(rows) * (lines * _LINE + 0.1), *([] if scores is None else [_SPREAD])]
    with _picture(path, title, _rates_caption(rows), heights, left + 0.25, right + 0.3) as (axes, *below):
        rates = [row.rate for row in rows]
        chart = chart_rates(rates, span_rates(rates))
        _paint(axes, chart)
        places = [chart.y.share(place) for place in range(len(rows))]
        axes.set_yticks(places, ["\n".join(label) for label in labels])
        axes.tick_params(axis="y", length=0, pad=9)
        axes.spines["left"].set_visible(False)
        for place, words in zip(places, texts, strict=True):
            for line, (word, colour) in enumerate(zip(words, ("black", _GREY, _GREY), strict=False)):
                axes.annotate(
                    word,
                    (1, place),
                    xytext=(12, -72 * _LINE * (line - (len(words) - 1) / 2)),
                    textcoords="offset points",
                    va="center",
                    color=colour,
                    annotation_clip=False,
                )
        if scores is not None:
            some = {_fold([row.label], "", _LONGEST_LABEL)[0]: scores[row.label] for row in rows[:_MOST_SPREADS]}
            _paint(below[0], chart_spread(some, score), _SHARE)
            below[0].legend(loc="upper left", frameon=False, fontsize=8)


def plot_distribution(
    counts: Mapping[int, int], path: str | Path, source: Source, title: str = "Scores", score: str = "score"
) -> None:
    """Draw a histogram of scores as shares of all deals; if there are very many, neighbouring scores share a bar."""
    check_format(path)
    if not any(counts.values()):
        raise UsageError("no scores to plot")
    caption = _caption([source], [f"n = {sum(counts.values()):,} deals"])
    with _picture(path, title, caption, [2.9], 0.75, 0.3) as (axes,):
        _paint(axes, chart_scores(counts, counts, title, _MOST_BINS, score), _SHARE)


@contextmanager
def _picture(
    path: str | Path, title: str, caption: str, heights: Sequence[float], left: float, right: float
) -> Iterator[list[Axes]]:
    """Yield stacked axes of these heights to draw in; then write the file, completely or not at all."""
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context(["default", _STYLE]):
        bottom = _LINE * len(caption.split("\n"))
        whole = _HEAD + sum(heights) + _FOOT * len(heights) + bottom
        figure = Figure(figsize=(_WIDTH, whole))
        figure.text(_MARGIN / _WIDTH, 1 - 0.25 / whole, title, fontsize=11, fontweight="bold", va="center")
        figure.text(_MARGIN / _WIDTH, 0.1 / whole, caption, fontsize=8, color=_GREY, va="bottom", linespacing=1.35)
        every: list[Axes] = []
        for height in reversed(heights):
            # The uppermost axes have margins for labels and texts; those below only need room for numbers.
            sides = (left, right) if len(every) == len(heights) - 1 else (0.75, 0.3)
            bottom += _FOOT
            box = (sides[0] / _WIDTH, bottom / whole, (_WIDTH - sum(sides)) / _WIDTH, height / whole)
            every.insert(0, figure.add_axes(box))
            bottom += height
        yield every
        # Without date and version, equal pictures are equal files.
        kind = check_format(path)
        metadata: dict[str, str | None] = {"Title": title, "Description": caption}
        metadata |= {"Date": None, "Creator": "unshuffle"} if kind == "svg" else {"Software": "unshuffle"}
        drawn = BytesIO()
        figure.savefig(drawn, format=kind, dpi=160, metadata=metadata)
        write_whole(Path(path), drawn.getvalue())


def _paint(axes: Axes, chart: Chart, upwards: str = "") -> None:
    """Draw a chart. The axes go from 0 to 1, as the chart's own scales map the values."""
    x, y = chart.x.share, chart.y.share
    strokes = cycle(("-", "--", "-.", ":"))
    for shape in chart.shapes:
        colour = DAY[shape.kind]
        match shape:
            case Bar(_, left, right, low, high):
                axes.bar(x(left), y(high) - y(low), x(right) - x(left), y(low), align="edge", color=colour)
            case Mark(kind, low, value, high, at):
                axes.plot([x(low), x(high)], [y(at)] * 2, color=colour, linewidth=2, solid_capstyle="butt")
                fill = "white" if kind == "undecided" else colour
                axes.plot(x(value), y(at), "o", ms=6, color=fill, mec=colour, mew=1.5, clip_on=False)
            case Course(_, xs, ys, label=label):
                # Different strokes, as lines may overlap.
                axes.plot([*map(x, xs)], [*map(y, ys)], next(strokes), linewidth=1.3, label=label)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=chart.across, ylabel=upwards)
    marks = chart.x.marks(_most_marks(axes, chart.x))
    axes.set_xticks([*map(x, marks)], [*map(write_mark, marks)])
    if upwards:
        heights = chart.y.marks(_MOST_HEIGHTS)
        axes.set_yticks([*map(y, heights)], [*map(write_mark, heights)])
    axes.grid(axis="y" if upwards else "x", color=_GRID, linewidth=0.7)


def _most_marks(axes: Axes, scale: Scale) -> int:
    """Return how many tick marks fit on the axis with some space between their labels."""
    longest = max(len(write_mark(mark)) for mark in scale.marks(_MOST_MARKS))
    return min(_MOST_MARKS, max(2, int(axes.get_position().width * _WIDTH / (_CHARACTER * longest + 0.25))))


def _texts(rate: Rate) -> list[str]:
    """Return the lines of text beside a rate."""
    if not rate.undecided:
        return [write_rate(rate), *([f"n = {rate.n:,}"] if rate.n else [])]
    return [write_rate(rate), f"n = {rate.n:,}, undecided {rate.undecided:,}", f"as won {write_if_won(rate)}"]


def _labels(rows: Sequence[RateRow]) -> list[list[str]]:
    """Return the label of each row in parts, with the conditions that differ among the rows unless it names them."""
    differing = _differing([row.source for row in rows])
    labels = []
    for row in rows:
        values = [_value(row.source, name) for name in differing]
        labels.append([row.label, *(value for value in values if value not in row.label)])
    return labels


def _rates_caption(rows: Sequence[RateRow]) -> str:
    ns = sorted({row.rate.n for row in rows})
    each = " each" if len(rows) > 1 else ""
    notes = [f"n = {ns[0]:,} deals{each}" if len(ns) == 1 else f"n = {ns[0]:,} to {ns[-1]:,} deals"]
    intervals = dict.fromkeys(f"{100 * row.rate.level:g} % {row.rate.method.title()}" for row in rows)
    notes.append(f"line: {' or '.join(intervals)} interval")
    if any(row.rate.undecided for row in rows):
        notes[-1] += ", undecided deals as lost"
        notes.append("pale: undecided deals as won")
    return _caption([row.source for row in rows], notes)


def _caption(sources: Sequence[Source], notes: Sequence[str]) -> str:
    """Return the caption: the shared conditions with their values, the others with a reference to the rows."""
    differing = _differing(sources)
    parts = [_value(sources[0], name) for name in _names() if name not in differing]
    if differing:
        parts.append(f"{', '.join(differing)}: see the rows")
    return "\n".join(_fold([*parts, *notes], "; ", _LONGEST_CAPTION_LINE))


def _fold(parts: Sequence[str], between: str, longest: int) -> list[str]:
    """Return the parts in lines, broken between two parts if possible."""
    # No-break spaces hold a part together if it fits on one line.
    held = between.join(part.replace(" ", "\xa0") if len(part) < longest else part for part in parts)
    lines = wrap(held, longest, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines] or [""]


def _differing(sources: Sequence[Source]) -> list[str]:
    return [name for name in _names() if len({getattr(source, name) for source in sources}) > 1]


def _names() -> list[str]:
    return [field.name for field in fields(Source)]


def _value(source: Source, name: str) -> str:
    value = str(getattr(source, name))
    return {
        "game": value,
        "variant": value,
        "information": f"{value} information",
        "generator": f"generator {value}",
        "limits": f"limits: {value}",
    }[name]


def check_format(path: str | Path) -> str:
    """Return the format that the file's name asks for. Raises UsageError for an unknown one."""
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in _FORMATS:
        raise UsageError(f"cannot draw into {quote(str(path))}; the name must end in .{' or .'.join(_FORMATS)}")
    return kind
