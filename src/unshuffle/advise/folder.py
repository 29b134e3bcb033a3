"""A folder of saved games: one file per game, written atomically."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from unshuffle.errors import ParseError, StoreError, UsageError, quote
from unshuffle.files import locked, whole_file
from unshuffle.game import AnyGame
from unshuffle.registry import game as find_game
from unshuffle.terminal import in_shell

VARIABLE = "UNSHUFFLE_SAVES"
PLAY_FORMAT = "unshuffle-play"
"""The format of games of `unshuffle play`; the format of an advised game names the game: `unshuffle-gaps`."""
LOCK = ".lock"
"""The lock file of a folder. It is never removed: on a network drive other programs may still hold it then."""
_PATIENCE = 10.0
"""Seconds to wait for the lock. A save takes milliseconds, so a longer holder hangs."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def default_folder() -> Path:
    """Return $UNSHUFFLE_SAVES, or `saves` in the working directory."""
    return Path(os.environ.get(VARIABLE) or "saves")


def is_id(text: str) -> bool:
    """Return whether a game may have this id."""
    return _ID.fullmatch(text) is not None and text.lower() != "z"


def check_id(text: str) -> str:
    """Return the id of a game. ParseError if it is not allowed."""
    if not is_id(text):
        raise ParseError(
            f"{quote(text)} is not a game id; expected up to 64 letters, digits, '-' and '_', not 'z' alone"
        )
    return text


def new_id() -> str:
    """Return a random id of 8 hex digits."""
    return secrets.token_hex(4)


def now() -> str:
    """Return the current time in the format of saves."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class BrokenError(ValueError):
    """A save file with invalid contents."""


class ChangedError(StoreError):
    """A save that another program has changed since it was read."""


class Folder:
    """A folder of saved games, which other programs may use at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, bytes] = {}

    @property
    def option(self) -> str:
        """The command-line option that selects this folder, with a leading blank; "" for the default folder."""
        return "" if self.folder == default_folder() else f" --saves {in_shell(str(self.folder))}"

    def path(self, name: str) -> Path:
        """Return the file of the game with this id."""
        return self.folder / f"{name}.json"

    def holds(self, name: str) -> bool:
        """Return whether the id is in use; a broken file uses it too."""
        return os.path.lexists(self.path(name))

    def names(self) -> list[str]:
        """Return the ids in use, sorted."""
        return sorted(path.stem for path in self.folder.glob("*.json") if _ID.fullmatch(path.stem))

    def read_bytes(self, name: str) -> bytes:
        """Return the bytes of a game's file. ParseError if it cannot be read."""
        path = self.path(check_id(name))
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise ParseError(f"there is no game {quote(name)} in {quote(str(self.folder))}") from None
        except OSError as error:
            raise ParseError(f"cannot read {quote(str(path))}: {error.strerror or error}") from None

    def left(self, name: str) -> str:
        """Return the part of an error message that says the file was left unchanged."""
        return f"{quote(str(self.path(name)))} was left as it is"

    def decode(self, name: str, data: bytes) -> Any:
        """Return the JSON value of a file."""
        try:
            return json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise ParseError(f"the game {quote(name)} is broken: its file is not JSON; {self.left(name)}") from None

    def check_version(self, name: str, version: object, known: int) -> None:
        """Raise ParseError if a newer unshuffle has written the file."""
        if isinstance(version, int) and version > known:
            raise ParseError(
                f"the game {quote(name)} was saved by a newer unshuffle (version {version} of its file, this unshuffle"
                f" knows {known}); {self.left(name)}"
            )

    def knows(self, name: str, data: bytes) -> None:
        """Remember the current bytes of the file, which allows overwriting it."""
        self._known[name] = data

    def is_known(self, name: str) -> bool:
        """Return whether the file is unchanged since it was read or written here."""
        try:
            return self.path(name).read_bytes() == self._known.get(name)
        except OSError:
            return False

    def write_text(self, name: str, text: str) -> None:
        """Write the file atomically.

        Only if it is unchanged since it was read or written here, or if it is new; otherwise leave it unchanged and
        raise ChangedError.
        """
        path = self.path(name)
        data = text.encode()
        with self._alone(f"the game cannot be saved in {quote(str(path))}"):
            self._check_known(name)
            with whole_file(path) as unfinished, unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        self._known[name] = data

    def delete(self, name: str) -> None:
        """Delete the file, if it is unchanged since it was read or written here."""
        path = self.path(check_id(name))
        with self._alone(f"{quote(str(path))} cannot be deleted"):
            self._check_known(name)
            path.unlink(missing_ok=True)
        self._known.pop(name, None)

    @contextmanager
    def _alone(self, trouble: str) -> Iterator[None]:
        """Lock the folder against other processes and threads."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with locked(self.folder / LOCK, _PATIENCE):
                yield
        except OSError as error:
            raise StoreError(f"{trouble}: {error.strerror or error}") from None

    def _check_known(self, name: str) -> None:
        """Raise ChangedError if another program has begun, changed or deleted the game."""
        path, known = self.path(name), self._known.get(name)
        try:
            present = path.read_bytes()
        except FileNotFoundError:
            present = None
        if present == known:
            return
        if present is None:
            raise ChangedError(f"{quote(str(path))} was deleted by another program meanwhile; it was not written again")
        done = "begun" if known is None else "changed"
        raise ChangedError(f"{quote(str(path))} was {done} by another program meanwhile; it was left as it is")


def in_lines(value: Mapping[str, Any]) -> str:
    """Return JSON with one line per key: short enough to read and to compare."""
    return "{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in value.items()) + "}\n"


# Values in a save.


def get(value: Any, name: str, *kinds: type) -> Any:
    """Return a required value."""
    if not isinstance(value, dict) or name not in value:
        raise BrokenError(f"{name!r} is missing")
    found = value[name]
    if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
        raise BrokenError(f"{name!r} is not what it should be")
    return found


def may(value: Any, name: str, default: Any, *kinds: type) -> Any:
    """Return an optional value: only the flow itself needs it, so other programs may leave it out."""
    return get(value, name, *kinds) if isinstance(value, dict) and name in value else default


def texts(value: Any, name: str) -> list[str]:
    """Return a list of one-line strings."""
    found = get(value, name, list)
    if not all(isinstance(part, str) and len(part.splitlines()) <= 1 for part in found):
        raise BrokenError(f"{name!r} is not a list of texts")
    return list(found)


def write_game(game: AnyGame) -> dict[str, Any]:
    """Return the rules and their variant as JSON values."""
    return {"variant": game.variant, **asdict(game.rules)}


def read_game(game_id: str, value: Any) -> AnyGame:
    """Return the game of a save."""
    rules = dict(get(value, "rules", dict))
    variant = get(rules, "variant", str)
    del rules["variant"]
    found = find_game(game_id)
    with suppress(UsageError):
        game = found.with_rules(variant)
        if asdict(game.rules) == rules:
            return game
    return found.with_rules(**rules)  # the fields decide: the names of variants may change
