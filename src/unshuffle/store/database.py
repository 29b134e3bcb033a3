"""The store: studies, their runs, pieces of work, and results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from itertools import chain
from sqlite3 import Connection
from typing import Any

from unshuffle.errors import UsageError, quote, unknown
from unshuffle.store.batches import BatchTable
from unshuffle.store.endings import Endings, read_endings
from unshuffle.store.games import GameTable, add_up
from unshuffle.store.graded import GradedTable
from unshuffle.store.opened import add_study, check_name
from unshuffle.store.owner import now
from unshuffle.store.records import (
    DECKS,
    LAST_STORED_SEED,
    Planned,
    Run,
    RunSpec,
    SolverRow,
    StudyInfo,
    Summary,
    summarize,
)
from unshuffle.store.results import ResultTable
from unshuffle.store.seals import digest_results, seal
from unshuffle.store.strategies import POLICY, insert_strategy
from unshuffle.store.widening import widen

_SPEC = tuple(field.name for field in fields(RunSpec))
_ROWS_AT_ONCE = 100


class Store(ResultTable, GameTable, BatchTable, GradedTable):
    """One SQLite file of studies. Use it in one thread, and as a context manager."""

    # Studies and runs.

    def studies(self) -> list[StudyInfo]:
        """Return all studies, ordered by name."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT name, study.created, count(DISTINCT run.id), coalesce(sum(won + lost + undecided), 0)"
                " FROM study LEFT JOIN run ON run.study_id = study.id"
                " LEFT JOIN chunk ON chunk.run_id = run.id AND finished IS NOT NULL GROUP BY study.id ORDER BY name"
            )
            return [StudyInfo(*row) for row in rows]

    def runs(self, study: str) -> list[Run]:
        """Return the runs of a study, in the order in which they were planned."""
        with self._reading() as db:
            found = db.execute("SELECT id FROM study WHERE name = ?", (study,)).fetchone()
            if found is None:
                names = [name for (name,) in db.execute("SELECT name FROM study ORDER BY name")]
                if not names:
                    raise UsageError(f"unknown study {quote(study)}: the store {str(self.path)!r} has no studies yet")
                raise unknown("study", study, names)
            return self._read_runs("study_id = ?", found)

    def _read_runs(self, where: str, values: Sequence[object]) -> list[Run]:
        rows = self._db.execute(
            f"SELECT run.id, study.name, run.created, {', '.join(_SPEC)} FROM run"
            f" JOIN study ON study.id = study_id WHERE {where} ORDER BY run.id",
            values,
        )
        return [_read_run(row) for row in rows]

    def add_run(self, study: str, spec: RunSpec) -> Run:
        """Plan a run, or extend a stored run to more seeds. Its results stay; other settings raise UsageError."""
        return self.add_runs(study, [spec])[0]

    def add_runs(self, study: str, specs: Sequence[RunSpec], wholes: Sequence[range | None] | None = None) -> list[Run]:
        """Plan several runs, all or none.

        `wholes` are the seeds of the whole plan, for each run that is a share of one.
        """
        check_name(study)
        for spec in specs:
            if not 0 <= spec.first_seed <= spec.last_seed <= LAST_STORED_SEED:
                raise UsageError(
                    f"the seeds {spec.first_seed}..{spec.last_seed} cannot be stored; a store has seeds 0..2^63-1"
                )
        with self._writing() as db:
            study_id = add_study(db, study)
            pairs = zip(specs, wholes or [None] * len(specs), strict=True)
            return [self._add_run(study_id, spec, whole) for spec, whole in pairs]

    def _add_run(self, study_id: int, spec: RunSpec, whole: range | None) -> Run:
        same = "study_id = ? AND game = ? AND variant = ? AND method = ?"
        key = (study_id, spec.game, spec.variant, spec.method)
        present = self._read_runs(same, key)
        if present:
            run = widen(present[0], spec)
            if run != present[0]:
                seeds = (run.first_seed, run.last_seed)
                self._db.execute("UPDATE run SET first_seed = ?, last_seed = ? WHERE id = ?", (*seeds, run.id))
                seal(self._db, "run", "id = ?", (run.id,))
                self._add_plan(run, whole)
            return run
        values = asdict(spec) | {"rules": json.dumps(dict(spec.rules))}
        strategy = None
        if spec.method.startswith(POLICY):
            strategy = insert_strategy(self._db, spec.game, spec.method.removeprefix(POLICY))
        self._db.execute(
            f"INSERT INTO run (study_id, created, strategy_id, {', '.join(_SPEC)})"
            f" VALUES (?, ?, ?{', ?' * len(_SPEC)})",
            (study_id, now(), strategy, *(values[name] for name in _SPEC)),
        )
        run = self._read_runs(same, key)[0]
        seal(self._db, "run", "id = ?", (run.id,))
        self._add_plan(run, whole)
        return run

    def _add_plan(self, run: Run, whole: range | None) -> None:
        """Append the present plan of a run to its earlier ones; `whole` are the seeds of which it is a share."""
        ends = (None, None) if whole is None else (whole[0], whole[-1])
        self._db.execute(
            "INSERT INTO planned (run_id, number, first_seed, last_seed, finished, whole_first, whole_last, created)"
            " SELECT ?1, (SELECT count(*) + 1 FROM planned WHERE run_id = ?1), ?2, ?3,"
            " (SELECT coalesce(sum(won + lost + undecided), 0) FROM chunk WHERE run_id = ?1 AND finished IS NOT NULL),"
            " ?4, ?5, ?6",
            (run.id, run.first_seed, run.last_seed, *ends, now()),
        )
        seal(self._db, "planned", "run_id = ?", (run.id,))

    def plans(self, run: Run) -> list[Planned]:
        """Return the first plan of the run and then each extension."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT first_seed, last_seed, finished, whole_first, whole_last, created FROM planned"
                " WHERE run_id = ? ORDER BY number",
                (run.id,),
            )
            return [
                Planned(first, last, done, None if begin is None else (begin, end), created)
                for first, last, done, begin, end, created in rows
            ]

    def delete(self, study: str) -> None:
        """Delete a study with all its results. The free space in the file is used again."""
        self.runs(study)
        with self._writing() as db:
            db.execute("DELETE FROM study WHERE name = ?", (study,))

    # Pieces of work.

    def claim(self, run: Run, owner: str, size: int, seeds: range | None = None) -> tuple[int, int] | None:
        """Claim up to `size` consecutive free seeds, of those given or of all planned; return the first and the last.

        A claim whose process has ended is ignored. None if no seeds are left; `claimed` tells who works on the others.
        """
        first, last = run.first_seed, run.last_seed
        if seeds is not None:
            first, last = max(first, seeds[0]), min(last, seeds[-1])
        claim = self.claim_together([run], owner, size, range(first, last + 1))
        return None if claim is None else claim[:2]

    def claimed(self, run: Run) -> dict[str, int]:
        """Return the processes that work on this run, with the number of deals that each has claimed."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT owner, sum(last - first + 1) FROM chunk WHERE run_id = ? AND finished IS NULL GROUP BY owner",
                (run.id,),
            )
            return dict(rows.fetchall())

    def finish_solver_chunk(
        self,
        run: Run,
        first: int,
        last: int,
        rows: Sequence[SolverRow],
        *,
        owner: str,
        engine: str,
        replayed: int,
    ) -> None:
        """Store the results of the seeds first..last, all or none. The rest of a longer claim stays claimed."""
        if [row[0] for row in rows] != list(range(first, last + 1)):
            raise ValueError(f"these are not the results of the seeds {first}..{last}")
        summary, scores = summarize(rows)
        with self._writing() as db:
            self._claims.finish(run.id, first, last, owner)
            _insert(db, run, rows)
            add_up(db, run, first, summary, scores, digest_results(rows), engine, replayed)

    # Results.

    def summary(self, run: Run) -> Summary:
        """Return the counts so far, from the summaries of the chunks only."""
        # One statement sees a consistent snapshot of a study that is running.
        with self._reading() as db:
            chunks = db.execute(
                "SELECT won, lost, undecided, inferred, completed, replayed, seconds, nodes_max, nodes_sum,"
                " nodes_squares FROM chunk WHERE run_id = ? AND finished IS NOT NULL",
                (run.id,),
            ).fetchall()
        columns = list(zip(*chunks, strict=True)) or [()] * 10
        won, lost, undecided, inferred, completed, replayed, seconds = map(sum, columns[:7])
        return Summary(
            won=won, lost=lost, undecided=undecided, inferred=inferred, completed=completed, replayed=replayed,
            seconds=seconds, nodes_max=max((most for most in columns[7] if most is not None), default=None),
            nodes_sum=sum(int(each or 0) for each in columns[8]),
            nodes_squares=sum(int(each or 0) for each in columns[9]),
            planned=won + lost + undecided if run.generator == DECKS else run.planned,
        )  # fmt: skip

    def scores(self, run: Run) -> dict[int, int]:
        """Return how many deals have each known score: one that is proved to be the best, or of a policy's game.

        A score that is only the best that a search has seen is in `rows` and is not counted here.
        """
        with self._reading() as db:
            return dict(db.execute("SELECT score, deals FROM score_count WHERE run_id = ? ORDER BY score", (run.id,)))

    def seeds_done(self, run: Run) -> list[tuple[int, int]]:
        """Return the seeds whose results are stored, as ranges that include both ends."""
        ranges: list[tuple[int, int]] = []
        with self._reading() as db:
            for first, last in db.execute(
                "SELECT first, last FROM chunk WHERE run_id = ? AND finished IS NOT NULL ORDER BY first", (run.id,)
            ):
                if ranges and ranges[-1][1] + 1 == first:
                    ranges[-1] = (ranges[-1][0], last)
                else:
                    ranges.append((first, last))
        return ranges

    def count_done(self, run: Run, *asked: range) -> int:
        """Return how many of the asked seeds have results."""
        done = self.seeds_done(run)
        return sum(max(0, min(last, a[-1]) - max(first, a[0]) + 1) for first, last in done for a in asked)

    def rows(self, run: Run) -> Iterator[dict[str, Any]]:
        """Yield every result, unpacked, in the order of the seeds."""
        with self._reading_results(run) as db:
            if run.is_solver:
                for row in db.execute("SELECT * FROM result WHERE run_id = ? ORDER BY seed", (run.id,)):
                    _, seed, status, score, proved, nodes, seconds, moves, origin = row
                    yield {"seed": seed, "status": status, "score": score, "score_proved": bool(proved), "nodes": nodes,
                           "seconds": seconds, "moves": moves, "inferred_from": origin}  # fmt: skip
                return
        for first, scores, won, moves in self.games(run, 0, LAST_STORED_SEED):
            for i, score in enumerate(scores):
                yield {"seed": first + i, "score": score, "won": bool(won[i]),
                       "tableau_moves": None if moves is None else moves[i]}  # fmt: skip

    def endings(self, run: Run) -> Endings:
        """Return how every finished deal ended, in a form that can be paired with other runs."""
        summary, ranges = self.summary(run), self.seeds_done(run)
        with self._reading_results(run) as db:
            return read_endings(db, run, summary, ranges)


def _insert(db: Connection, run: Run, rows: Sequence[SolverRow]) -> None:
    """Insert results, many to a statement: 1.5 times as fast as one by one."""
    one = f"({int(run.id)}, ?, ?, ?, ?, ?, ?, ?, ?)"
    whole = len(rows) - len(rows) % _ROWS_AT_ONCE
    many = f"INSERT INTO result VALUES {', '.join([one] * _ROWS_AT_ONCE)}"
    for begin in range(0, whole, _ROWS_AT_ONCE):
        db.execute(many, [*chain.from_iterable(rows[begin : begin + _ROWS_AT_ONCE])])
    db.executemany(f"INSERT INTO result VALUES {one}", rows[whole:])


def _read_run(row: tuple[Any, ...]) -> Run:
    run_id, study, created, *values = row
    spec = dict(zip(_SPEC, values, strict=True))
    spec["rules"] = json.loads(spec["rules"])
    spec |= {name: bool(spec[name]) for name in ("maximize", "keeps_moves", "infers")}
    return Run(id=run_id, study=study, created=created, **spec)
