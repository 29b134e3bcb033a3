"""Graded deals: deals that are proved to be winnable, with a difficulty and the line that wins them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import nan
from sqlite3 import Connection
from typing import Any, NamedTuple

from unshuffle.deals import DealId, Source
from unshuffle.store.opened import Opened
from unshuffle.store.owner import now
from unshuffle.store.records import LAST_STORED_SEED
from unshuffle.store.seals import seal

NOT_MEASURED = "not measured"
"""Stands for the difficulty if the games of the panel took too long. No such deal is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedDeal:
    """A deal that is proved to be winnable, and how hard it is."""

    game: str
    variant: str
    rules: Mapping[str, str]
    source: Source
    proof: str
    """What found the line: 'solver' (all cards known), or 'policy:' and its name (what a player sees)."""
    score: int
    moves: str
    """The tokens of the winning line, which the Python rules have replayed."""
    measure: str
    """The name and version of the measure of difficulty."""
    wins: int
    """Games that the panel of policies has won."""
    games: int
    difficulty: str
    """'easy', 'medium' or 'hard'; or `NOT_MEASURED`."""
    engine: str
    package_version: str

    @property
    def deal(self) -> str:
        """The id of the deal."""
        return str(DealId(self.game, self.variant, self.source))

    @property
    def is_measured(self) -> bool:
        """Whether the panel has finished its games."""
        return self.games > 0

    @property
    def value(self) -> float:
        """The share of the panel's games that were won; nan if not measured."""
        return self.wins / self.games if self.is_measured else nan


class PassedDeal(NamedTuple):
    """A deal that was examined and not graded."""

    source: Source
    status: str
    """'lost' (proved), or 'undecided' under the limits."""
    limits: str


class Grading(NamedTuple):
    """The rules and the measure by which deals are graded."""

    game: str
    variant: str
    rules: Mapping[str, str]
    measure: str


_DEAL = "seed, proof, score, moves, measure, wins, games, difficulty, engine, package_version"
_GAME = "game = ? AND variant = ? AND rules = ? AND generator = ? AND number = ?"
_BETWEEN = f"looked_id = (SELECT id FROM looked_through WHERE {_GAME}) AND seed BETWEEN ? AND ?"


class GradedTable(Opened):
    """The tables `looked_through`, `graded_deal` and `passed_deal`."""

    def add_graded(self, grading: Grading, deals: Sequence[GradedDeal], passed: Sequence[PassedDeal] = ()) -> None:
        """Store deals, all or none. The grade of a deal that is stored already is replaced."""
        with self._writing() as db:
            for each in deals:
                values = (each.source.seed, each.proof, each.score, each.moves, each.measure, each.wins, each.games,
                          each.difficulty, each.engine, each.package_version)  # fmt: skip
                looked = _insert_game(db, grading, each.source)
                db.execute(
                    f"INSERT OR REPLACE INTO graded_deal (looked_id, created, {_DEAL}) VALUES (?, ?{', ?' * 10})",
                    (looked, now(), *values),
                )
                seal(db, "graded_deal", "looked_id = ? AND seed = ?", (looked, each.source.seed))
                # A deal that was undecided before may be decided now.
                db.execute("DELETE FROM passed_deal WHERE looked_id = ? AND seed = ?", (looked, each.source.seed))
            for stream, some in groupby(passed, lambda each: (each.source.generator, each.source.number)):
                looked = _insert_game(db, grading, Source(0, *stream))
                rows = [(looked, each.source.seed, each.status, each.limits) for each in some]
                for row in rows:
                    db.execute(
                        "INSERT OR REPLACE INTO passed_deal (looked_id, seed, status, limits) VALUES (?, ?, ?, ?)", row
                    )
                    seal(db, "passed_deal", "looked_id = ? AND seed = ?", row[:2])

    def graded(
        self, game: str, variant: str, difficulty: str | None = None, limit: int | None = None
    ) -> list[GradedDeal]:
        """Return the graded deals of a game, ordered by generator and number."""
        where, values = "game = ? AND variant = ?", [game, variant]
        if difficulty is not None:
            where, values = f"{where} AND difficulty = ?", [*values, difficulty]
        return self._read_graded(where, values, limit)

    def graded_in(self, grading: Grading, first: Source, last: int) -> list[GradedDeal]:
        """Return the deals from `first` to the seed `last` of its generator that are graded by this measure."""
        return self._read_graded(f"{_BETWEEN} AND measure = ?", (*_range(grading, first, last), grading.measure))

    def passed_in(self, grading: Grading, first: Source, last: int) -> dict[int, PassedDeal]:
        """Return by seed the deals from `first` to the seed `last` that were examined and not graded."""
        with self._reading() as db:
            rows = db.execute(
                f"SELECT seed, status, limits FROM passed_deal WHERE {_BETWEEN}", _range(grading, first, last)
            )
            return {seed: PassedDeal(replace(first, seed=seed), *rest) for seed, *rest in rows}

    def _read_graded(self, where: str, values: Sequence[Any], limit: int | None = None) -> list[GradedDeal]:
        with self._reading() as db:
            rows = db.execute(
                f"SELECT game, variant, rules, generator, number, {_DEAL} FROM graded_deal"
                f" JOIN looked_through ON looked_through.id = looked_id WHERE {where}"
                " ORDER BY generator, number, seed LIMIT ?",
                (*values, -1 if limit is None else limit),
            )
            return [_read(row) for row in rows]


def _insert_game(db: Connection, grading: Grading, source: Source) -> int:
    """Return the id of the row of `looked_through`, inserting it if needed. Must be called within a transaction."""
    key = _key(grading, source)
    found = db.execute(f"SELECT id FROM looked_through WHERE {_GAME}", key).fetchone()
    if found is None:
        columns = "game, variant, rules, generator, number"
        found = db.execute(
            f"INSERT INTO looked_through ({columns}) VALUES (?, ?, ?, ?, ?) RETURNING id", key
        ).fetchone()
        seal(db, "looked_through", "id = ?", found)
    return int(found[0])


def _key(grading: Grading, source: Source) -> tuple[object, ...]:
    return grading.game, grading.variant, json.dumps(dict(grading.rules)), source.generator, source.number


def _range(grading: Grading, first: Source, last: int) -> tuple[object, ...]:
    # SQLite has no larger integers, so no deal beyond is stored.
    return *_key(grading, first), min(first.seed, LAST_STORED_SEED), min(last, LAST_STORED_SEED)


def _read(row: tuple[Any, ...]) -> GradedDeal:
    game, variant, rules, generator, number, seed, *rest = row
    proof, score, moves, measure, wins, games, difficulty, engine, version = rest
    return GradedDeal(
        game=game, variant=variant, rules=json.loads(rules), source=Source(seed, generator, number), proof=proof,
        score=score, moves=moves, measure=measure, wins=wins, games=games, difficulty=difficulty, engine=engine,
        package_version=version,
    )  # fmt: skip
