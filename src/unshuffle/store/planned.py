"""Over which deals a run was planned, from its beginning on: reports tell by it whether a study was extended."""

from __future__ import annotations

from sqlite3 import Connection

from unshuffle.store.owner import now
from unshuffle.store.records import Planned, Run
from unshuffle.store.seals import seal


def add_planned(db: Connection, run: Run, whole: range | None) -> None:
    """Store the present plan of a run, after those that it had before; `whole` is that of which it is a share."""
    ends = (None, None) if whole is None else (whole[0], whole[-1])
    db.execute(
        "INSERT INTO planned (run_id, number, first_seed, last_seed, finished, whole_first, whole_last, created)"
        " SELECT ?1, (SELECT count(*) + 1 FROM planned WHERE run_id = ?1), ?2, ?3,"
        " (SELECT coalesce(sum(won + lost + undecided), 0) FROM chunk WHERE run_id = ?1 AND finished IS NOT NULL),"
        " ?4, ?5, ?6",
        (run.id, run.first_seed, run.last_seed, *ends, now()),
    )
    seal(db, "planned", "run_id = ?", (run.id,))


def read_plans(db: Connection, run: Run) -> list[Planned]:
    """Return the plans of a run, the first one first."""
    rows = db.execute(
        "SELECT first_seed, last_seed, finished, whole_first, whole_last, created FROM planned WHERE run_id = ?"
        " ORDER BY number",
        (run.id,),
    )
    return [
        Planned(
            first_seed=first,
            last_seed=last,
            finished=finished,
            whole=None if begin is None else (begin, end),
            created=created,
        )
        for first, last, finished, begin, end, created in rows
    ]
