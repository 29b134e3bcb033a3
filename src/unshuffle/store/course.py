"""How the counts of a run came together, deal after deal, and how its searches spread: what pictures are drawn from."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from sqlite3 import Connection
from typing import NamedTuple

from unshuffle.store.records import LIMITS, LOST, WON, Run

_ROWS = 20_000
_ONE_BY_ONE = 2_000
_KINDS = {WON: "won", LOST: "lost"} | dict.fromkeys(LIMITS, "undecided")


class Step(NamedTuple):
    """Some deals, one after the other."""

    deals: int
    won: int
    undecided: int


def read_course(db: Connection, run: Run) -> list[Step]:
    """The finished deals in the order of their seeds, chunk by chunk; those of the first chunks one by one.

    Only the results of these are read, some thousands: a picture over the logarithm of n wants the first deals
    apart, and the others together.
    """
    chunks = db.execute(
        "SELECT first, last, won + lost + undecided, won, undecided FROM chunk"
        " WHERE run_id = ? AND finished IS NOT NULL ORDER BY first",
        (run.id,),
    )
    course: list[Step] = []
    for first, last, *counts in chunks.fetchall():
        if len(course) < _ONE_BY_ONE:
            course += _read_steps(db, run, first, last)
        else:
            course.append(Step(*counts))
    return course


def _read_steps(db: Connection, run: Run, first: int, last: int) -> list[Step]:
    if run.is_solver:
        rows = db.execute(
            "SELECT status FROM result WHERE run_id = ? AND seed BETWEEN ? AND ? ORDER BY seed", (run.id, first, last)
        )
        return [Step(1, status == WON, status in LIMITS) for (status,) in rows]
    count, won = db.execute("SELECT count, won FROM block WHERE run_id = ? AND first = ?", (run.id, first)).fetchone()
    return [Step(1, won[place >> 3] >> (place & 7) & 1, 0) for place in range(count)]


def read_spread(db: Connection, run: Run) -> dict[str, Counter[int]]:
    """How many searches looked at 2^k to 2^(k+1) - 1 nodes, k to deals, of the won, lost and undecided deals.

    Deals that were inferred are in none. Every result is read, some at a time: a second for a million, and less than
    half of what grouping by SQL takes.
    """
    rows = db.execute("SELECT status, nodes FROM result WHERE run_id = ? AND inferred_from IS NULL", (run.id,))
    counts: Counter[tuple[str, int]] = Counter()
    while some := list(islice(rows, _ROWS)):
        counts.update((status, nodes.bit_length()) for status, nodes in some)
    spread: dict[str, Counter[int]] = {kind: Counter() for kind in ("won", "lost", "undecided")}
    for (status, bits), deals in counts.items():
        # A search that looked at nothing is among those of one node.
        spread[_KINDS[status]][max(0, bits - 1)] += deals
    return spread
