"""Which files are stores: ours are opened, all others are refused and stay as they are."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from tests.store.making import finish, spec
from unshuffle.store import Store, StoreError, default_path, files, schema


def test_a_new_store_is_a_plain_sqlite_file_with_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    Store.open(path).close()
    assert [each.name for each in tmp_path.iterdir()] == ["new.sqlite"]
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION_ID,)
        assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        views = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'")}
    db.close()
    assert tables == {
        "study", "run", "chunk", "score_count", "result", "block", "win", "deck", "strategy", "batch", "batch_entry",
        "imported_win", "rule_count", "looked_through", "graded_deal", "passed_deal",
    }  # fmt: skip
    assert views == {"run_summary", "rule_summary", "batch_summary", "win_list", "winnable"}


def test_a_draft_that_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    old, young = tmp_path / ".s.sqlite.1.new", tmp_path / ".s.sqlite.2.new"
    for draft in (old, young):
        draft.touch()
    os.utime(old, (0, 0))
    Store.open(tmp_path / "s.sqlite").close()
    assert {each.name for each in tmp_path.iterdir()} == {"s.sqlite", young.name}


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    path.touch()
    with pytest.raises(StoreError, match="is empty"):
        Store.open(path, create=False)
    with Store.open(path) as store:
        assert store.studies() == []


def test_where_no_store_is_none_is_made_to_be_read(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        Store.open(tmp_path / "absent.sqlite", create=False)
    assert list(tmp_path.iterdir()) == []


def foreign_sqlite(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipe (name TEXT)")
    db.commit()
    db.close()


def newer_store(path: Path) -> None:
    Store.open(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    db.close()


def store_without_tables(path: Path) -> None:
    foreign_sqlite(path)
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.close()


def damaged_store(path: Path) -> None:
    with Store.open(path) as store:
        run = store.add_run("s", spec(0, 4999))
        finish(store, run, 0, 4999)
    data = bytearray(path.read_bytes())
    data[8192 : len(data) // 2] = b"\xa5" * (len(data) // 2 - 8192)
    path.write_bytes(data)


def cut_store(path: Path) -> None:
    damaged_store(path)
    path.write_bytes(path.read_bytes()[:6000])


REFUSED = {
    "text": (lambda path: path.write_text("game,won\n" * 100), "is not a store of unshuffle"),
    "short text": (lambda path: path.write_text("hello"), "is not a store of unshuffle"),
    "a cut header": (lambda path: path.write_bytes(b"SQLite format 3\0"), "is not a store of unshuffle"),
    "another program's": (foreign_sqlite, "a SQLite file of another program"),
    "newer": (newer_store, "written by a newer unshuffle"),
    "no tables": (store_without_tables, "has no tables"),
    "damaged": (damaged_store, "is damaged"),
    "cut off": (cut_store, "is damaged"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_is_no_store_of_ours_is_refused_and_stays_as_it_is(tmp_path: Path, make, message: str) -> None:  # type: ignore[no-untyped-def] # a lambda here, a function there
    path = tmp_path / "file.sqlite"
    make(path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with pytest.raises(StoreError, match=message):
        Store.open(path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_folders_and_impossible_names_are_refused(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path, "is not a file"),
        (tmp_path / "absent" / "s.sqlite", "cannot be opened or created"),
        (Path("a\0b"), "no name of a file"),
        (Path("/dev/null"), "is not a file"),
    ):
        with pytest.raises(StoreError, match=message):
            Store.open(path)


def test_the_default_is_the_environments_or_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("UNSHUFFLE_STORE", raising=False)
    assert default_path() == Path("unshuffle.sqlite")
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "mine.sqlite"))
    Store.open().close()
    assert (tmp_path / "mine.sqlite").is_file()


def test_an_older_store_is_brought_up_to_date_with_all_it_holds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "old.sqlite"
    with Store.open(path) as store:
        finish(store, store.add_run("s", spec(0, 9)), 0, 9)
    present = schema.VERSION
    monkeypatch.setattr(files, "VERSION", present + 2)
    monkeypatch.setattr(
        files,
        "MIGRATIONS",
        {present: ["ALTER TABLE study ADD COLUMN note TEXT"], present + 1: ["CREATE TABLE extra (id INTEGER)"]},
    )
    with Store.open(path) as store:
        assert store.studies()[0].deals == 10
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (present + 2,)
    assert db.execute("SELECT note FROM study").fetchall() == [(None,)]
    db.close()


def test_a_migration_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    Store.open(path).close()
    before = path.read_bytes()
    monkeypatch.setattr(files, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr(files, "MIGRATIONS", {schema.VERSION: ["CREATE TABLE extra (id INTEGER)", "NONSENSE"]})
    with pytest.raises(StoreError, match="SQLite refuses it"):
        Store.open(path)
    assert path.read_bytes() == before
