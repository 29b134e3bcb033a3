"""All tables of the server: those in memory, and those in the folder of saves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from unshuffle.advise.folder import PLAY_FORMAT, ChangedError, Folder, is_id, new_id
from unshuffle.errors import ParseError, quote
from unshuffle.play import words
from unshuffle.play.saves import PlaySaves
from unshuffle.play.table import Table
from unshuffle.web import shapes
from unshuffle.web.trouble import NotThereError

_Answer = TypeVar("_Answer")
Stamp = tuple[int, int, int]


@dataclass
class Seat:
    """A table with a lock that admits one request at a time."""

    table: Table
    saves: PlaySaves
    """Its own folder object, which knows the file content that this table was read from or written to."""
    is_saved: bool = False
    lock: RLock = field(default_factory=RLock)


class Room:
    """All tables. From the first move on, a change is saved before it is answered."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = Folder(folder)
        self._most = most
        self._seats: OrderedDict[str, Seat] = OrderedDict()
        self._listed: dict[str, tuple[Stamp | None, shapes.Listed | None]] = {}
        self._lock = RLock()

    # Begin, read, change and delete.

    def add(self, table: Table) -> Seat:
        """Add a new table, and save it if a move was made."""
        seat = Seat(table, self._saves_of(table.game.id))
        if table.moves:
            self._save(seat, table)
        with self._lock:
            self._keep(table.name, seat)
        return seat

    def new_name(self) -> str:
        """Return an id that is not in use."""
        while True:
            name = new_id()
            if name not in self._seats and not self.folder.holds(name):
                return name

    @contextmanager
    def at(self, name: str) -> Iterator[Seat]:
        """Yield the locked table with this id. Read it again if another program has changed its save."""
        with self._lock:
            seat = self._seats.get(name)
            if seat is not None and seat.is_saved and not seat.saves.is_known(name):
                seat = None  # changed or deleted by another program
                del self._seats[name]
            if seat is None:
                seat = self._read(name)
            self._keep(name, seat)
        with seat.lock:
            yield seat

    def change(self, name: str, do: Callable[[Table], _Answer]) -> tuple[Seat, _Answer]:
        """Change a table, and return its seat and the result of `do`. If saving fails, the table stays unchanged."""
        with self._sit_at(name) as seat:
            table = seat.table
            draft = replace(table, states=[*table.states], moves=[*table.moves], undone=[*table.undone])
            found = do(draft)
            if draft.moves or seat.is_saved:
                try:
                    self._save(seat, draft)
                except ChangedError:
                    with self._lock:
                        self._seats.pop(name, None)  # the next request reads the save of the other program
                    raise
            seat.table = draft
            return seat, found

    @contextmanager
    def _sit_at(self, name: str) -> Iterator[Seat]:
        """Yield the locked table without checking its save: a change by another program is found when it is written."""
        while True:
            with self._lock:
                seat = self._seats.get(name)
            if seat is None:
                with self.at(name) as seat:
                    pass
            with seat.lock:
                # Another request may have dropped it from memory and read it again meanwhile.
                if self._seats.get(name) is seat:
                    yield seat
                    return

    def delete(self, name: str) -> None:
        """Delete a table and its save."""
        with self.at(name) as seat:
            try:
                if seat.is_saved:
                    seat.saves.delete(name)
            finally:
                with self._lock:
                    self._seats.pop(name, None)

    def _keep(self, name: str, seat: Seat) -> None:
        self._seats[name] = seat
        self._seats.move_to_end(name)
        while len(self._seats) > self._most:
            self._seats.popitem(last=False)

    # Saves.

    def _saves_of(self, game_id: str) -> PlaySaves:
        return PlaySaves(self.folder.folder, game_id)

    def _stamp(self, name: str) -> Stamp | None:
        try:
            found = self.folder.path(name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _save(self, seat: Seat, table: Table) -> None:
        seat.saves.write(table)
        seat.is_saved = True

    def _read(self, name: str) -> Seat:
        saves = self._saves_of(self._game_of(name))
        return Seat(saves.read(name), saves, is_saved=True)

    def _game_of(self, name: str) -> str:
        """Return the game id of a save. Raise NotThereError if there is none, or if it is no played game."""
        if not is_id(name) or not self.folder.holds(name):
            raise NotThereError(f"there is no table {quote(name)}")
        value = self.folder.decode(name, self.folder.read_bytes(name))
        if not isinstance(value, dict) or value.get("format") != PLAY_FORMAT:
            raise NotThereError(f"there is no table {quote(name)}: {self.folder.left(name)}")
        return str(value.get("game"))

    def file(self, name: str) -> bytes:
        """Return the content of the save file of a table. Save it first if it was never saved."""
        with self.at(name) as seat:
            if not seat.is_saved:
                self._save(seat, seat.table)
            return self.folder.read_bytes(name)

    def take_in(self, name: str, value: Any, *, renames: bool) -> str:
        """Store an uploaded save file, and return its id; with `renames` a new id if its own is in use."""
        game_id = str(value.get("game"))
        saves = self._saves_of(game_id)
        table = saves.parse(name, value)
        with self._lock:
            if name in self._seats or self.folder.holds(name):
                if self.folder.holds(name) and self.folder.decode(name, self.folder.read_bytes(name)) == value:
                    return name
                if not renames:
                    raise ChangedError(f"there is a game {quote(name)} already; it was left as it is")
                table.name = self.new_name()
            seat = Seat(table, saves)
            self._save(seat, table)
            self._keep(table.name, seat)
        return table.name

    def listed(self) -> list[shapes.Listed]:
        """Return the saved games, the last changed first."""
        found = []
        for name in self.folder.names():
            stamp = self._stamp(name)
            known = self._listed.get(name)
            if known is None or known[0] != stamp:
                known = self._listed[name] = stamp, self._list_one(name)
            if known[1] is not None:
                found.append(known[1])
        return sorted(found, key=lambda one: one.updated or "", reverse=True)

    def _list_one(self, name: str) -> shapes.Listed | None:
        try:
            value = self.folder.decode(name, self.folder.read_bytes(name))
            if not isinstance(value, dict) or value.get("format") != PLAY_FORMAT:
                return None
            table = self._saves_of(str(value.get("game"))).parse(name, value)
        except ParseError as error:
            return shapes.Listed(id=name, error=str(error))
        outcome = table.state.outcome
        return shapes.Listed(
            id=name,
            game=table.game.id,
            name=table.game.name,
            variant=table.game.variant,
            deal=table.start.id,
            score_text=words.score(table),
            outcome=None if outcome is None else outcome.value,
            moves_made=len(table.moves),
            updated=str(value.get("updated", "")),
        )
