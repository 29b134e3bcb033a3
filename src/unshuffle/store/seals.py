"""Seals: checksums of what is stored, so that damage to a file is noticed.

Each row of a small table has a checksum in its column `seal`; all of them are compared when a store is opened. The
results of a finished chunk, which are many, have one checksum in `chunk.digest`, which is compared when they are read.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from sqlite3 import Connection
from zlib import crc32

from unshuffle.errors import StoreError
from unshuffle.store.records import LAST_STORED_SEED, WON, Run, SolverRow
from unshuffle.store.schema import SEALED

_FINISHED = "SELECT first, last, digest, won, lost, undecided FROM chunk WHERE run_id = ? AND finished IS NOT NULL"
_RESULTS = (
    "SELECT seed, status, score, score_proved, nodes, seconds, moves, inferred_from FROM result"
    " WHERE run_id = ? AND seed BETWEEN ? AND ? ORDER BY seed"
)
_BLOCK = "SELECT first, count, scores, won, tableau_moves FROM block WHERE run_id = ? AND first = ?"
_WINS = "SELECT seed, score, tableau_moves FROM win WHERE run_id = ? AND seed BETWEEN ? AND ? ORDER BY seed"
_COUNTS = "SELECT rule, moves, won_moves FROM rule_count WHERE run_id = ? AND first = ? ORDER BY rule"


class DamageError(Exception):
    """The contents of a store differ from what was written."""


def seal_of(*values: object) -> int:
    """Return the checksum of the values of a row as SQLite returns them."""
    return crc32(repr(values).encode())


def seal(db: Connection, table: str, where: str, values: tuple[object, ...]) -> None:
    """Seal rows, within the transaction that has written them."""
    db.execute(f"UPDATE {table} SET seal = seal_of({SEALED[table]}) WHERE {where}", values)


def check_seals(db: Connection) -> None:
    """Raise DamageError unless every sealed row is as it was written."""
    for table, columns in SEALED.items():
        broken, rows = db.execute(
            f"SELECT coalesce(sum(seal IS NOT seal_of({columns})), 0), count(*) FROM {table}"
        ).fetchone()
        if broken:
            raise DamageError(f"{broken:,} of {rows:,} rows of the table {table} are not as they were written")


def digest_results(rows: Sequence[SolverRow]) -> int:
    """Return the checksum of results of a solver, in the order of their seeds."""
    # By column, with numbers as arrays: three times as fast as the text of the rows.
    seeds, statuses, scores, proved, nodes, seconds, moves, origins = zip(*rows, strict=True)
    found = crc32(repr((moves, origins)).encode(), crc32(",".join(statuses).encode()))
    for kind, column in (("q", seeds), ("q", scores), ("q", proved), ("q", nodes), ("d", seconds)):
        numbers = array(kind, column)
        if sys.byteorder == "big":
            numbers.byteswap()
        found = crc32(numbers, found)
    return found


def digest_games(
    block: tuple[int, int, bytes, bytes, bytes | None],
    wins: Sequence[tuple[int, int, int | None]],
    counts: Sequence[tuple[str, int, int]],
) -> int:
    """Return the checksum of the games of a policy: their block, the wins by seed, the counts by rule."""
    first, count, scores, won, moves = block
    # The bytes themselves and not their `repr`, which is four times as long.
    return crc32(repr((first, count, wins, counts)).encode(), crc32(moves or b"", crc32(won, crc32(scores))))


def seal_all(db: Connection) -> None:
    """Seal what an earlier version has written. Raises DamageError unless the results agree with the stored counts."""
    for run_id, method in db.execute("SELECT id, method FROM run").fetchall():
        for first, last, *_, won, lost, undecided in db.execute(_FINISHED, (run_id,)).fetchall():
            digest, *found = _read(db, run_id, method == "solver", first, last)
            if not found == [last - first + 1, won] == [won + lost + undecided, won]:
                raise DamageError(f"the results of the deals {first}..{last} are not those that were counted")
            db.execute("UPDATE chunk SET digest = ? WHERE run_id = ? AND first = ?", (digest, run_id, first))
    for table in SEALED:
        seal(db, table, "TRUE", ())


def _read(db: Connection, run_id: int, is_solver: bool, first: int, last: int) -> tuple[int, int, int]:
    """Return the checksum of the stored results first..last, their number, and the number of wins."""
    ends = (run_id, first, last)
    if is_solver:
        rows = db.execute(_RESULTS, ends).fetchall()
        try:
            return digest_results(rows), len(rows), sum(row[1] == WON for row in rows)
        except (ValueError, TypeError, OverflowError):  # no rows, or values that are not numbers
            raise DamageError(f"the results of the deals {first}..{last} are not valid") from None
    blocks = db.execute(_BLOCK, ends[:2]).fetchall()
    if len(blocks) != 1:
        raise DamageError(f"the deals {first}..{last} have no games")
    wins = db.execute(_WINS, ends).fetchall()
    counts = db.execute(_COUNTS, ends[:2]).fetchall()
    return digest_games(blocks[0], wins, counts), blocks[0][1], len(wins)


class Checked:
    """The results whose checksums were compared. Stored results never change, so each is checked once."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._chunks: set[tuple[int, int, int]] = set()

    def check(self, run: Run, first: int = 0, last: int = LAST_STORED_SEED) -> None:
        """Raise DamageError unless the results of all chunks that overlap first..last are as they were written."""
        query = f"{_FINISHED} AND first <= ? AND last >= ?"
        for begin, end, digest, *_ in self._db.execute(query, (run.id, last, first)).fetchall():
            if (run.id, begin, digest) in self._chunks:
                continue
            try:
                is_sound = _read(self._db, run.id, run.is_solver, begin, end)[0] == digest
            except DamageError:
                is_sound = False
            if not is_sound:
                if self._db.execute("SELECT 1 FROM run WHERE id = ?", (run.id,)).fetchone() is None:
                    raise StoreError(f"the study {run.study!r} was deleted while it was read")
                raise DamageError(
                    f"the results of the deals {begin}..{end} of {run.game}/{run.variant} are not as written"
                )
            self._chunks.add((run.id, begin, digest))
