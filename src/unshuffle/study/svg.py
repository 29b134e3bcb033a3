"""Charts as SVG within an HTML page, in the colours of its stylesheet.

Positions along x are per cent of the width, so that a picture is as wide as the page and its text keeps its size;
positions along y are pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from unshuffle.study.axes import Scale, write_mark
from unshuffle.study.charts import Bar, Chart, Course, Mark, chart_rates, span_rates
from unshuffle.study.statistics import Rate, write_if_won, write_rate

_SIDE = 1.5
"""The free margin on both sides, in per cent of the width, for dots at the very ends."""
_TOP, _BOTTOM, _HEIGHT = 8.0, 160.0, 196.0
_STRIP = 30.0
"""The height of a row with one rate."""
_CLASSES = {"won": ("line", "won", "band"), "undecided": ("open-line", "ring", "open-band"), "lost": ("", "", "")}
"""For each kind the classes of lines, dots and bands in the stylesheet."""


def draw(chart: Chart) -> str:
    """Return a chart with both axes."""
    axes = [*_y_axis(chart.y), *_x_axis(chart.x, _BOTTOM, _BOTTOM + 4, chart.across)]
    base = f'<line class="axis" x1="0" x2="100%" y1="{_BOTTOM:g}" y2="{_BOTTOM:g}"/>'
    return _wrap(_HEIGHT, [*axes, *_draw_shapes(chart, _TOP, _BOTTOM), base], chart.title, chart.words)


def draw_rates(rows: Sequence[tuple[str, Rate]]) -> str:
    """Return a list of rates: a row with name, picture and numbers for each, and the axis below."""
    scale = span_rates([rate for _, rate in rows])
    grid = [
        f'<line class="grid" x1="{_x(scale, mark)}" x2="{_x(scale, mark)}" y1="0" y2="{_STRIP:g}"/>'
        for mark in scale.marks(6)
    ]
    items = []
    for name, rate in rows:
        value, as_won = write_rate(rate), f"undecided as won {write_if_won(rate)}" if rate.undecided else ""
        chart = chart_rates([rate], scale, f"{name}: {value}", as_won)
        strip = _wrap(_STRIP, [*grid, *_draw_shapes(chart, 0, _STRIP)], chart.title, chart.words)
        small = as_won and f"<small>{write_text(as_won)}</small>"
        said = f'<span class="value">{write_text(value)}{small}</span>'
        items.append(f'<li><span class="name">{write_text(name)}</span>{strip}{said}</li>')
    marks = _x_axis(scale, 0, 4, "deals won (%)", most=6)
    axis = _wrap(36, marks, "Scale of the rates, in per cent of the deals", "")
    items.append(f'<li><span class="name"></span>{axis}<span class="value"></span></li>')
    return "\n".join(['<ul class="rates">', *items, "</ul>"])


def draw_key(kinds: Mapping[str, str]) -> str:
    """Return a legend of colours; `kinds` maps classes of the stylesheet to words."""
    items = [
        f'<li><svg aria-hidden="true"><rect class="{kind}" width="22" height="12"/></svg>{write_text(words)}</li>'
        for kind, words in kinds.items()
    ]
    return f'<ul class="key">{"".join(items)}</ul>'


def draw_panels(panels: Sequence[tuple[str, str, Chart]]) -> str:
    """Return small charts side by side, each with a name and a line of text."""
    parts = [
        f'<div class="panel"><h3>{write_text(name)}</h3><p>{write_text(words)}</p>\n{draw(chart)}</div>'
        for name, words, chart in panels
    ]
    return "\n".join(['<div class="panels">', *parts, "</div>"])


def write_text(text: str) -> str:
    """Escape a text for an element or a quoted attribute; characters that are not printable become visible."""
    return escape("".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text))


def _draw_shapes(chart: Chart, top: float, bottom: float) -> Iterator[str]:
    def y(value: float) -> float:
        return bottom - (bottom - top) * chart.y.share(value)

    for shape in chart.shapes:
        line, dot, _ = _CLASSES[shape.kind]
        match shape:
            case Bar(kind, left, right, low, high):
                above, below = sorted((y(low), y(high)))
                wide = _percent(chart.x, right) - _percent(chart.x, left)
                size = f'width="{wide:.2f}%" y="{above:.1f}" height="{below - above:.1f}"'
                yield f'<rect class="{kind}" x="{_x(chart.x, left)}" {size}/>'
            case Mark(_, low, value, high, at):
                ends = f'x1="{_x(chart.x, low)}" x2="{_x(chart.x, high)}"'
                yield f'<line class="{line}" {ends} y1="{y(at):g}" y2="{y(at):g}"/>'
                yield f'<circle class="{dot}" cx="{_x(chart.x, value)}" cy="{y(at):g}" r="4.5"/>'
            case Course():
                # An inner box, which is stretched to the width, unlike the strokes in it.
                box = f'y="{top:g}" width="100%" height="{bottom - top:g}" viewBox="0 0 1000 1000"'
                yield f'<svg {box} preserveAspectRatio="none">{_draw_course(chart, shape)}</svg>'


def _draw_course(chart: Chart, course: Course) -> str:
    def points(xs: Sequence[float], ys: Sequence[float]) -> str:
        return " ".join(
            f"{10 * _percent(chart.x, x):.0f},{1000 - 1000 * chart.y.share(y):.0f}" for x, y in zip(xs, ys, strict=True)
        )

    line, _, band = _CLASSES[course.kind]
    around = points([*course.xs, *course.xs[::-1]], [*course.lows, *course.highs[::-1]])
    return (
        f'<polygon class="{band}" points="{around}"/>'
        f'<polyline class="{line}" vector-effect="non-scaling-stroke" points="{points(course.xs, course.ys)}"/>'
    )


def _percent(scale: Scale, value: float) -> float:
    return _SIDE + (100 - 2 * _SIDE) * scale.share(value)


def _x(scale: Scale, value: float) -> str:
    return f"{_percent(scale, value):.2f}%"


def _x_axis(scale: Scale, top: float, bottom: float, title: str, *, most: int = 5) -> list[str]:
    """Return tick marks from top to bottom, their numbers below, and the title of the axis."""
    drawn = []
    for mark in scale.marks(most):
        x, share = _x(scale, mark), scale.share(mark)
        anchor = "start" if share < 0.04 else "end" if share > 0.96 else "middle"
        drawn.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top:g}" y2="{bottom:g}"/>')
        drawn.append(f'<text x="{x}" y="{bottom + 15:g}" text-anchor="{anchor}">{write_mark(mark)}</text>')
    drawn.append(f'<text x="50%" y="{bottom + 31:g}" text-anchor="middle">{write_text(title)}</text>')
    return drawn


def _y_axis(scale: Scale) -> list[str]:
    """Return grid lines across the picture with their numbers on its left, where the stylesheet leaves room."""
    drawn = []
    for mark in scale.marks(5):
        y = _BOTTOM - (_BOTTOM - _TOP) * scale.share(mark)
        drawn.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{write_mark(mark)} %</text>')
    return drawn


def _wrap(height: float, parts: Sequence[str], title: str, words: str) -> str:
    described = f"<desc>{write_text(words)}</desc>" if words else ""
    inside = "".join(parts)
    return f'<svg role="img" height="{height:g}"><title>{write_text(title)}</title>{described}{inside}</svg>'
