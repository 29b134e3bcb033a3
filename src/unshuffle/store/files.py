"""Opening the file of a store. Foreign files are never changed, and every failure is a StoreError."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from json import JSONDecodeError
from pathlib import Path

from unshuffle.errors import StoreError, in_a_line
from unshuffle.files import whole_file
from unshuffle.store.schema import APPLICATION_ID, MIGRATIONS, TABLES, VERSION
from unshuffle.store.seals import DamageError, check_seals, seal_all, seal_of

VARIABLE = "UNSHUFFLE_STORE"
_MAGIC = b"SQLite format 3\0"
_BUSY_SECONDS = 30.0
_SMALL = 100_000_000
"""The largest size in bytes at which SQLite checks the integrity of a store on opening (0.3 s)."""


def default_path() -> Path:
    """Return $UNSHUFFLE_STORE, or unshuffle.sqlite in the working directory."""
    return Path(os.environ.get(VARIABLE) or "unshuffle.sqlite")


_told: set[Path] = set()


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the operating system into a StoreError."""
    try:
        yield
    except (DamageError, UnicodeError, JSONDecodeError) as error:
        raise StoreError(
            f"the store {_name(path)} is damaged; it was left as it is. Put a copy back, or begin another store"
            f" ({in_a_line(error)})"
        ) from error
    except sqlite3.Error as error:
        raise StoreError(_words(path, error)) from error
    except OSError as error:
        raise StoreError(f"the store {_name(path)} cannot be used: {error.strerror or error}") from error


def _name(path: Path) -> str:
    return repr(str(path))


_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full. Everything that was reported as done is stored; make room and run again",
    sqlite3.SQLITE_READONLY: "it is read-only, or its folder is. Make both writable, or use another --store FILE",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened or created. Is its folder there, and may you write in it?",
    sqlite3.SQLITE_BUSY: f"another program has kept it locked for {_BUSY_SECONDS:.0f} s. End that one, then run again",
    sqlite3.SQLITE_LOCKED: "another program keeps it locked. End that one, then run again",
    sqlite3.SQLITE_CORRUPT: "it is damaged. Nothing was changed; put a copy back, or begin another store",
    sqlite3.SQLITE_NOTADB: "it is not a SQLite file. Nothing was changed; use another --store FILE",
    sqlite3.SQLITE_PERM: "access is denied. Make it readable and writable, or use another --store FILE",
    sqlite3.SQLITE_AUTH: "access is denied. Make it readable and writable, or use another --store FILE",
    sqlite3.SQLITE_IOERR: (
        "the disk refuses it (full, over a quota, or broken). Everything that was reported as done is stored;"
        " put that right and run again"
    ),
}


def _words(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return f"the store {_name(path)} cannot be used: {_WORDS.get(code, 'SQLite refuses it')} ({in_a_line(error)})"


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open a store, migrate it to the present version, check its seals, and return the connection."""
    with in_words(path):
        size = _size(path)
        if size is None:
            if not create:
                raise StoreError(f"there is no store {_name(path)}; `unshuffle study run` makes one (--store FILE)")
            _make(path)
        elif size == 0 and not create:
            raise StoreError(f"the store {_name(path)} is empty; `unshuffle study run` fills one (--store FILE)")
        elif size:
            _check_header(path)
        db = _connect(path)
        try:
            if size == 0:
                _create_tables(db)
            _set_up(db, path)
            _look_through(db, path)
            _migrate(db, path)
            check_seals(db)
            _check_names(db)
        except BaseException:
            db.close()
            raise
        return db


def _size(path: Path) -> int | None:
    """Return the size of the file, or None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except ValueError as error:  # a null byte
        raise StoreError(f"{_name(path)} is not the name of a file: {error}") from None
    if not path.is_file():
        raise StoreError(f"{_name(path)} is not a file, so no store can be there; use another --store FILE")
    return found.st_size


def _check_header(path: Path) -> None:
    """Raise StoreError for a foreign file before SQLite opens it, which could leave files beside it."""
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(_MAGIC) or len(header) < 100:
        raise StoreError(f"{_name(path)} is not a store of unshuffle; it was left as it is. Use another --store FILE")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise StoreError(
            f"{_name(path)} is a SQLite file of another program; it was left as it is. Use another --store FILE"
        )
    _check_version(path, int.from_bytes(header[60:64], "big"))


def _check_version(path: Path, version: int) -> None:
    if version > VERSION:
        raise StoreError(
            f"the store {_name(path)} was written by a newer unshuffle (its tables have version {version}, this"
            f" unshuffle knows {VERSION}); it was left as it is. Use that newer one: pip install --upgrade unshuffle"
        )
    if version < 1:
        raise StoreError(f"the store {_name(path)} has no tables; it was left as it is. Use another --store FILE")


def _make(path: Path) -> None:
    """Make a new store. No other process ever finds a part of it, and Ctrl-C leaves nothing behind."""
    # Where another process was first its store serves as well.
    with suppress(FileExistsError), whole_file(path, replaces=False) as draft:
        db = _connect(draft)
        try:
            # A draft that fails is removed, so it needs no journal beside it, which would be a second file to remove.
            db.execute("PRAGMA journal_mode = MEMORY")
            _create_tables(db)
        finally:
            db.close()


def _connect(path: Path) -> sqlite3.Connection:
    # No isolation level: transactions begin and end where the code says so.
    db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, cached_statements=256)
    db.create_function("seal_of", -1, seal_of, deterministic=True)
    return db


def _create_tables(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    if db.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in TABLES:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")


def _set_up(db: sqlite3.Connection, path: Path) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    try:
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise
        raise StoreError(
            f"the store {_name(path)} cannot be used: it is read-only, or its folder is, and SQLite keeps files beside"
            " it even to read. Make both writable, or copy it to a folder of your own"
        ) from error
    if mode != "wal":
        raise StoreError(f"the store {_name(path)} cannot be used: this file system has no shared memory (WAL)")
    # A process that is killed loses nothing; a power cut may cost the last seconds, never the file.
    db.execute("PRAGMA synchronous = NORMAL")


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        # Read again within the transaction: another process may have migrated the store.
        version = db.execute("PRAGMA user_version").fetchone()[0]
        _check_version(path, version)
        for number in range(version, VERSION):
            for statement in MIGRATIONS[number]:
                db.execute(statement)
        seal_all(db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _check_names(db: sqlite3.Connection) -> None:
    """Raise DamageError if the name of a study is not printable: it could forge lines of a report."""
    for (name,) in db.execute("SELECT name FROM study"):
        if not name.isprintable():
            raise DamageError("a study has a name that is not printable")


def _look_through(db: sqlite3.Connection, path: Path) -> None:
    """Raise DamageError if SQLite's integrity check fails. For a large file, skip the check and say so once."""
    size = path.stat().st_size
    if size <= _SMALL:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise DamageError(found)
    elif path not in _told:
        _told.add(path)
        print(
            f"unshuffle: the store {_name(path)} has {size / 1e6:,.0f} MB, so SQLite did not look through all of it for"
            " damage; what is read is compared with its checksums",
            file=sys.stderr,
        )
