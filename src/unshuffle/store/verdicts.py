"""Single results of a run, as other runs of the study take verdicts from them."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection
from typing import NamedTuple

from unshuffle.store.records import Run

_SEEDS_AT_ONCE = 500


class Verdict(NamedTuple):
    """How one deal ended."""

    seed: int
    score: int
    moves: str | None
    """Tokens, if the run keeps them."""
    origin: int
    """The id of the run whose search decided it: another one where it was inferred already."""
    run: int
    """The id of the run whose result this is."""


def read_verdicts(db: Connection, run: Run, status: str, first: int, last: int) -> list[Verdict]:
    """The deals first..last that ended so."""
    rows = db.execute(
        "SELECT seed, score, moves, coalesce(inferred_from, run_id), run_id FROM result"
        " WHERE run_id = ? AND status = ? AND seed BETWEEN ? AND ?",
        (run.id, status, first, last),
    )
    return list(map(Verdict._make, rows))


def read_best(db: Connection, runs: Sequence[Run], seeds: Sequence[int], with_moves: bool) -> dict[int, Verdict]:
    """Of each of these deals the result with the highest score; of equal ones the first."""
    best: dict[int, Verdict] = {}
    for run in runs:
        for begin in range(0, len(seeds), _SEEDS_AT_ONCE):
            some = seeds[begin : begin + _SEEDS_AT_ONCE]
            rows = db.execute(
                "SELECT seed, score, moves, coalesce(inferred_from, run_id), run_id FROM result"
                f" WHERE run_id = ? AND seed IN ({', '.join('?' * len(some))})"
                + (" AND moves IS NOT NULL" if with_moves else ""),
                (run.id, *some),
            )
            for row in map(Verdict._make, rows):
                if row.seed not in best or row.score > best[row.seed].score:
                    best[row.seed] = row
    return best
