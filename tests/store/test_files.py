"""Which files are stores: ours are opened, all others are refused and stay as they are."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.store.making import finish, spec
from unshuffle.store import Store, StoreError, default_path, files, schema

pytestmark = pytest.mark.one_engine("checks what is stored, not the answers")


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
        "imported_win", "rule_count", "looked_through", "graded_deal", "passed_deal", "planned",
    }  # fmt: skip
    assert views == {"run_summary", "rule_summary", "batch_summary", "win_list", "winnable"}


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


def test_folders_and_impossible_names_are_refused(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path, "is not a file"),
        (tmp_path / "absent" / "s.sqlite", "cannot be opened or created"),
        (Path("a\0b"), "not the name of a file"),
        (Path("/dev/null"), "is not a file"),
    ):
        with pytest.raises(StoreError, match=message):
            Store.open(path)


def test_damage_to_a_table_or_to_its_index_is_noticed(tmp_path: Path) -> None:
    """A study whose name is right in the table and wrong in the index would be there, and could not be found."""
    path = tmp_path / "s.sqlite"
    with Store.open(path) as store:
        store.add_run("unmistakable", spec())
    sound = path.read_bytes()
    places = [found.start() for found in re.finditer(b"unmistakable", sound)]
    assert len(places) == 2
    for place in places:
        path.write_bytes(sound[:place] + b"x" + sound[place + 1 :])
        with pytest.raises(StoreError, match="is damaged; it was left as it is"):
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
