"""Rates and scores as pictures, PNG or SVG, each with what its numbers rest on written below it.

matplotlib is imported when something is drawn, and never `pyplot`, whose figures would be shared with the caller's.
The same numbers give the same file, byte for byte, with one version of matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from unshuffle.errors import UsageError, quote
from unshuffle.files import write_whole
from unshuffle.study.histogram import Bin, make_bins
from unshuffle.study.statistics import Rate, write_percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FORMATS = ("png", "svg")
_MOST_BINS = 120
_FEWEST_BINS = 12
# Above this a picture is taller than what draws it can hold, and than anyone will read.
_MOST_RATES = 300
_MOST_SPREADS = 6

# Inches. A character is as wide as the widest run of ordinary text makes it at 9 points.
_WIDTH = 8.0
_MARGIN = 0.15
_CHARACTER = 0.078
_LINE = 0.17
_HEAD = 0.5
_FOOT = 0.62
_SPREAD = 2.6
_LONGEST_LABEL = 32
_LONGEST_CAPTION_LINE = 124

_DARK, _LIGHT, _GREY, _GRID = "#1f4e79", "#9dbfe0", "#555555", "#dddddd"
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _GREY,
    "axes.axisbelow": True,
    # A policy's name may hold a dollar sign; it is no formula.
    "text.parse_math": False,
    # Element ids in SVG are hashes; with a fixed salt equal pictures are equal files.
    "svg.hashsalt": "unshuffle",
}


@dataclass(frozen=True, slots=True)
class Source:
    """What numbers rest on: part of every picture."""

    game: str
    variant: str
    information: str
    """`open` (all cards known) or `hidden` (what a person sees)."""
    generator: str
    limits: str
    """Of a search, as '100,000 nodes, 1 GiB'; 'none' for a policy."""


@dataclass(frozen=True, slots=True)
class RateRow:
    """One line of a picture of rates."""

    label: str
    rate: Rate
    source: Source


def plot_rates(rows: Sequence[RateRow], path: str | Path, title: str = "Win rates") -> None:
    """Each rate with its interval; where deals are undecided, a lighter part reaches to the rate with them as won."""
    kind = _format(path)
    if not rows:
        raise UsageError("no rates to plot")
    if len(rows) > _MOST_RATES:
        raise UsageError(f"{len(rows):,} rates are too many for one picture; it holds {_MOST_RATES}")
    from matplotlib import style

    caption = _rates_caption(rows)
    with style.context(["default", _STYLE]):
        _write(_draw_rates(rows, title, caption), Path(path), kind, title, caption)


def plot_distribution(
    counts: Mapping[int, int], path: str | Path, source: Source, title: str = "Scores", score: str = "score"
) -> None:
    """How often each score came, as shares of all deals; neighbouring scores share a bar where there are very many."""
    kind = _format(path)
    bins = make_bins(counts, _MOST_BINS)
    if not bins:
        raise UsageError("no scores to plot")
    from matplotlib import style

    caption = _caption([source], [f"n = {sum(bar.deals for bar in bins):,} deals"])
    with style.context(["default", _STYLE]):
        _write(_draw_distribution(bins, title, score, caption), Path(path), kind, title, caption)


def plot_ranking(
    rows: Sequence[RateRow],
    scores: Mapping[str, Mapping[int, int]],
    path: str | Path,
    title: str = "Win rates",
    score: str = "score",
) -> None:
    """Rates as `plot_rates` draws them, and below them how the scores of the first rows are spread; by their labels."""
    kind = _format(path)
    if not rows:
        raise UsageError("no rates to plot")
    from matplotlib import style

    caption = _rates_caption(rows)
    with style.context(["default", _STYLE]):
        figure = _draw_rates(rows, title, caption, below=_SPREAD + _FOOT)
        _draw_spread(figure, {row.label: scores[row.label] for row in rows[:_MOST_SPREADS]}, score, caption)
        _write(figure, Path(path), kind, title, caption)


def _draw_spread(figure: Figure, scores: Mapping[str, Mapping[int, int]], score: str, caption: str) -> None:
    """A line for each distribution in the room that is left under the rates."""
    from matplotlib.ticker import MaxNLocator

    whole = figure.get_figheight()
    foot = _FOOT + _LINE * len(caption.split("\n"))
    axes = figure.add_axes((0.75 / _WIDTH, foot / whole, (_WIDTH - 1.05) / _WIDTH, _SPREAD / whole))
    for number, (label, counts) in enumerate(scores.items()):
        n = sum(counts.values())
        if not n:
            continue
        low, high = min(counts), max(counts)
        shares = [100 * counts.get(each, 0) / n for each in range(low, high + 1)]
        # Lines that lie on each other are told apart by their strokes.
        stroke = ("-", "--", "-.", ":")[number % 4]
        axes.plot(range(low, high + 1), shares, stroke, linewidth=1.3, label=_fold([label], "", _LONGEST_LABEL)[0])
    axes.xaxis.set_major_locator(MaxNLocator(14, integer=True))
    axes.set_ylim(bottom=0)
    axes.grid(color=_GRID, linewidth=0.7)
    axes.set_xlabel(score)
    axes.set_ylabel("share of deals (%)")
    if scores:
        axes.legend(loc="upper left", frameon=False, fontsize=8)


def _draw_rates(rows: Sequence[RateRow], title: str, caption: str, below: float = 0.0) -> Figure:
    from matplotlib.ticker import MaxNLocator

    labels = [_fold(parts, ", ", _LONGEST_LABEL) for parts in _labels(rows)]
    texts = [_texts(row.rate) for row in rows]
    lines = max(2, *map(len, labels), *map(len, texts))
    # The columns beside the plot are as wide as their longest lines.
    left, right = (_CHARACTER * max(len(line) for cell in cells for line in cell) for cells in (labels, texts))

    height = len(rows) * (lines * _LINE + 0.1)
    figure, axes = _figure(height, left=left + 0.25, right=right + 0.3, title=title, caption=caption, below=below)
    for place, (row, words) in enumerate(zip(rows, texts, strict=True)):
        _draw_rate(axes, place, row.rate)
        for line, (word, colour) in enumerate(zip(words, ("black", _GREY, _GREY), strict=False)):
            axes.annotate(
                word,
                (1, place),
                xycoords=axes.get_yaxis_transform(),
                xytext=(12, -72 * _LINE * (line - (len(words) - 1) / 2)),
                textcoords="offset points",
                va="center",
                color=colour,
                annotation_clip=False,
            )
    axes.set_xlim(*span_rates([row.rate for row in rows]))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), ["\n".join(label) for label in labels])
    axes.tick_params(axis="y", length=0, pad=9)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=_GRID, linewidth=0.7)
    axes.xaxis.set_major_locator(MaxNLocator(_most_ticks(axes, "99.9999")))
    axes.ticklabel_format(axis="x", style="plain", useOffset=False)
    axes.set_xlabel("deals won (%)")
    return figure


def _draw_rate(axes: Axes, y: int, rate: Rate) -> None:
    if rate.rate is None or rate.rate_if_won is None:
        return
    low, middle, high = 100 * rate.low, 100 * rate.rate, 100 * rate.high
    if rate.undecided:
        best = 100 * rate.rate_if_won
        axes.plot([middle, 100 * rate.high_if_won], [y, y], color=_LIGHT, linewidth=2, solid_capstyle="butt")
        axes.plot([middle, best], [y, y], color=_LIGHT, linewidth=8, solid_capstyle="butt")
        axes.plot(best, y, "o", markersize=6, color="white", markeredgecolor=_LIGHT, markeredgewidth=2, clip_on=False)
    axes.plot([low, high], [y, y], color=_DARK, linewidth=2, solid_capstyle="butt")
    axes.plot(middle, y, "o", markersize=6, color=_DARK, clip_on=False)


def _draw_distribution(bins: Sequence[Bin], title: str, score: str, caption: str) -> Figure:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    n = sum(bar.deals for bar in bins)
    size = bins[0].high - bins[0].low + 1
    figure, axes = _figure(2.9, left=0.75, right=0.3, title=title, caption=caption)
    middles = [(bar.low + bar.high) / 2 for bar in bins]
    axes.bar(middles, [100 * bar.deals / n for bar in bins], width=0.86 * size, color=_DARK)
    # A single bar as wide as the picture would look like a wall.
    beside = size * max(1, (_FEWEST_BINS - len(bins)) / 2)
    axes.set_xlim(middles[0] - beside, middles[-1] + beside)
    longest = max(f"{bins[0].low:,}", f"{bins[-1].high:,}", key=len)
    axes.xaxis.set_major_locator(MaxNLocator(_most_ticks(axes, longest), integer=True))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(axis="y", color=_GRID, linewidth=0.7)
    axes.set_xlabel(score if size == 1 else f"{score} ({size:,} to a bar)")
    axes.set_ylabel("share of deals (%)")
    return figure


def _figure(
    height: float, *, left: float, right: float, title: str, caption: str, below: float = 0.0
) -> tuple[Figure, Axes]:
    """A figure whose plot has this height, with its title and caption, and room for another plot below."""
    from matplotlib.figure import Figure

    lines = caption.split("\n")
    below += _FOOT + _LINE * len(lines)
    whole = _HEAD + height + below
    figure = Figure(figsize=(_WIDTH, whole))
    axes = figure.add_axes((left / _WIDTH, below / whole, (_WIDTH - left - right) / _WIDTH, height / whole))
    figure.text(_MARGIN / _WIDTH, 1 - 0.25 / whole, title, fontsize=11, fontweight="bold", va="center")
    figure.text(_MARGIN / _WIDTH, 0.1 / whole, caption, fontsize=8, color=_GREY, va="bottom", linespacing=1.35)
    return figure, axes


def _most_ticks(axes: Axes, label: str) -> int:
    """How many marks of this length the axis has room for, with some air between them."""
    return min(14, max(2, int(axes.get_position().width * _WIDTH / (_CHARACTER * len(label) + 0.25))))


def span_rates(rates: Sequence[Rate]) -> tuple[float, float]:
    """From where to where an axis of rates goes: all intervals, some air, nought if near, and nothing impossible."""
    drawn = [rate for rate in rates if rate.n]
    if not drawn:
        return 0, 100
    low, high = 100 * min(rate.low for rate in drawn), 100 * max(rate.high_if_won for rate in drawn)
    air = 0.06 * (high - low)
    return (0 if low < 0.35 * high else low - air), min(100, high + air)


def _texts(rate: Rate) -> list[str]:
    """The numbers beside a rate."""
    if rate.rate is None or rate.rate_if_won is None:
        return ["no deals"]
    texts = [write_percent(rate.rate, rate.interval), f"n = {rate.n:,}"]
    if rate.undecided:
        texts[1] += f", undecided {rate.undecided:,}"
        texts.append(f"as won {write_percent(rate.rate_if_won, rate.interval_if_won)}")
    return texts


def _labels(rows: Sequence[RateRow]) -> list[list[str]]:
    """The rows' labels in parts: what their sources do not share is added where the label does not say it already."""
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
    """What all share, in full; of what differs, that the rows say it."""
    differing = _differing(sources)
    parts = [_value(sources[0], name) for name in _names() if name not in differing]
    if differing:
        parts.append(f"{', '.join(differing)}: see the rows")
    return "\n".join(_fold([*parts, *notes], "; ", _LONGEST_CAPTION_LINE))


def _fold(parts: Sequence[str], between: str, longest: int) -> list[str]:
    """The parts in lines, broken between two parts where that is possible."""
    # A no-break space holds together what is short enough to stay so.
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


def _format(path: str | Path) -> str:
    """The format that the file's name asks for; asked before any work is done."""
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in _FORMATS:
        raise UsageError(f"cannot draw into {quote(str(path))}; the name must end in .{' or .'.join(_FORMATS)}")
    return kind


def _write(figure: Figure, path: Path, kind: str, title: str, caption: str) -> None:
    """The picture as a file, whole or not at all."""
    # No date and no version in it: equal pictures are equal files.
    metadata: dict[str, str | None] = {"Title": title, "Description": caption}
    metadata |= {"Date": None, "Creator": "unshuffle"} if kind == "svg" else {"Software": "unshuffle"}
    drawn = BytesIO()
    figure.savefig(drawn, format=kind, dpi=160, metadata=metadata)
    write_whole(path, drawn.getvalue())
