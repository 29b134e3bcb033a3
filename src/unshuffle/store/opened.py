"""An open store file: the contexts in which it is read and written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import Self

from unshuffle.errors import UsageError, quote
from unshuffle.store import files
from unshuffle.store.claims import Claims
from unshuffle.store.owner import now
from unshuffle.store.records import LAST_STORED_SEED, Run
from unshuffle.store.seals import Checked, seal

_LONGEST_NAME = 200


class Opened:
    """One SQLite file. Use it in one thread, and as a context manager."""

    def __init__(self, db: Connection, path: Path) -> None:
        self.path = path
        self._db = db
        self._claims = Claims(db)
        self._checked = Checked(db)

    @classmethod
    def open(cls, path: str | Path | None = None, *, create: bool = True) -> Self:
        """Open a store; with `create`, make it if there is none. A file that is not a store is never changed."""
        path = files.default_path() if path is None else Path(path)
        return cls(files.connect(path, create=create), path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with files.in_words(self.path):
            yield self._db

    @contextmanager
    def _reading_results(self, *runs: Run, first: int = 0, last: int = LAST_STORED_SEED) -> Iterator[Connection]:
        """Compare the results of the deals first..last of these runs with their checksums; yield the connection."""
        with self._reading() as db:
            for run in runs:
                self._checked.check(run, first, last)
            yield db

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Yield the connection within a transaction, which is rolled back on an error."""
        with files.in_words(self.path):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise


def add_study(db: Connection, name: str) -> int:
    """Return the id of a study, inserting it if there is none of this name."""
    found = db.execute("SELECT id FROM study WHERE name = ?", (name,)).fetchone()
    if found is None:
        found = db.execute("INSERT INTO study (name, created) VALUES (?, ?) RETURNING id", (name, now())).fetchone()
        seal(db, "study", "id = ?", found)
    return int(found[0])


def check_name(study: str) -> None:
    """Raise UsageError for a name that could not be typed or told apart from others."""
    if not study or study != study.strip() or len(study) > _LONGEST_NAME or not study.isprintable():
        raise UsageError(
            f"{quote(study)} is not a name of a study; expected up to {_LONGEST_NAME} printable characters, with no"
            " blank at either end"
        )
