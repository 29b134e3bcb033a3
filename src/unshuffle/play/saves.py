"""Save files of played games. They share the folder of advised games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unshuffle.advise import folder as saved
from unshuffle.advise.folder import PLAY_FORMAT, BrokenError, Folder, get, may, texts
from unshuffle.deals import DealId
from unshuffle.errors import ParseError, quote
from unshuffle.play.table import Table

VERSION = 1


class PlaySaves(Folder):
    """A folder of saved games. Opens those of one game (`game_id`)."""

    def __init__(self, folder: Path, game_id: str) -> None:
        super().__init__(folder)
        self.game_id = game_id

    def played(self) -> list[tuple[str, Table | ParseError]]:
        """Return the played games of the folder, each with its table or the error of its file."""
        found: list[tuple[str, Table | ParseError]] = []
        for name in self.names():
            try:
                value = self.decode(name, self.read_bytes(name))
            except ParseError as error:
                found.append((name, error))
                continue
            if isinstance(value, dict) and (value.get("format"), value.get("game")) == (PLAY_FORMAT, self.game_id):
                try:
                    found.append((name, self.parse(name, value)))
                except ParseError as error:
                    found.append((name, error))
        return found

    def read(self, name: str) -> Table:
        """Return a saved game. Raise ParseError for a broken file, which stays unchanged."""
        data = self.read_bytes(name)
        table = self.parse(name, self.decode(name, data))
        self.knows(name, data)
        return table

    def parse(self, name: str, value: Any) -> Table:
        """Return the table of the JSON value of a file."""
        if not isinstance(value, dict) or value.get("format") != PLAY_FORMAT:
            raise ParseError(f"{quote(name)} is not a game of `unshuffle play`; {self.left(name)}")
        version = value.get("version")
        self.check_version(name, version, VERSION)
        try:
            if version != VERSION:
                raise BrokenError(f"it has version {version!r}")
            other = get(value, "game", str)
            if other != self.game_id:
                raise ParseError(f"it is a game of {quote(other)}, not of {self.game_id}")
            return _read_table(name, self.game_id, value)
        except ValueError as error:
            what = "is broken" if isinstance(error, BrokenError) else "cannot be opened"
            lines = "; ".join(str(error).splitlines())
            raise ParseError(f"the game {quote(name)} {what}: {lines}; {self.left(name)}") from None

    def write(self, table: Table) -> None:
        """Write the file atomically."""
        self.write_text(table.name, _write_table(table))


def _write_table(table: Table) -> str:
    return saved.in_lines(
        {
            "format": PLAY_FORMAT,
            "version": VERSION,
            "id": table.name,
            "created": table.created,
            "updated": saved.now(),
            "game": table.game.id,
            "rules": saved.write_game(table.game),
            "deal": table.start.id,
            "layout": table.game.format(table.start),
            "moves": [move.token for move in table.moves],
            "undone": [move.token for move in table.undone],
            "taken_back": table.taken_back,
            "hints": table.hints,
            "looked": table.looked,
            "by_chance": table.by_chance,
        }
    )


def _read_table(name: str, game_id: str, value: Any) -> Table:
    game = saved.read_game(game_id, value)
    start = game.parse(get(value, "layout", str))
    deal = may(value, "deal", None, str, type(None))
    if start.id != deal:
        if deal is not None and str(DealId.parse(deal)) != deal:
            raise BrokenError(f"'deal' is {quote(deal)}")
        start = game.with_id(start, deal)
    table = Table(game, start, name, may(value, "created", "", str))
    for move in _read_moves(table, texts(value, "moves"), "moves"):
        table.play(move)
    undone = texts(value, "undone") if "undone" in value else []
    table.undone = _read_moves(table, undone[::-1], "undone")[::-1]
    table.taken_back = may(value, "taken_back", 0, int)
    table.hints = may(value, "hints", 0, int)
    table.looked = may(value, "looked", False, bool)
    table.by_chance = may(value, "by_chance", False, bool)
    return table


def _read_moves(table: Table, tokens: list[str], part: str) -> list[Any]:
    try:
        return table.read(tokens)
    except ParseError as error:
        raise BrokenError(f"{part!r}: {error}") from None
