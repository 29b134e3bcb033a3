"""Stores whose bytes were changed: a command prints what it prints of the sound one, or refuses. Nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Run
from tests.laws import DATA, IS_LONG
from tests.store.making import finish, spec
from unshuffle.cli.main import main
from unshuffle.store import Store, StoreError, files, schema, seals

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

COUNT = 300 if IS_LONG else 16

COMMANDS: dict[str, list[str]] = {
    "study list": ["study", "list", "--json"],
    "study show": ["study", "show", "s", "--json"],
    "study show, of an import": ["study", "show", "peer-sample"],
    "study report": ["study", "report", "s", "--json"],
    "study report, with scores": ["study", "report", "s", "--scores", "--no-published"],
    "study compare": ["study", "compare", "s:one-deal+fan_size=2:solver", "s:fan+fan_size=2:solver", "--json"],
    "study compare, of policies": ["study", "compare", "lists:standard:policy:rules:1",
                                   "lists:standard:policy:rules:2,1", "--json"],
    "study export": ["study", "export", "s", "out.csv"],
    "study export, packed": ["study", "export", "lists", "out.csv"],
    "study export, for the other program": ["study", "export", "peer-sample", "out.csv", "--format", "peer"],
    "deal --winnable": ["deal", "belle-lucie", "--rule", "fan_size=2", "--winnable", "--seed", "0", "--json"],
    "tournament": ["tournament", "aces-up", "--rules", "1", "--rules", "2,1", "--seeds", "0..29", "--name", "lists",
                   "--json", "--yes"],
    "tournament, of decks": ["tournament", "aces-up", "--rules", "1", "--rules", "2,1", "--decks", "1..5", "--json",
                             "--yes"],
    "simulate": ["simulate", "aces-up", "--policy", "rules:1", "--seeds", "0..29", "--name", "lists", "--json"],
}  # fmt: skip

SHORT = ("study list", "study show", "study compare", "study export", "study export, packed")
"""Those that are tried where there is little time; all of them read through the same doors."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "s.sqlite"
    make_full_store(path)
    return path


def make_full_store(path: Path) -> None:
    """A store with something in every table."""
    played = ("--game", "belle-lucie", "--rule", "fan_size=2", "--seeds", "0..99")
    lists = ("aces-up", "--rules", "1", "--rules", "2,1", "--yes")
    for words in (
        ["study", "run", "s", *played, "--variant", "fan,one-deal", "--solver", "--nodes", "60", "--moves"],
        ["study", "run", "s", *played, "--policy", "greedy"],
        ["deal", "belle-lucie", "--rule", "fan_size=2", "--winnable", "--seed", "0"],
        ["tournament", *lists, "--seeds", "0..29", "--name", "lists"],
        ["study", "import", "--game", "aces-up", DATA / "aces-up" / "peer-sample.sqlite"],
        ["tournament", *lists, "--decks", "1..5"],
    ):
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            assert main([*map(str, words), "--store", str(path)]) == 0, words


# The ways of a broken disk, and of a program that wrote into the wrong file.


def overwrite(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data))
    data[place : place + 16] = random.randbytes(16)[: len(data) - place]


def flip(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def flip_many(data: bytearray, random: Random) -> None:
    for _ in range(random.randint(2, 40)):
        flip(data, random)


def change_text(data: bytearray, random: Random) -> None:
    """A digit for a digit, a letter for a letter: each value still makes sense."""
    places = [place for place in random.sample(range(len(data)), 400) if chr(data[place]).isalnum()]
    for place in places[:1]:
        data[place] = random.choice(b"0123456789" if chr(data[place]).isdigit() else b"abcdefghijklmnop")


def blank(data: bytearray, random: Random) -> None:
    place = random.randrange(0, len(data), 4096)
    data[place : place + 4096] = bytes(4096)


def misplace(data: bytearray, random: Random) -> None:
    """A page stands where another one should."""
    one, other = random.sample(range(0, len(data), 4096), 2)
    data[one : one + 4096] = data[other : other + 4096]


def swap(data: bytearray, random: Random) -> None:
    """Two short pieces of one page stand in each other's place."""
    page = random.randrange(0, len(data), 4096)
    one, other = sorted(random.sample(range(page, page + 4096 - 8, 8), 2))
    data[one : one + 8], data[other : other + 8] = data[other : other + 8], data[one : one + 8]


def cut(data: bytearray, random: Random) -> None:
    del data[random.randrange(len(data)) :]


def drop(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data))
    del data[place : place + random.randint(1, 64)]


