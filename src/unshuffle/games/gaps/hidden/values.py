"""The values of redeals of Gaps: the chance to win with k redeals left, by the lengths of the locked runs.

Rows and suits are interchangeable, so only the four lengths matter: 1,820 shapes. The tables in `data` hold exact
values where few cards are loose, else a fit to simulated redeals, with standard errors and counts; `unshuffle values
build gaps` makes them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import exp
from pathlib import Path
from typing import NamedTuple

from unshuffle.errors import UsageError, quote
from unshuffle.files import read_parsed
from unshuffle.games.gaps.rules import COLUMNS, ROWS, Rules

FORMAT = "unshuffle-gaps-values 2"
PACKED = b"GW1"
"""The engine's format begins with these bytes and one more, the number of planes."""

Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = tuple(
    lengths for lengths in product(range(COLUMNS), repeat=ROWS) if list(lengths) == sorted(lengths, reverse=True)
)
"""All shapes: run lengths, longest first. The place of a shape here is its index, in the engine and in files."""
_NORMAL = 1.959963984540054
"""The half-width of the central 95 % of a normal distribution, in standard deviations."""
_INDEX = {shape: place for place, shape in enumerate(SHAPES)}

TABLES: Mapping[str, Rules] = {
    "addiction": Rules(),
    "addiction-early": Rules(early_redeal=True),
    "montana-locked": Rules(redeals=2, redeal_gaps="after-run"),
    "montana": Rules(redeals=2, redeal_gaps="after-run", twos_locked=False, early_redeal=True),
    "spaces": Rules(redeals=2, twos_locked=False, early_redeal=True),
}
"""The rules of each table, by the name of the variant; the number of redeals does not matter."""


class Value(NamedTuple):
    """A chance to win."""

    p: float
    se: float
    """The standard error of `p`; 0 if it is exact."""
    n: int = 0
    """Redeals of this shape that were searched; the value also uses those of similar shapes."""

    @property
    def is_exact(self) -> bool:
        """True if all boards that a redeal can bring were searched."""
        return self.se == 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval, symmetric in log odds: it stays between 0 and 1."""
        return interval(self.p, self.se)


@dataclass(frozen=True, slots=True)
class Row:
    """The values of one shape."""

    n: int
    """Redeals that were searched; in an exact row, all boards that a redeal can bring."""
    wins: int
    undecided: int
    """Phases that the search could not decide; they count as not won, as they do in play."""
    planes: tuple[tuple[float, float], ...]
    """The chance and its standard error, 0 if it is exact, with 1, 2, ... redeals left."""

    @property
    def is_exact(self) -> bool:
        """True if all chances are exact."""
        return all(se == 0 for _, se in self.planes)


@dataclass(frozen=True)
class Table:
    """The values under one set of rules."""

    name: str
    provenance: Mapping[str, str]
    """How the values were made, and how good the fit is."""
    rows: tuple[Row, ...]
    """One for each shape."""

    @property
    def redeals(self) -> int:
        """The greatest number of redeals left that has values."""
        return len(self.rows[0].planes)


def interval(p: float, se: float) -> tuple[float, float]:
    """Return the 95 % confidence interval of a chance with this standard error, symmetric in log odds."""
    if se == 0 or not 0 < p < 1:
        return p, p
    reach = exp(min(_NORMAL * se / (p * (1 - p)), 700))
    odds = p / (1 - p)
    return 1 / (1 + reach / odds), 1 / (1 + 1 / (odds * reach))


def index(lengths: Iterable[int]) -> int:
    """Return the index of a shape, given its lengths in any order."""
    return _INDEX[tuple(sorted(lengths, reverse=True))]


def check_lengths(lengths: Sequence[int]) -> None:
    """Raise UsageError unless these are four run lengths."""
    if len(lengths) != ROWS or not all(0 <= length < COLUMNS for length in lengths):
        found = quote(" ".join(map(str, lengths)))
        raise UsageError(f"{found} are no lengths of runs: expected four numbers 0..{COLUMNS - 1}")


def lookup(rules: Rules, shape: Sequence[int], k: int) -> Value | None:
    """Return the chance to win with k redeals left, the next one onto runs of these lengths; None if unknown."""
    if k <= 0:
        return Value(0.0, 0.0)
    table = of_rules(rules)
    if table is None or k > table.redeals:
        return None
    row = table.rows[index(shape)]
    return Value(*row.planes[k - 1], row.n)


def packed(rules: Rules) -> bytes | None:
    """Return the values as the engine reads them; None if there are none for these rules.

    Three bytes `GW1` and one that counts the planes; then for k = 1, 2, ... redeals left the chances of all shapes in
    their order, as little-endian floats of four bytes.
    """
    table = of_rules(rules)
    if table is None:
        return None
    numbers = array("f", (row.planes[level][0] for level in range(table.redeals) for row in table.rows))
    if sys.byteorder == "big":
        numbers.byteswap()
    return PACKED + bytes([table.redeals]) + numbers.tobytes()


def table_of(rules: Rules) -> str | None:
    """Return the name of the table for these rules; None if there is none."""
    if rules.fixed_suits:
        return None
    for name, others in TABLES.items():
        is_same = (rules.redeal_gaps, rules.twos_locked) == (others.redeal_gaps, others.twos_locked)
        # Without redeals it does not matter when they are allowed.
        if is_same and (rules.early_redeal == others.early_redeal or not rules.redeals):
            return name
    return None


def of_rules(rules: Rules) -> Table | None:
    """Return the table for these rules; None if there is none."""
    name = table_of(rules)
    return None if name is None else shipped(name)


def file_of(name: str) -> Path:
    """Return the path of a table of the package."""
    return Path(__file__).parent.with_name("data") / f"values-{name}.txt.gz"


@cache
def shipped(name: str) -> Table:
    """Return a table of the package."""
    return read_file(file_of(name))


# The file.


def write_table(table: Table) -> str:
    """Return the text of a file with this table; the inverse of `parse_table`."""
    head = [FORMAT, f"table: {table.name}", *(f"{key}: {value}" for key, value in table.provenance.items()), ""]
    rows = [_write_row(shape, row) for shape, row in zip(SHAPES, table.rows, strict=True)]
    return "\n".join([*head, *rows]) + "\n"


def _write_row(shape: Shape, row: Row) -> str:
    # Exact values are written in full precision.
    planes = " ".join(f"{p!r} 0" if se == 0 else f"{p:.5f} {se:.5f}" for p, se in row.planes)
    return f"{'/'.join(map(str, shape))} {row.n} {row.wins} {row.undecided} {planes}"


def parse_table(text: str) -> Table:
    """Return the table of a file's text. Raise ValueError if the text is malformed."""
    head, _, rows = text.partition("\n\n")
    first, *lines = head.splitlines() or [""]
    if first != FORMAT:
        raise ValueError(f"it does not begin with {FORMAT!r}")
    named = dict(line.split(": ", 1) for line in lines)
    found = tuple(map(_parse_row, rows.splitlines()))
    if len(found) != len(SHAPES):
        raise ValueError(f"it has {len(found)} rows, expected {len(SHAPES)}")
    return Table(named.pop("table", ""), named, found)


def _parse_row(line: str) -> Row:
    _, n, wins, undecided, *planes = line.split(" ")
    numbers = list(map(float, planes))
    return Row(int(n), int(wins), int(undecided), tuple(zip(numbers[::2], numbers[1::2], strict=True)))


def read_file(path: Path) -> Table:
    """Return the table of a gzipped data file."""
    return read_parsed(path, "values of gaps", parse_table, is_packed=True)
