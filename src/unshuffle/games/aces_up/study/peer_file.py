"""Reading of another Aces Up program's results file: five tables, and every fault in them at once."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from unshuffle.cards import Card
from unshuffle.errors import Faults, InvalidDealError, ParseError, in_a_line
from unshuffle.games.aces_up import peer
from unshuffle.store.schema import APPLICATION_ID

_MAGIC = b"SQLite format 3\0"

TABLES: Mapping[str, tuple[str, ...]] = {
    "decks": ("deck_id", "cards"),
    "moves": ("moves_id", "moves_str", "rule_counts"),
    "strategies": ("strategy_id", "rule_list"),
    "batches": ("batch_id", "n_decks", "rule_list", "permute", "sub_sets", "n_games", "runtime"),
    "solutions": ("solution_id", "deck_id", "moves_id", "strategy_id", "batch_id"),
}
"""Its tables and their columns; the first of each is its key."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PeerWin:
    """A row of `solutions`, with what it points at."""

    number: int
    deck: tuple[Card, ...]
    """In deal order."""
    rules: str
    """The list as the file has it: '2,1,100'."""
    steps: tuple[peer.Step, ...]
    rule_counts: str


@dataclass(frozen=True, slots=True)
class PeerBatch:
    """A row of `batches`, and its wins."""

    number: int
    settings: Mapping[str, Any]
    wins: tuple[PeerWin, ...]
    digest: str
    """Identifies the contents: the same batch has the same digest in any copy of the file."""


def read_peer_file(path: Path) -> list[PeerBatch]:
    """Return all batches with their wins; raise InvalidDealError, which names every row that cannot be read."""
    with _reading(path), closing(_connect(path)) as db:
        _check_tables(db, path)
        tables = {name: list(_rows(db, name)) for name in TABLES}
    try:
        return _read(tables)
    except InvalidDealError as error:
        error.add_note(f"{str(path)!r} cannot be imported, and nothing was")
        raise


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ParseError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (sqlite3.Error, UnicodeError) as error:
        raise ParseError(
            f"cannot read {str(path)!r}: SQLite refuses it ({in_a_line(error)}); nothing was imported"
        ) from None


def _connect(path: Path) -> sqlite3.Connection:
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except ValueError as error:  # a null byte in the name
        raise ParseError(f"cannot read {str(path)!r}: {error}") from None
    if not header.startswith(_MAGIC):
        raise ParseError(f"{str(path)!r} is not a SQLite file; nothing was imported")
    if int.from_bytes(header[68:72], "big") == APPLICATION_ID:
        raise ParseError(f"{str(path)!r} is a store of unshuffle; to use it, give it as --store")
    # Read only: whatever happens, the file stays as it is.
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _check_tables(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise ParseError(f"{str(path)!r} is damaged; nothing was imported ({in_a_line(found)})")
    missing = []
    for name, columns in TABLES.items():
        found = {row[1] for row in db.execute(f"PRAGMA table_info({name})")}
        if not found:
            missing.append(f"no table {name}")
        missing += [f"no column {name}.{column}" for column in columns if found and column not in found]
    if missing:
        raise ParseError(
            f"{str(path)!r} has other tables than results of Aces Up that can be imported: {', '.join(missing)};"
            " nothing was imported"
        )


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    columns = TABLES[table]
    return db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {columns[0]}")


def _read(tables: Mapping[str, list[tuple[Any, ...]]]) -> list[PeerBatch]:
    faults = Faults()
    for name, rows in tables.items():
        keys = Counter(row[0] for row in rows)
        for key, times in keys.items():
            if not isinstance(key, int) or times > 1:
                faults.add(f"{name}: {TABLES[name][0]} {key!r} {'is there twice' if times > 1 else 'is no number'}")
    faults.check()
    decks = _each(tables["decks"], "decks row", peer.read_deck, faults)
    lines = _each(tables["moves"], "moves row", peer.read_moves, faults)
    lists = _each(tables["strategies"], "strategies row", lambda text: (text, peer.read_numbers(text))[0], faults)
    counts = {row[0]: str(row[2]) for row in tables["moves"]}
    batches = {row[0]: dict(zip(TABLES["batches"], map(_plain, row), strict=True)) for row in tables["batches"]}
    wins: dict[int, list[PeerWin]] = {number: [] for number in batches}
    seals: dict[int, list[object]] = {number: [settings] for number, settings in batches.items()}
    texts = {name: {row[0]: row[1] for row in tables[name]} for name in ("decks", "moves", "strategies")}
    for number, deck, line, strategy, batch in tables["solutions"]:
        known = (("deck", deck, texts["decks"]), ("moves", line, texts["moves"]),
                 ("strategy", strategy, texts["strategies"]), ("batch", batch, batches))  # fmt: skip
        missing = [f"{what} {key}" for what, key, rows in known if key not in rows]
        if missing:
            faults.add(f"solutions row {number}: there is no {' and no '.join(missing)}")
            continue
        if deck in decks and line in lines and strategy in lists:
            wins[batch].append(PeerWin(number, decks[deck], lists[strategy], lines[line], counts[line]))
        seals[batch].append([number, *(texts[name][key] for name, key in
                             (("decks", deck), ("moves", line), ("strategies", strategy))), counts[line]])  # fmt: skip
    faults.check()
    return [
        # The digest covers the row and every text to which its wins point.
        PeerBatch(number, settings, tuple(wins[number]), sha256(json.dumps(seals[number]).encode()).hexdigest())
        for number, settings in batches.items()
    ]


def _plain(value: Any) -> Any:
    """Return the value as JSON can hold it."""
    return value if value is None or isinstance(value, int | float | str) else repr(value)


def _each(rows: list[tuple[Any, ...]], what: str, read: Callable[[str], _T], faults: Faults) -> dict[int, _T]:
    """Return the second column of every row, read; a value that cannot be read is a fault with its row."""
    found = {}
    for key, text, *_ in rows:
        try:
            if not isinstance(text, str):
                raise ParseError(f"{text!r} is not text")
            found[key] = read(text)
        except ParseError as error:
            faults.add(f"{what} {key}: {error}")
    return found