KINDS: list[Callable[[bytearray, Random], None]] = [
    overwrite, flip, flip_many, change_text, blank, misplace, swap, cut, drop,
]  # fmt: skip


def outcome(run: Run, path: Path, command: str) -> tuple[int, str, bytes | None]:
    """The exit code, what is on paper and what was exported."""
    file = path.with_name("out.csv")
    ended = run(*COMMANDS[command], "--store", path)
    exported = None
    if file.exists():
        exported = file.read_bytes()
        for left in path.parent.glob("out.csv*"):
            left.unlink()
    if ended.code == 74:
        notes = [line for line in ended.err.splitlines() if not line.startswith("unshuffle: ")]
        assert len(notes) == 1, ended.err
        assert notes[0].startswith("Error: ")
        assert repr(str(path)) in notes[0]
    return ended.code, ended.out, exported


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_no_damage_is_silently_read(run: Run, tmp_path: Path, sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s.sqlite"
    commands = list(COMMANDS) if IS_LONG else SHORT
    bytes_of_sound = sound.read_bytes()
    told = {}
    for command in commands:
        path.write_bytes(bytes_of_sound)
        told[command] = outcome(run, path, command)
        assert told[command][0] == 0, command
    refused = 0
    for number in range(COUNT):
        random = Random(number)
        spoilt = bytearray(bytes_of_sound)
        kind = KINDS[number % len(KINDS)]
        kind(spoilt, random)
        for command in commands:
            path.write_bytes(spoilt)
            code, out, exported = outcome(run, path, command)
            sound_out = told[command][1]
            if code == 74:
                # What it printed before it met the damage is right.
                assert sound_out.startswith(out), (number, kind.__name__, command)
                assert exported is None
                refused += 1
            else:
                assert (code, out, exported) == told[command], (number, kind.__name__, command)
            for beside in tmp_path.glob("s.sqlite-*"):
                beside.unlink()
    assert refused > COUNT * len(commands) // 3


def damage_results(path: Path) -> None:
    """Another score, which SQLite takes for a sound one."""
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE result SET score = score + 1 WHERE seed = 7")
    db.close()


def test_a_large_store_is_told_not_to_be_looked_through_and_its_results_still_are(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_SMALL", 10_000)
    path = tmp_path / "s.sqlite"
    with Store.open(path) as store:
        finish(store, store.add_run("s", spec(0, 9)), 0, 9)
    ended = run("study", "export", "s", tmp_path / "out.csv", "--store", path)
    assert ended.code == 0
    assert "SQLite did not look through all of it for damage" in ended.err
    damage_results(path)
    again = run("study", "export", "s", tmp_path / "out.csv", "--store", path)
    assert again.code == 74
    assert "is damaged" in again.err
    assert "the results of the deals 0..9 of belle-lucie/one-deal are not as written" in again.err


def test_every_column_is_sealed(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        db = store._db
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        # These have a checksum for all rows of a chunk together.
        assert tables == {*schema.SEALED, "result", "block", "win", "rule_count"}
        for table, columns in schema.SEALED.items():
            found = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            assert found == {*columns.split(", "), "seal"}, table


@pytest.mark.parametrize(
    "loss", ["DELETE FROM result WHERE seed = 7", "UPDATE result SET status = 'unsolvable' WHERE status = 'solved'"]
)
def test_an_older_store_that_lacks_results_is_not_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    """It has no checksums yet; but the results are counted."""
    path = tmp_path / "old.sqlite"
    with Store.open(path) as store:
        finish(store, store.add_run("s", spec(0, 9)), 0, 9)
    db = sqlite3.connect(path)
    with db:
        db.execute(loss)
    db.close()
    before = path.read_bytes()
    monkeypatch.setattr(files, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr(files, "MIGRATIONS", {schema.VERSION: ()})
    with pytest.raises(StoreError, match=r"is damaged; .* \(the results of the deals 0\.\.9 are not"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_study_that_is_deleted_while_it_is_read_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store.open(path) as reader, Store.open(path) as other:
        run = reader.add_run("s", spec(0, 9))
        finish(reader, run, 0, 9)
        read = seals._read

        def read_late(*arguments: object) -> object:
            other.delete("s")
            return read(*arguments)  # type: ignore[arg-type] # as it was called

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(seals, "_read", read_late)
            with pytest.raises(StoreError, match="the study 's' was deleted while it was read"):
                list(reader.rows(run))
