"""Two runs on the same deals, compared by bits: a number with one bit per deal for each kind of ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from sqlite3 import Connection

from unshuffle.store.records import LIMITS, WON, PairedCounts, Run


@dataclass(frozen=True, slots=True)
class _Span:
    """Consecutive deals; bit i of each number is the deal first + i."""

    first: int
    count: int
    won: int
    undecided: int

    def part(self, first: int, last: int) -> tuple[int, int, int]:
        """Won, lost and undecided, of these deals only."""
        mask = (1 << (last - first + 1)) - 1
        won = self.won >> (first - self.first) & mask
        undecided = self.undecided >> (first - self.first) & mask
        return won, mask & ~(won | undecided), undecided


def count_pairs(db: Connection, run_a: Run, run_b: Run) -> PairedCounts:
    """How many deals ended so in a and so in b, over the seeds that both have finished."""
    kinds = ("won", "lost", "undecided")
    table: Counter[tuple[str, str]] = Counter({(a, b): 0 for a in kinds for b in kinds})
    spans_a, spans_b = _spans(db, run_a), _spans(db, run_b)
    a, b = next(spans_a, None), next(spans_b, None)
    while a is not None and b is not None:
        first = max(a.first, b.first)
        last = min(a.first + a.count, b.first + b.count) - 1
        if first <= last:
            for kind_a, bits_a in zip(kinds, a.part(first, last), strict=True):
                for kind_b, bits_b in zip(kinds, b.part(first, last), strict=True):
                    table[kind_a, kind_b] += (bits_a & bits_b).bit_count()
        if a.first + a.count <= b.first + b.count:
            a = next(spans_a, None)
        else:
            b = next(spans_b, None)
    return PairedCounts(dict(table))


def _spans(db: Connection, run: Run) -> Iterator[_Span]:
    if not run.is_solver:
        for first, count, won in db.execute(
            "SELECT first, count, won FROM block WHERE run_id = ? ORDER BY first", (run.id,)
        ):
            yield _Span(first, count, int.from_bytes(won, "little"), 0)
        return
    for first, last in db.execute(
        "SELECT first, last FROM chunk WHERE run_id = ? AND finished IS NOT NULL ORDER BY first", (run.id,)
    ):
        won = _bits(db, run, first, last, (WON,))
        yield _Span(first, last - first + 1, won, _bits(db, run, first, last, LIMITS))


def _bits(db: Connection, run: Run, first: int, last: int, statuses: tuple[str, ...]) -> int:
    packed = bytearray((last - first + 8) // 8)
    for status in statuses:
        # The index by status holds the seeds in their order, so only these rows are read.
        for (seed,) in db.execute(
            "SELECT seed FROM result WHERE run_id = ? AND status = ? AND seed BETWEEN ? AND ?",
            (run.id, status, first, last),
        ):
            packed[seed - first >> 3] |= 1 << (seed - first & 7)
    return int.from_bytes(packed, "little")
