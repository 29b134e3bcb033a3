"""Which engine of which version has done how much of a run, and when."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

from unshuffle.store.records import Run


@dataclass(frozen=True, slots=True)
class Work:
    """The finished chunks of one engine and version."""

    engine: str
    package_version: str
    chunks: int
    deals: int
    replayed: int
    """Lines that the Python rules replayed before they were stored."""
    seconds: float
    """Added up over the deals, which several threads play at once."""
    first_finished: str
    last_finished: str


def read_work(db: Connection, run: Run) -> list[Work]:
    """The work on a run, the most of it first."""
    rows = db.execute(
        "SELECT coalesce(engine, 'unknown'), coalesce(package_version, 'unknown'), count(*),"
        " sum(won + lost + undecided) AS deals, sum(replayed), sum(seconds), min(finished), max(finished)"
        " FROM chunk WHERE run_id = ? AND finished IS NOT NULL GROUP BY 1, 2 ORDER BY deals DESC, 1, 2",
        (run.id,),
    )
    return [Work(*row) for row in rows]
