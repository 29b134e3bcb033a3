"""Queries on the results of a run: verdicts for other runs, the course of the counts, and the engines used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from unshuffle.store.opened import Opened
from unshuffle.store.records import LIMITS, LOST, WON, Run

_SEEDS_AT_ONCE = 500
_ROWS = 20_000
_ONE_BY_ONE = 2_000
_KINDS = {WON: "won", LOST: "lost"} | dict.fromkeys(LIMITS, "undecided")


class Verdict(NamedTuple):
    """How one deal ended."""

    seed: int
    score: int
    moves: str | None
    """Tokens, if the run keeps them."""
    origin: int
    """The id of the run whose search decided it; not `run` if the result was inferred."""
    run: int
    """The id of the run whose result this is."""


_VERDICTS = "SELECT seed, score, moves, coalesce(inferred_from, run_id), run_id FROM result WHERE run_id = ?"


class Step(NamedTuple):
    """The counts of some consecutive deals."""

    deals: int
    won: int
    undecided: int


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
    """Summed over the deals, which several threads play at once."""
    first_finished: str
    last_finished: str


class ResultTable(Opened):
    """Queries on the table `result`, or on `chunk` where its counts suffice."""

    def verdicts(self, run: Run, status: str, first: int, last: int) -> list[Verdict]:
        """Return the deals first..last of a solver run that ended with this status."""
        with self._reading_results(run, first=first, last=last) as db:
            rows = db.execute(f"{_VERDICTS} AND status = ? AND seed BETWEEN ? AND ?", (run.id, status, first, last))
            return list(map(Verdict._make, rows))

    def best_scores(self, runs: Sequence[Run], seeds: Sequence[int], *, with_moves: bool) -> dict[int, Verdict]:
        """Return for each of these seeds the result with the highest score in these runs; the first of equal ones.

        With `with_moves`, consider only results that have kept their moves.
        """
        kept = " AND moves IS NOT NULL" if with_moves else ""
        best: dict[int, Verdict] = {}
        with self._reading_results(*runs, first=min(seeds, default=0), last=max(seeds, default=0)) as db:
            for run in runs:
                for begin in range(0, len(seeds), _SEEDS_AT_ONCE):
                    some = seeds[begin : begin + _SEEDS_AT_ONCE]
                    marks = ", ".join("?" * len(some))
                    for row in map(
                        Verdict._make, db.execute(f"{_VERDICTS} AND seed IN ({marks}){kept}", (run.id, *some))
                    ):
                        if row.seed not in best or row.score > best[row.seed].score:
                            best[row.seed] = row
        return best

    def first_results(self, run: Run, count: int) -> list[tuple[int, str, int, bool, str, int | None]]:
        """Return the first results of a solver run: seed, status, score, `score_proved`, engine, `inferred_from`."""
        with self._reading_results(run) as db:
            rows = db.execute(
                "SELECT seed, status, score, score_proved, (SELECT engine FROM chunk WHERE chunk.run_id = result.run_id"
                " AND first <= seed ORDER BY first DESC LIMIT 1), inferred_from FROM result WHERE run_id = ?"
                " ORDER BY seed LIMIT ?",
                (run.id, count),
            )
            return [(seed, status, score, bool(proved), *rest) for seed, status, score, proved, *rest in rows]

    def course(self, run: Run) -> list[Step]:
        """Return the counts in the order of the seeds: the first deals one by one, the others chunk by chunk.

        A plot over the logarithm of n needs only the first deals one by one, so only some thousand results are read.
        """
        course: list[Step] = []
        with self._reading_results(run) as db:
            chunks = db.execute(
                "SELECT first, last, won + lost + undecided, won, undecided FROM chunk"
                " WHERE run_id = ? AND finished IS NOT NULL ORDER BY first",
                (run.id,),
            )
            for first, last, *counts in chunks.fetchall():
                course += self._steps(run, first, last) if len(course) < _ONE_BY_ONE else [Step(*counts)]
        return course

    def _steps(self, run: Run, first: int, last: int) -> list[Step]:
        if run.is_solver:
            rows = self._db.execute(
                "SELECT status FROM result WHERE run_id = ? AND seed BETWEEN ? AND ? ORDER BY seed",
                (run.id, first, last),
            )
            return [Step(1, status == WON, status in LIMITS) for (status,) in rows]
        block = self._db.execute("SELECT count, won FROM block WHERE run_id = ? AND first = ?", (run.id, first))
        count, won = block.fetchone()
        return [Step(1, won[place >> 3] >> (place & 7) & 1, 0) for place in range(count)]

    def node_spread(self, run: Run) -> dict[str, Counter[int]]:
        """Return for won, lost and undecided deals a map from k to the number of searches of 2^k to 2^(k+1) - 1 nodes.

        Inferred deals are left out. Every result is read, some at a time: a second for a million, less than half of
        what grouping by SQL takes.
        """
        counts: Counter[tuple[str, int]] = Counter()
        with self._reading_results(run) as db:
            query = "SELECT status, nodes FROM result WHERE run_id = ? AND inferred_from IS NULL"
            rows = db.execute(query, (run.id,))
            while some := list(islice(rows, _ROWS)):
                counts.update((status, nodes.bit_length()) for status, nodes in some)
        spread: dict[str, Counter[int]] = {kind: Counter() for kind in _KINDS.values()}
        for (status, bits), deals in counts.items():
            # A search of 0 nodes counts as one of 1 node.
            spread[_KINDS[status]][max(0, bits - 1)] += deals
        return spread

    def work(self, run: Run) -> list[Work]:
        """Return how much of the run each engine and version has done, the largest share first."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT coalesce(engine, 'unknown'), coalesce(package_version, 'unknown'), count(*),"
                " sum(won + lost + undecided) AS deals, sum(replayed), sum(seconds), min(finished), max(finished)"
                " FROM chunk WHERE run_id = ? AND finished IS NOT NULL GROUP BY 1, 2 ORDER BY deals DESC, 1, 2",
                (run.id,),
            )
            return [Work(*row) for row in rows]
