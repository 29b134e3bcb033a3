"""Files that are no stores of ours, or stores no more: refused in one line, and never overwritten."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.faults.happening import begin, contents, end
from tests.store.making import finish, spec
from unshuffle.processes import neighbourhood
from unshuffle.store import Run as StoredRun
from unshuffle.store import Store, StoreError, files, schema


def test_a_draft_that_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    dead = tmp_path / f".s.sqlite.{neighbourhood()}.{2**22 + 1}-1.tmp"  # no process has such a number
    living = tmp_path / f".s.sqlite.{neighbourhood()}.{os.getppid()}-1.tmp"
    for draft in (dead, living):
        draft.touch()
    Store.open(tmp_path / "s.sqlite").close()
    assert {each.name for each in tmp_path.iterdir()} == {"s.sqlite", living.name}


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


Make = Callable[[Path], object]
REFUSED: dict[str, tuple[Make, str]] = {
    "text": (lambda path: path.write_text("game,won\n" * 100), "is not a store of unshuffle"),
    "short text": (lambda path: path.write_text("hello"), "is not a store of unshuffle"),
    "a cut header": (lambda path: path.write_bytes(b"SQLite format 3\0"), "is not a store of unshuffle"),
    "another program's": (foreign_sqlite, "a SQLite file of another program"),
    "newer": (newer_store, "written by a newer unshuffle"),
    "no tables": (store_without_tables, "has no tables"),
    "damaged": (damaged_store, "is damaged"),
    "cut off": (cut_store, "is damaged"),
    "blanked": (lambda path: path.write_bytes(bytes(20_000)), "is not a store of unshuffle"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_what_is_no_store_of_ours_is_refused_and_stays_as_it_is(tmp_path: Path, make: Make, message: str) -> None:
    path = tmp_path / "file.sqlite"
    make(path)
    before = contents(tmp_path)
    with pytest.raises(StoreError, match=message):
        Store.open(path)
    assert contents(tmp_path) == before


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_migration_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    Store.open(path).close()
    before = path.read_bytes()
    monkeypatch.setattr(files, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr(files, "MIGRATIONS", {schema.VERSION: ["CREATE TABLE extra (id INTEGER)", "NONSENSE"]})
    with pytest.raises(StoreError, match="SQLite refuses it"):
        Store.open(path)
    assert path.read_bytes() == before


def test_every_bit_of_a_header_that_matters_is_looked_at(tmp_path: Path) -> None:
    """A flipped bit in the marks of the file: another program's, a newer one's, or no SQLite file at all."""
    path = tmp_path / "s.sqlite"
    Store.open(path).close()
    sound = path.read_bytes()
    for place in (*range(16), *range(60, 64), *range(68, 72)):
        for bit in range(8):
            spoilt = bytearray(sound)
            spoilt[place] ^= 1 << bit
            path.write_bytes(spoilt)
            try:
                Store.open(path).close()
            except StoreError as error:
                assert len(str(error).splitlines()) == 1
                assert contents(tmp_path) == {"s.sqlite": bytes(spoilt)}
            else:
                # An older version, of which there are some.
                assert place == 63


COMMANDS: dict[str, list[str]] = {
    "study run": ["study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", "0..9"],
    "study list": ["study", "list"],
    "study show": ["study", "show", "s"],
    "study report": ["study", "report", "s"],
    "study compare": ["study", "compare", "s", "t"],
    "study export": ["study", "export", "s", "out.csv"],
    "study delete": ["study", "delete", "s", "--yes"],
    "simulate": ["simulate", "belle-lucie", "--policy", "random", "--seeds", "0..9", "--name", "s"],
    "tournament": ["tournament", "belle-lucie", "--policy", "random", "--policy", "greedy", "--seeds", "0..3", "--yes"],
    "deal": ["deal", "belle-lucie", "--winnable", "--seed", "0"],
}


@pytest.mark.parametrize("kind", ["text", "another program's", "newer", "cut off"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_every_command_refuses_them_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "store").mkdir()
    path = tmp_path / "store" / "s.sqlite"
    make, message = REFUSED[kind]
    make(path)
    before = contents(path.parent)
    ended = run(*COMMANDS[command], "--store", path)
    assert (ended.code, ended.out) == (74, "")
    assert ended.err.startswith("Error: ")
    assert len(ended.err.splitlines()) == 1
    assert message.removeprefix("is ") in ended.err
    assert contents(path.parent) == before
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_two_policies_of_one_study_at_once(tmp_path: Path) -> None:
    """Two programs that play different things into one store lose and double nothing."""
    store = tmp_path / "s.sqlite"
    both = [
        begin("simulate", "belle-lucie", "--policy", policy, "--seeds", "0..199", "--name", "s", "--store", store)
        for policy in ("random", "random:seed=1")
    ]
    for process in both:
        code, _, err = end(process)
        assert code == 0, err
    with Store.open(store, create=False) as opened:
        runs = opened.runs("s")
        assert sorted(run.method for run in runs) == ["policy:random", "policy:random:seed=1"]
        for run in runs:
            assert opened.seeds_done(run) == [(0, 199)]
            assert opened.summary(run).n == 200


def count_done(store: Store, run: StoredRun) -> int:
    return sum(last - first + 1 for first, last in store.seeds_done(run))


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_reader_beside_a_writer_sees_a_whole_study(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    writer = begin("study", "run", "s", "--game", "belle-lucie", "--rule", "fan_size=13", "--solver", "--seeds",
                   "0..499", "--store", store)  # fmt: skip
    seen: list[int] = []
    try:
        while writer.poll() is None:
            if store.exists():
                with Store.open(store, create=False) as opened:
                    for run in opened.runs("s") if opened.studies() else []:
                        before = count_done(opened, run)
                        found = opened.summary(run).n
                        assert before <= found <= count_done(opened, run)
                        seen.append(found)
    finally:
        writer.kill()
    assert end(writer)[0] == 0
    assert seen == sorted(seen)
    assert seen
