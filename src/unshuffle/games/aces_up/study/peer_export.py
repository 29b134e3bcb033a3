"""Export of rule lists' wins as another Aces Up program keeps them: its five tables, its notation, byte for byte.

Lines are not stored: the Python rules play each again, and the result must agree with the store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import unshuffle as un
from unshuffle.deals import Source
from unshuffle.errors import InternalError, UsageError
from unshuffle.files import whole_file
from unshuffle.game import AnyGame
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.study.importing import FOREIGN, GAME
from unshuffle.games.aces_up.study.peer_file import TABLES
from unshuffle.rulebook import write_rules
from unshuffle.simulate import Luck, Policy, play_game, policy_of
from unshuffle.store import DECKS, Batch, ImportedWin, Run, Store

_RULES = "policy:rules:"
_AT_ONCE = 1000
_TYPES = {"runtime": "REAL"} | dict.fromkeys(("cards", "moves_str", "rule_counts", "rule_list"), "TEXT")


class _Win(NamedTuple):
    """A win in the form of those tables."""

    deck: str
    moves: str
    rule_counts: str
    rules: str


def write_file(store: Store, study: str, path: Path) -> int:
    """Write every win of the study that has a place in those tables, and return their number; whole or not at all.

    These are games of `standard` by rule lists in the dialect `classic`, and wins that were imported from such a file.
    """
    game = un.game(GAME)
    runs = [run for run in store.runs(study) if _has_place(run, game)]
    batches = [batch for batch in store.batches(study) if batch.wins_only]
    if not runs and not batches:
        raise UsageError(
            f"the study {study!r} has nothing to write there: expected games of {game} by rule lists in the dialect"
            " classic (--policy rules:2,1,10)"
        )
    try:
        with whole_file(path) as unfinished, closing(sqlite3.connect(unfinished)) as db:
            # A draft that fails is thrown away; nothing in it need be rolled back.
            db.execute("PRAGMA journal_mode = OFF")
            for table, columns in TABLES.items():
                others = ", ".join(f"{column} {_TYPES.get(column, 'INTEGER')}" for column in columns[1:])
                db.execute(f"CREATE TABLE {table} ({columns[0]} INTEGER UNIQUE NOT NULL PRIMARY KEY, {others})")
            tables = _Tables(db)
            for run in runs:
                tables.add(_run_settings(store, run), _run_wins(store, run, game))
            for batch in batches:
                tables.add(_batch_settings(batch), _imported_wins(store, batch, game))
            db.commit()
    except sqlite3.Error as error:
        raise UsageError(f"cannot write {str(path)!r}: {error}") from error
    return tables.wins


def _has_place(run: Run, game: AnyGame) -> bool:
    return (
        (run.game, run.variant, run.rules) == (game.id, game.variant, write_rules(game.rules))
        and run.method.startswith(_RULES)
        and "@" not in run.method
    )


class _Tables:
    """A writer of the tables' rows. A deck or a list that is there already keeps its number."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._numbers: dict[str, dict[str, int]] = {"decks": {}, "strategies": {}}
        self._batches = 0
        self.wins = 0

    def add(self, settings: Sequence[Any], wins: Iterator[_Win]) -> None:
        """Add a batch and its wins."""
        self._batches += 1
        self._db.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?)", (self._batches, *settings))
        for win in wins:
            self.wins += 1
            deck, rules = self._number("decks", win.deck), self._number("strategies", win.rules)
            self._db.execute("INSERT INTO moves VALUES (?, ?, ?)", (self.wins, win.moves, win.rule_counts))
            self._db.execute(
                "INSERT INTO solutions VALUES (?, ?, ?, ?, ?)", (self.wins, deck, self.wins, rules, self._batches)
            )

    def _number(self, table: str, text: str) -> int:
        numbers = self._numbers[table]
        if text not in numbers:
            numbers[text] = len(numbers) + 1
            self._db.execute(f"INSERT INTO {table} VALUES (?, ?)", (numbers[text], text))
        return numbers[text]


def _run_settings(store: Store, run: Run) -> tuple[Any, ...]:
    summary = store.summary(run)
    numbers = sorted(peer.read_numbers(run.method.removeprefix(_RULES)))
    return summary.n, str(numbers), 0, 0, summary.n, summary.seconds


def _batch_settings(batch: Batch) -> tuple[Any, ...]:
    return tuple(batch.settings.get(column) for column in TABLES["batches"][1:])


def _run_wins(store: Store, run: Run, game: AnyGame) -> Iterator[_Win]:
    policy = policy_of(game, run.method.removeprefix("policy:"))
    rules = run.method.removeprefix(_RULES)
    wins = store.wins(run)
    for begin in range(0, len(wins), _AT_ONCE):
        some = wins[begin : begin + _AT_ONCE]
        seeds = [seed for seed, _ in some]
        if run.generator == DECKS:
            decks = store.decks(run.game, seeds)
        else:
            decks = [Source(seed, run.generator).deck(game.pack) for seed in seeds]
        for deck, (seed, tableau_moves) in zip(decks, some, strict=True):
            yield _play(game, policy, deck, rules, tableau_moves, f"{run.study}: {run.generator}:{seed}")


def _play(
    game: AnyGame, policy: Policy, deck: Sequence[un.Card], rules: str, tableau_moves: int | None, what: str
) -> _Win:
    start = game.start(tuple(deck))
    # A list of rules uses no random numbers.
    played = play_game(policy, start, Luck(what))
    counts = dict(played.rule_counts)
    if not played.won or sum(counts.values()) != tableau_moves:
        raise InternalError(f"{what} is stored as won by {policy.name}, and now it is not played so", f"deck: {deck}")
    return _Win(peer.write_deck(deck), peer.write_moves(start, played.moves), peer.write_rule_counts(counts), rules)


def _imported_wins(store: Store, batch: Batch, game: AnyGame) -> Iterator[_Win]:
    entered = {strategy.policy: entry.entered for entry, strategy in store.entries(batch)}
    for _, win in store.imported_wins(batch):
        policy = win.strategy.policy
        rules = entered.get(policy, policy.removeprefix("rules:").removeprefix(f"{FOREIGN}:"))
        if win.moves is None:
            what = f"{batch.study}: {batch.source}, solution {win.number}"
            yield _play(game, policy_of(game, policy), win.deck, rules, win.tableau_moves, what)
        else:
            yield _replay(game, win, rules, win.moves)


def _replay(game: AnyGame, win: ImportedWin, rules: str, moves: str) -> _Win:
    start = game.start(win.deck)
    line = [game.parse_move(token) for token in moves.split()]
    return _Win(peer.write_deck(win.deck), peer.write_moves(start, line), win.rule_counts or "[]", rules)
