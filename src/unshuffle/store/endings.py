"""How every finished deal of a run ended, as bit sets: each run is read once and then paired with many others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from sqlite3 import Connection

from unshuffle.store.records import LIMITS, LOST, WON, Run, Summary

_LONGEST_SPAN = 1 << 22
_KINDS = ("won", "lost", "undecided")


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive deals; bit i of each number is the deal first + i."""

    first: int
    count: int
    won: int
    undecided: int

    def part(self, first: int, count: int) -> tuple[int, int, int]:
        """Return the bits of the won, lost and undecided deals among `count` deals from `first` on."""
        mask = (1 << count) - 1
        won = self.won >> (first - self.first) & mask
        undecided = self.undecided >> (first - self.first) & mask
        return won, mask & ~(won | undecided), undecided


@dataclass(frozen=True, slots=True)
class Endings:
    """The finished deals of one run, in the order of their seeds."""

    spans: tuple[Span, ...]


def read_endings(db: Connection, run: Run, summary: Summary, ranges: list[tuple[int, int]]) -> Endings:
    """Return the endings of a run; `ranges` are its finished seeds."""
    if run.is_solver:
        # Of won and lost deals, read the fewer ones and derive the others.
        known = WON if summary.won <= summary.lost else LOST
        return Endings(tuple(_solver_spans(db, run, ranges, known)))
    blocks = db.execute("SELECT first, count, won FROM block WHERE run_id = ? ORDER BY first", (run.id,))
    return Endings(tuple(Span(first, count, int.from_bytes(won, "little"), 0) for first, count, won in blocks))


def _solver_spans(db: Connection, run: Run, ranges: list[tuple[int, int]], known: str) -> Iterator[Span]:
    for begin, end in ranges:
        for first in range(begin, end + 1, _LONGEST_SPAN):
            count = min(_LONGEST_SPAN, end - first + 1)
            undecided = _bits(db, run, first, count, LIMITS)
            won = _bits(db, run, first, count, (known,))
            if known == LOST:
                won = ((1 << count) - 1) & ~(won | undecided)
            yield Span(first, count, won, undecided)


def _bits(db: Connection, run: Run, first: int, count: int, statuses: tuple[str, ...]) -> int:
    import numpy

    marks = numpy.zeros(count, dtype=bool)
    for status in statuses:
        rows = db.execute(
            "SELECT seed FROM result WHERE run_id = ? AND status = ? AND seed BETWEEN ? AND ?",
            (run.id, status, first, first + count - 1),
        )
        marks[numpy.fromiter((seed for (seed,) in rows), dtype=numpy.int64) - first] = True
    return int.from_bytes(numpy.packbits(marks, bitorder="little").tobytes(), "little")


def pair_endings(a: Endings, b: Endings) -> dict[tuple[str, str], int]:
    """Count the deals that both have finished by their ending in a and in b (won, lost or undecided)."""
    table: Counter[tuple[str, str]] = Counter({(one, other): 0 for one in _KINDS for other in _KINDS})
    for _, left, right in _common_parts(a, b):
        parts = [(kind, bits) for kind, bits in zip(_KINDS, right, strict=True) if bits]
        for kind, bits in zip(_KINDS, left, strict=True):
            for other_kind, other_bits in parts:
                table[kind, other_kind] += (bits & other_bits).bit_count()
    return dict(table)


def won_and_lost(a: Endings, b: Endings) -> list[int]:
    """Return the seeds of the deals that a has won and b has lost."""
    seeds = []
    for first, (won, _, _), (_, lost, _) in _common_parts(a, b):
        bits = won & lost
        while bits:
            lowest = bits & -bits
            seeds.append(first + lowest.bit_length() - 1)
            bits ^= lowest
    return seeds


def _common_parts(a: Endings, b: Endings) -> Iterator[tuple[int, tuple[int, int, int], tuple[int, int, int]]]:
    """Yield the deals that both have finished, piece by piece: the first seed, and the parts of a and of b."""
    left, right = iter(a.spans), iter(b.spans)
    one, other = next(left, None), next(right, None)
    while one is not None and other is not None:
        first = max(one.first, other.first)
        count = min(one.first + one.count, other.first + other.count) - first
        if count > 0:
            yield first, one.part(first, count), other.part(first, count)
        if one.first + one.count <= other.first + other.count:
            one = next(left, None)
        else:
            other = next(right, None)
