"""Decks that were typed or imported, each stored once under a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from unshuffle.cards import Card, format_cards
from unshuffle.deals import Source
from unshuffle.errors import UsageError
from unshuffle.registry import game
from unshuffle.store.opened import Opened
from unshuffle.store.owner import now
from unshuffle.store.records import LAST_STORED_SEED
from unshuffle.store.seals import seal

Deck = tuple[Card, ...]
_IDS_AT_ONCE = 500


class DeckTable(Opened):
    """The table `deck`."""

    def add_decks(self, game_id: str, decks: Iterable[Deck | Source]) -> list[int]:
        """Store these decks and return their ids, in order. A deck that is stored already keeps its id."""
        with self._writing() as db:
            return insert_decks(db, game_id, decks)

    def decks(self, game_id: str, ids: Sequence[int]) -> list[Deck]:
        """Return the decks with these ids, each in deal order. Raises UsageError, which names the missing ids."""
        with self._reading() as db:
            found = _read(db, game_id, ids)
        missing = [str(each) for each in dict.fromkeys(ids) if each not in found]
        if missing:
            some = ", ".join(missing[:20]) + (f" and {len(missing) - 20:,} more" if len(missing) > 20 else "")
            raise UsageError(
                f"the store {str(self.path)!r} has no deck {some} of {game_id};"
                f" {self._count_decks(game_id)} (`--deck-file` and `study import` add decks)"
            )
        return [found[each] for each in ids]

    def deck_ids(self, game_id: str) -> list[int]:
        """Return the ids of all decks of a game."""
        with self._reading() as db:
            return [each for (each,) in db.execute("SELECT id FROM deck WHERE game = ? ORDER BY id", (game_id,))]

    def _count_decks(self, game_id: str) -> str:
        ids = self.deck_ids(game_id)
        return f"it has {len(ids):,}, with ids from {ids[0]} to {ids[-1]}" if ids else "it has none"


def insert_decks(db: Connection, game_id: str, decks: Iterable[Deck | Source]) -> list[int]:
    """Store decks and return their ids. Must be called within a transaction."""
    ids = []
    for deck in decks:
        if isinstance(deck, Source) and (deck.number > 1 or deck.seed > LAST_STORED_SEED):
            # No column holds the number in the stream, and SQLite has no larger integers: store the cards instead.
            deck = deck.deck(game(game_id).pack)
        if isinstance(deck, Source):
            values: tuple[object, ...] = (deck.generator, deck.seed)
            columns, found = "generator, seed", "generator = ? AND seed = ?"
        else:
            values = (format_cards(deck),)
            columns, found = "cards", "cards = ?"
        row = db.execute(f"SELECT id FROM deck WHERE game = ? AND {found}", (game_id, *values)).fetchone()
        if row is None:
            marks = ", ?" * len(values)
            row = db.execute(
                f"INSERT INTO deck (game, created, {columns}) VALUES (?, ?{marks}) RETURNING id",
                (game_id, now(), *values),
            ).fetchone()
            seal(db, "deck", "id = ?", row)
        ids.append(int(row[0]))
    return ids


def _read(db: Connection, game_id: str, ids: Sequence[int]) -> dict[int, Deck]:
    pack = game(game_id).pack
    wanted = [each for each in dict.fromkeys(ids) if 0 < each <= LAST_STORED_SEED]
    found: dict[int, Deck] = {}
    for begin in range(0, len(wanted), _IDS_AT_ONCE):
        some = wanted[begin : begin + _IDS_AT_ONCE]
        marks = ", ".join("?" * len(some))
        for number, generator, seed, cards in db.execute(
            f"SELECT id, generator, seed, cards FROM deck WHERE game = ? AND id IN ({marks})", (game_id, *some)
        ):
            found[number] = (
                tuple(map(Card.parse, cards.split())) if seed is None else Source(seed, generator).deck(pack)
            )
    return found
