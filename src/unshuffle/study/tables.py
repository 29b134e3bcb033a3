"""Pages of text and tables: as wide as the terminal, plain in a pipe."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil, log10
from textwrap import wrap
from typing import Any, TextIO

from unshuffle.errors import LackingError
from unshuffle.numbers import read_up_to
from unshuffle.study.statistics import Interval
from unshuffle.terminal import as_is, in_json, printable

_NARROWEST, _WIDEST, _IN_A_PIPE = 60, 120, 100
_GAP = "  "
_OPTIONAL = ("scipy", "matplotlib", "pyarrow")


@contextmanager
def study_packages() -> Iterator[None]:
    """Turn the ImportError of an optional package into a LackingError that says how to install it."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "").split(".")[0]
        if package not in _OPTIONAL:
            raise
        raise LackingError(f"this needs {package}, which is not installed: pip install 'unshuffle[study]'") from None


class Page:
    """The page that a report is printed on: here a stream of text.

    `markdown_page` and `html_page` have documents with the same methods.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        is_terminal = out.isatty()
        self._has_bold = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        # In a pipe only COLUMNS can tell the width.
        asked = os.environ.get("COLUMNS", "")
        columns = shutil.get_terminal_size().columns if is_terminal else read_up_to(asked, _WIDEST)
        self.width = max(_NARROWEST, min(_WIDEST, _IN_A_PIPE if columns is None else columns))

    def line(self, text: str = "", *, bold: bool = False) -> None:
        """Write one line, without control characters."""
        text = printable(text.rstrip()).replace("\n", "\\n")
        encoding = self._out.encoding or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        if bold and text and self._has_bold:
            text = as_is(self._out, "\x1b[1m") + text + as_is(self._out, "\x1b[0m")
        self._out.write(f"{text}\n")

    def lines(self, lines: Iterable[str]) -> None:
        """Write several lines."""
        for line in lines:
            self.line(line)

    def prose(self, text: str, *, bold: bool = False) -> None:
        """Write a paragraph, wrapped at the width of the page."""
        for line in wrap(text, self.width, break_on_hyphens=False):
            self.line(line, bold=bold)

    def fields(self, values: Mapping[str, str], indent: int = 2) -> None:
        """Write names and values in two columns; long values are wrapped."""
        name_width = max(map(len, values), default=0)
        room = max(20, self.width - indent - name_width - len(_GAP))
        for name, value in values.items():
            first, *rest = wrap(value, room, break_on_hyphens=False) or [""]
            self.line(f"{'':{indent}}{name:<{name_width}}{_GAP}{first}")
            self.lines(f"{'':{indent + name_width}}{_GAP}{line}" for line in rest)

    def section(self, title: str) -> None:
        """Begin a section: with a blank line, in a document with a heading."""
        self.line()

    def records(self, kind: str, values: Mapping[str, Mapping[str, str]]) -> None:
        """Write records, each with its name and its fields below; a document writes a table."""
        for name, own in values.items():
            self.line(name)
            self.fields(own, indent=6)

    def json(self, values: Mapping[str, Any]) -> None:
        """Write one JSON object on one line."""
        self._out.write(as_is(self._out, in_json(values, allow_nan=False)) + "\n")

    def table(self, key: Sequence[Column], *groups: Sequence[Column]) -> None:
        """Write a table. If it is too wide for the page, write it in blocks, each with the key columns.

        A group of columns is divided only if it does not fit into a block of its own.
        """
        blocks: list[list[Column]] = [[]]
        for group in groups:
            if blocks[-1] and _width([*key, *blocks[-1], *group]) > self.width:
                blocks.append([])
            for column in group:
                if blocks[-1] and _width([*key, *blocks[-1], column]) > self.width:
                    blocks.append([])
                blocks[-1].append(column)
        for number, block in enumerate(blocks):
            if number:
                self.line()
            head, *rows = zip(*(column.cells() for column in (*key, *block)), strict=True)
            self.line(_GAP.join(head), bold=True)
            self.lines(_GAP.join(row) for row in rows)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: words are left-aligned, numbers right-aligned."""

    head: str
    values: Sequence[str]
    is_words: bool = False

    @property
    def width(self) -> int:
        """The width of its widest cell."""
        return max(map(len, (self.head, *self.values)))

    def cells(self) -> list[str]:
        """Return head and values, padded to the same width."""
        return [
            text.ljust(self.width) if self.is_words else text.rjust(self.width) for text in (self.head, *self.values)
        ]


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)


def plural(number: int, noun: str) -> str:
    """Return number and noun: '1 deal', '1,234 deals'."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def write_count(number: int | None) -> str:
    """Return an integer as text; '-' for None."""
    return "-" if number is None else f"{number:,}"


def write_number(number: float | None) -> str:
    """Return a mean or a standard deviation as text, with decimals only if it is small; '-' for None."""
    if number is None:
        return "-"
    return f"{number:,.{0 if number >= 1000 else 1 if number >= 100 else 2}f}"


def write_p(p: float | None) -> str:
    """Return a p-value as text, never 0; '-' for None."""
    if p is None:
        return "-"
    return "<1e-300" if p < 1e-300 else f"{p:.1e}" if p < 0.0005 else f"{p:.3f}"


def write_points(difference: float | None, interval: Interval | None = None) -> str:
    """Return a difference of two rates in percentage points, to the digits that the interval supports."""
    if difference is None:
        return "-"
    if interval is None:
        return f"{100 * difference:+.2f}"
    digits = _digits(interval)
    low, high = (f"{100 * end:+.{digits}f}" for end in interval)
    return f"{100 * difference:+.{digits}f} [{low}, {high}]"


def write_interval(interval: Interval) -> str:
    """Return an interval of a rate in per cent, with one digit more than it supports, to compare it with another."""
    digits = _digits(interval) + 1
    return f"[{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f}]"


def _digits(interval: Interval) -> int:
    """Return the number of decimals of per cent that show the half-width."""
    width = interval.high - interval.low
    return max(1, ceil(-log10(50 * width))) if width else 1


def write_time(text: str) -> str:
    """Return a time of the store to the minute: '2026-02-01 09:30'."""
    return text[:16].replace("T", " ")


def write_seconds(seconds: float) -> str:
    """Return a duration as text."""
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60:,}:{minutes % 60:02}:{rest:02} (h:mm:ss)"
