"""Batches: tournaments with their settings, and wins that were imported from another program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from sqlite3 import Connection
from typing import Any, NamedTuple

from unshuffle.store.decks import Deck, DeckTable, insert_decks
from unshuffle.store.opened import add_study, check_name
from unshuffle.store.owner import now
from unshuffle.store.seals import seal
from unshuffle.store.strategies import Strategy, insert_strategy

FINISHED, INTERRUPTED = "finished", "interrupted"
_COLUMNS = (
    "game, variant, settings, engine, package_version, batch.created, ended, state, games, wins, seconds, wins_only,"
    " source"
)


class Entry(NamedTuple):
    """A list of rules as it was entered, and the strategy that is played for it."""

    entered: str
    """As it was given: '3,2,1', 'all', or the text of a policy."""
    policy: str
    """The canonical text of the policy that is played: 'rules:3'."""
    lists: int = 1
    """How many orders and prefixes of the entered list reduce to this strategy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A batch as it is stored."""

    id: int
    study: str
    game: str
    variant: str
    settings: Mapping[str, Any]
    engine: str
    package_version: str
    created: str
    ended: str | None = None
    state: str = "begun"
    """'begun' (still running, or killed), 'finished' or 'interrupted'."""
    games: int | None = None
    wins: int | None = None
    seconds: float | None = None
    wins_only: bool = False
    """Imported: the lost games are not known, so it gives no win rate."""
    source: str | None = None
    """Imported: the name of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedWin:
    """A win of another program, replayed by our rules."""

    number: int
    """The number that the other program gave it."""
    deck: Deck
    strategy: Strategy
    score: int
    tableau_moves: int
    agrees: bool | None
    """Whether our policy plays the same game; None if the list has no counterpart here."""
    moves: str | None = None
    """Tokens; None if our policy makes the same moves."""
    rule_counts: str | None = None
    """As the other program gave them; None if our policy makes the same moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedBatch:
    """A batch of another program, to be stored."""

    game: str
    variant: str
    settings: Mapping[str, Any]
    engine: str
    source: str
    digest: str
    """Identifies the contents, so that a batch is stored only once."""
    seconds: float | None = None
    entries: Sequence[tuple[str, Strategy]] = ()
    """Each list as it was entered, and its strategy."""
    wins: Sequence[ImportedWin] = field(default=())


class BatchTable(DeckTable):
    """The tables `batch`, `batch_entry` and `imported_win`."""

    def add_batch(
        self,
        study: str,
        settings: Mapping[str, Any],
        entered: Iterable[Entry],
        *,
        game: str,
        variant: str,
        engine: str,
    ) -> Batch:
        """Store the beginning of a tournament: its settings (JSON values) and the lists that were entered."""
        from unshuffle import __version__

        check_name(study)
        with self._writing() as db:
            row = db.execute(
                "INSERT INTO batch (study_id, game, variant, settings, engine, package_version, created, state)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 'begun') RETURNING id",
                (add_study(db, study), game, variant, json.dumps(dict(settings)), engine, __version__, now()),
            ).fetchone()
            seal(db, "batch", "id = ?", row)
            rows = [(row[0], each.entered, insert_strategy(db, game, each.policy), each.lists) for each in entered]
            _insert_entries(db, row[0], rows)
        return self._batches("batch.id = ?", row)[0]

    def end_batch(self, batch: Batch, state: str, *, games: int, wins: int, seconds: float) -> None:
        """Store how a tournament ended ('finished' or 'interrupted'), with the games and wins of all lists."""
        with self._writing() as db:
            db.execute(
                "UPDATE batch SET state = ?, ended = ?, games = ?, wins = ?, seconds = ? WHERE id = ?",
                (state, now(), games, wins, seconds, batch.id),
            )
            seal(db, "batch", "id = ?", (batch.id,))

    def batches(self, study: str) -> list[Batch]:
        """Return the batches of a study, in the order in which they were begun."""
        return self._batches("study.name = ?", (study,))

    def _batches(self, where: str, values: tuple[Any, ...]) -> list[Batch]:
        with self._reading() as db:
            rows = db.execute(
                f"SELECT batch.id, study.name, {_COLUMNS} FROM batch JOIN study ON study.id = study_id"
                f" WHERE {where} ORDER BY batch.id",
                values,
            ).fetchall()
        return [_batch(row) for row in rows]

    def entries(self, batch: Batch) -> list[tuple[Entry, Strategy]]:
        """Return the lists that were entered, by their text, and the strategies that were played for them."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT entered, policy, lists, reduced, dialect FROM batch_entry"
                " JOIN strategy ON strategy.id = strategy_id WHERE batch_id = ? ORDER BY entered, strategy_id",
                (batch.id,),
            ).fetchall()
        return [(Entry(row[0], row[1], row[2]), Strategy(row[1], row[3], row[4])) for row in rows]

    def known_digests(self) -> set[str]:
        """Return the digests of the imported batches that are in the store."""
        with self._reading() as db:
            return {digest for (digest,) in db.execute("SELECT digest FROM batch WHERE digest IS NOT NULL")}

    def import_batches(self, study: str, batches: Sequence[ImportedBatch]) -> list[ImportedBatch]:
        """Store batches of another program, all or none, and return those that were not there yet."""
        from unshuffle import __version__

        check_name(study)
        with self._writing() as db:
            known = self.known_digests()
            new = list({each.digest: each for each in batches if each.digest not in known}.values())
            if not new:
                return []
            study_id = add_study(db, study)
            for batch in new:
                (batch_id,) = db.execute(
                    "INSERT INTO batch (study_id, game, variant, settings, engine, package_version, created, ended,"
                    " state, wins, seconds, wins_only, source, digest)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'finished', ?, ?, 1, ?, ?) RETURNING id",
                    (study_id, batch.game, batch.variant, json.dumps(dict(batch.settings)), batch.engine, __version__,
                     now(), now(), len(batch.wins), batch.seconds, batch.source, batch.digest),
                ).fetchone()  # fmt: skip
                seal(db, "batch", "id = ?", (batch_id,))
                entries = [(batch_id, text, insert_strategy(db, batch.game, each), 1) for text, each in batch.entries]
                _insert_entries(db, batch_id, entries)
                _insert_wins(db, batch_id, batch)
        return new

    def imported_wins(self, batch: Batch) -> Iterator[tuple[int, ImportedWin]]:
        """Yield the wins of an imported batch, each with the id of its deck."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT number, deck_id, policy, reduced, dialect, score, tableau_moves, agrees, moves, rule_counts"
                " FROM imported_win JOIN strategy ON strategy.id = strategy_id WHERE batch_id = ? ORDER BY number",
                (batch.id,),
            ).fetchall()
        decks = self.decks(batch.game, [row[1] for row in rows])
        for deck, row in zip(decks, rows, strict=True):
            number, deck_id, policy, reduced, dialect, score, tableau_moves, agrees, moves, rule_counts = row
            yield deck_id, ImportedWin(
                number=number, deck=deck, strategy=Strategy(policy, reduced, dialect), score=score,
                tableau_moves=tableau_moves, agrees=None if agrees is None else bool(agrees), moves=moves,
                rule_counts=rule_counts,
            )  # fmt: skip


def _insert_entries(db: Connection, batch_id: int, rows: Sequence[tuple[int, str, int, int]]) -> None:
    # Two equal entries become one row; their numbers of lists are added.
    db.executemany(
        "INSERT INTO batch_entry (batch_id, entered, strategy_id, lists) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (batch_id, entered, strategy_id) DO UPDATE SET lists = lists + excluded.lists",
        rows,
    )
    seal(db, "batch_entry", "batch_id = ?", (batch_id,))


def _insert_wins(db: Connection, batch_id: int, batch: ImportedBatch) -> None:
    decks = insert_decks(db, batch.game, (win.deck for win in batch.wins))
    db.executemany(
        "INSERT INTO imported_win (batch_id, number, deck_id, strategy_id, score, tableau_moves, agrees, moves,"
        " rule_counts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (batch_id, win.number, deck, insert_strategy(db, batch.game, win.strategy), win.score, win.tableau_moves,
             win.agrees, win.moves, win.rule_counts)
            for win, deck in zip(batch.wins, decks, strict=True)
        ],
    )  # fmt: skip
    seal(db, "imported_win", "batch_id = ?", (batch_id,))


def _batch(row: tuple[Any, ...]) -> Batch:
    values = dict(zip((each.name for each in fields(Batch)), row, strict=True))
    return Batch(**values | {"settings": json.loads(values["settings"]), "wins_only": bool(values["wins_only"])})
