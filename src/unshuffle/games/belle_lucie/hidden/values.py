"""What a redeal of La Belle Lucie is worth: the chance to win after it, by the heights of the foundations.

After a redeal only the four heights matter, and suits are alike: 2,380 states, times redeals left, times mercis left.
The tables lie beside this file, with their standard errors and sample sizes; `unshuffle values build` makes them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

from unshuffle.errors import UsageError, quote, unknown
from unshuffle.files import read_parsed
from unshuffle.games.belle_lucie.rules import Rules

FORMAT = "unshuffle-values 1"
FILE = Path(__file__).parent.with_name("data") / "values.txt.gz"

STATES: tuple[tuple[int, ...], ...] = tuple(combinations_with_replacement(range(14), 4))
"""Every state: the heights in ascending order. Its place here is its index, in the engine and in the data file too."""
_INDEX = {heights: place for place, heights in enumerate(STATES)}

TABLES: dict[str, Rules] = {
    "none": Rules(redeals=2),
    "play": Rules(redeals=2, merci="play"),
    "front": Rules(redeals=2, merci="front"),
    "second-any": Rules(redeals=2, merci="second", merci_deals="any"),
    "build-any": Rules(redeals=2, build="any"),
}
"""The tables that are built, with the rules by which their deals were played."""


class Value(NamedTuple):
    """The chance to win."""

    p: float
    se: float
    """The standard error of `p`."""
    n: int
    """The deals it was estimated from; 0 (with `se` 0): exact."""


def index(heights: Iterable[int]) -> int:
    """Return the index of the state with these heights, in any order."""
    return _INDEX[tuple(sorted(heights))]


class Plane:
    """The values of all states for one number of redeals and of mercis left."""

    def __init__(self, rows: Iterable[tuple[float, float, int]]) -> None:
        p, se, n = zip(*rows, strict=True)
        self.p: array[float] = array("d", p)
        self.se: array[float] = array("d", se)
        self.n: array[int] = array("q", n)

    def __getitem__(self, place: int) -> Value:
        return Value(self.p[place], self.se[place], self.n[place])


def mercis_of_planes(rules: Rules) -> tuple[int, ...]:
    """Return the mercis left for which there is a plane: all counts if a merci may be spent before a redeal."""
    if rules.merci == "none":
        return (0,)
    return tuple(range(rules.merci_count + 1)) if rules.merci_deals == "any" else (rules.merci_count,)


@dataclass(frozen=True, slots=True)
class Values:
    """The planes that serve a planner: by redeals left after the redeal, then by mercis left."""

    levels: Sequence[Sequence[Plane]]
    first_merci: int = 0
    """The mercis left in the first plane."""
    is_own: bool = True
    """False if they were made for other rules: good enough to plan by, but no probability of this game."""

    def at(self, heights: Iterable[int], redeals_left: int, mercis: int = 0) -> float:
        """Return what the planner maximises; for levels and planes that were not built that of the nearest one."""
        return self._plane(redeals_left, mercis).p[index(heights)]

    def shown(self, heights: Iterable[int], redeals_left: int, mercis: int = 0) -> Value | None:
        """Return the chance to win that may be shown; None if it is not known."""
        if not self.is_own or redeals_left >= len(self.levels):
            return None
        return self._plane(redeals_left, mercis)[index(heights)]

    def _plane(self, redeals_left: int, mercis: int) -> Plane:
        planes = self.levels[min(redeals_left, len(self.levels) - 1)]
        return planes[max(0, min(mercis - self.first_merci, len(planes) - 1))]

    def pack(self, rules: Rules) -> bytes:
        """Return the values as the engine takes them under these rules: f64, little-endian, [level][mercis][state]."""
        packed = array("d")
        for level in range(max(1, rules.redeals)):
            for mercis in mercis_of_planes(rules):
                packed += self._plane(level, mercis).p
        if sys.byteorder == "big":
            packed.byteswap()
        return packed.tobytes()


def of_rules(rules: Rules) -> Values:
    """Return the tables of these rules, or the nearest ones."""
    name, is_own = table_of(rules)
    return Values(levels_of(name), mercis_of_planes(TABLES[name])[0], is_own)


def table_of(rules: Rules) -> tuple[str, bool]:
    """Return the name of the table that serves these rules, and whether it was made for them."""
    for name, others in TABLES.items():
        if _what_matters(rules) == _what_matters(others) and name in _blocks():
            return name, True
    if rules.build == "any" and "build-any" in _blocks():
        return "build-any", False
    # Only a table with a plane for each count of mercis can tell when to spend one.
    if rules.merci != "none" and rules.merci_deals == "any" and "second-any" in _blocks():
        return "second-any", False
    return "none", False


def _what_matters(rules: Rules) -> tuple[object, ...]:
    """Return the fields on which the value after a redeal depends."""
    merci = (rules.merci, rules.merci_count, rules.merci_deals) if rules.merci != "none" else None
    return (
        merci,
        rules.build,
        rules.build_up,
        rules.kings_to_spaces,
        rules.fan_size,
        rules.max_cards,
        rules.may_hold_back,
    )


def lookup(heights: Sequence[int], redeals_left: int, merci: str = "none", *, mercis: int | None = None) -> Value:
    """Return the chance to win when the rest is dealt again and `redeals_left` redeals are left after that.

    `merci` is the name of a table: none, play, front, second-any or build-any. `mercis` is the number left, where the
    table has several.
    """
    check_heights(heights)
    levels = levels_of(merci)
    if not 0 <= redeals_left < len(levels):
        raise UsageError(f"{redeals_left} redeals left: the table {merci!r} has 0..{len(levels) - 1}")
    counts = mercis_of_planes(TABLES[merci])
    if mercis is None:
        mercis = counts[-1]
    if mercis not in counts:
        raise UsageError(f"{mercis} mercis left: the table {merci!r} has {', '.join(map(str, counts))}")
    return levels[redeals_left][counts.index(mercis)][index(heights)]


def check_heights(heights: Sequence[int]) -> None:
    """Raise UsageError for heights that no four foundations can have."""
    if len(heights) != 4 or not all(isinstance(height, int) and 0 <= height <= 13 for height in heights):
        words = " ".join(map(str, heights))
        raise UsageError(f"'{words}' are not the heights of the foundations; expected four numbers 0..13")


@dataclass(frozen=True, slots=True)
class Thumb:
    """The rule of thumb for people, in place of a table."""

    is_own = False

    def at(self, heights: Iterable[int], redeals_left: int, mercis: int = 0) -> float:
        """Return the score, scaled so that a win is 1."""
        return thumb(heights) / _THUMB_WIN

    def shown(self, heights: Iterable[int], redeals_left: int, mercis: int = 0) -> Value | None:
        """Return None: a score is no probability."""
        return None

    @cache  # noqa: B019 # there is one rule of thumb, and no copy of it holds anything
    def pack(self, rules: Rules) -> bytes:
        """Return the scores as the engine takes them."""
        plane = Plane((self.at(heights, 0), 0.0, 0) for heights in STATES)
        return Values([[plane]]).pack(rules)


_THUMB_WIN = 100


def thumb(heights: Iterable[int]) -> int:
    """Return the points of the rule of thumb; a win beats all.

    These are the cards up, 4 more if one card is over when the rest is dealt in threes, 3 more if two are, 6 per
    unfinished suit. It keeps nine tenths of what the tables gain over most-cards play.
    """
    heights = tuple(heights)
    up = sum(heights)
    if up == 52:
        return _THUMB_WIN
    return up + (0, 4, 3)[(52 - up) % 3] + 6 * sum(height < 13 for height in heights)


AnyValues = Values | Thumb


# The data file: a header, then one block per plane, with a blank line before each.


@dataclass(frozen=True, slots=True)
class Block:
    """One plane in the data file, as text until it is read."""

    table: str
    level: int
    """Redeals left after the redeal."""
    mercis: int
    samples: int
    is_smoothed: bool
    text: str = ""

    def plane(self) -> Plane:
        """Return the values."""
        rows = [line.split(" ") for line in self.text.splitlines()]
        return Plane([(float(p), float(se), int(n)) for p, se, n in rows])


def write_block(block: Block) -> str:
    """Return the block as the file has it."""
    how = "smoothed" if block.is_smoothed else "raw"
    where = f"table={block.table} redeals_left={block.level} mercis={block.mercis}"
    return f"{where} samples={block.samples} {how}\n{block.text}"


def write_row(value: Value) -> str:
    """Return the row of one state: an exact value with all digits, others with a few more than the sample supports."""
    if value.n == 0:
        return f"{value.p!r} 0 0\n"
    return f"{value.p:.6f} {value.se:.2g} {value.n}\n"


def read_text(text: str, name: str) -> tuple[str, list[Block]]:
    """Return the header of a data file and its blocks; the error for another file names `name`."""
    header, *parts = text.split("\n\n")
    if not header.startswith(FORMAT + "\n"):
        raise UsageError(f"{quote(name)} is not a file of values: it does not begin with {FORMAT!r}")
    blocks = []
    for part in parts:
        title, _, rows = part.partition("\n")
        rows = rows.rstrip("\n") + "\n"  # the split has taken the last line's end
        try:
            table, level, mercis, samples, how = (word.rpartition("=")[2] for word in title.split(" "))
            blocks.append(Block(table, int(level), int(mercis), int(samples), how == "smoothed", rows))
        except ValueError:
            raise UsageError(f"{quote(name)} is damaged: {quote(title)} is not the title of a table") from None
    return header, blocks


def read_file(path: Path) -> tuple[str, list[Block]]:
    """Return the header of a compressed data file and its blocks."""
    text = read_parsed(path, "values of belle-lucie", str, is_packed=True)
    return read_text(text, str(path))


@cache
def _blocks() -> dict[str, list[Block]]:
    tables: dict[str, list[Block]] = {}
    for block in read_file(FILE)[1]:
        tables.setdefault(block.table, []).append(block)
    return tables


@cache
def levels_of(table: str) -> tuple[tuple[Plane, ...], ...]:
    """Return the planes of a table, by redeals left and then by mercis left."""
    if table not in _blocks():
        raise unknown("table of values", table, _blocks())
    levels: dict[int, list[Plane]] = {}
    for block in _blocks()[table]:
        levels.setdefault(block.level, []).append(block.plane())
    return tuple(map(tuple, levels.values()))
