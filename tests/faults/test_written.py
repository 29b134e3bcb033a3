"""Files that commands write for people and other programs: whole under their names, or not at all."""

from __future__ import annotations

import csv
import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import sleep

import pytest

from tests.advise.table import TEN_CLUBS, Sit
from tests.cli.conftest import Run
from tests.faults import disks
from tests.faults.happening import begin, contents, drafts, end, kill_when, named, wait_until
from tests.study.filled import STATUSES, fill_solver
from unshuffle.envs import episode_file
from unshuffle.processes import neighbourhood
from unshuffle.store import Store

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

DEALS = 10_000
ENDLESS = "0..9999999"
OLD = b"the old one"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that is large enough to be caught while it is written out."""
    path = tmp_path_factory.mktemp("store") / "s.sqlite"
    with Store.open(path) as opened:
        fill_solver(opened, "s", [STATUSES[seed % 3] for seed in range(DEALS)])
    return path


Words = Callable[[Path, Path], list[str]]
WRITERS: dict[str, Words] = {
    "episodes": lambda _, out: ["episodes", "aces-up", "--policy", "random", "--seeds", ENDLESS, "--out", f"{out}"],
    "csv": lambda store, out: ["study", "export", "s", f"{out}", "--format", "csv", "--store", f"{store}"],
    "json": lambda store, out: ["study", "export", "s", f"{out}", "--format", "json", "--store", f"{store}"],
    "parquet": lambda store, out: ["study", "export", "s", f"{out}", "--format", "parquet", "--store", f"{store}"],
    "html": lambda store, out: ["study", "report", "s", "--html", f"{out}", "--store", f"{store}"],
}
EXPORTS = [kind for kind in WRITERS if kind != "episodes"]
LARGE = EXPORTS[:3]
"""What takes long enough to be caught."""


@pytest.mark.parametrize("kind", ["episodes", *EXPORTS])
def test_a_full_disk_leaves_what_was_there(run: Run, small_disk: Path, store: Path, kind: str) -> None:
    out = small_disk / "out"
    out.write_bytes(OLD)
    disks.fill(small_disk)
    ended = run(*WRITERS[kind](store, out))
    assert (ended.code, ended.out) == (2, "")
    assert "No space left on device" in ended.err
    assert len(ended.err.splitlines()) == 1
    assert out.read_bytes() == OLD
    assert {path.name for path in small_disk.iterdir()} == {"out", "filler"}


@pytest.mark.parametrize("kind", ["episodes", *LARGE])
def test_a_disk_that_takes_no_more_leaves_what_was_there(
    run: Run, tmp_path: Path, store: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(episode_file, "_BATCH", 1 << 16)
    out = tmp_path / "out"
    out.write_bytes(OLD)
    with disks.short(40_000):  # what SQLite keeps beside the store has 32 KiB
        ended = run(*WRITERS[kind](store, out))
    assert (ended.code, ended.out) == (2, "")
    assert "File too large" in ended.err
    assert contents(tmp_path) == {"out": OLD}


@pytest.mark.parametrize("kind", ["episodes", *EXPORTS])
def test_a_read_only_folder_is_told(run: Run, read_only: Path, store: Path, kind: str) -> None:
    ended = run(*WRITERS[kind](store, read_only / "out"))
    assert (ended.code, ended.out) == (2, "")
    assert "cannot write" in ended.err
    assert len(ended.err.splitlines()) == 1
    assert contents(read_only) == {"old": b"as it was"}


@pytest.mark.parametrize("kind", ["episodes", *LARGE])
def test_killed_while_it_writes_it_leaves_what_was_there(run: Run, tmp_path: Path, store: Path, kind: str) -> None:
    out = tmp_path / "out"
    out.write_bytes(OLD)
    killed = False
    # A small file may be whole before it is seen; then it is tried again.
    for _ in range(5):
        killed = kill_when(lambda: bool(drafts(tmp_path)), begin(*WRITERS[kind](store, out)))
        if killed and out.read_bytes() == OLD:
            break
        out.write_bytes(OLD)
    assert killed
    assert out.read_bytes() == OLD
    assert named(tmp_path) <= {"out", "out.provenance.json"}
    if kind != "episodes":
        ended = run(*WRITERS[kind](store, out))
        assert ended.code == 0, ended.err
        assert rows_of(kind, out) == DEALS


def hidden(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name.startswith(".")}


def test_the_drafts_of_killed_programs_are_swept_by_the_next_one(run: Run, tmp_path: Path, store: Path) -> None:
    out = tmp_path / "out"
    for _ in range(5):
        if kill_when(lambda: bool(drafts(tmp_path)), begin(*WRITERS["csv"](store, out))) and hidden(tmp_path):
            break
    assert hidden(tmp_path), "it was never killed in the midst"
    # What is not ours, or of a machine whose processes cannot be seen from here, is left.
    others = {".hidden", ".out.tmp", ".out.00000000.1-1.tmp", f".out.{neighbourhood()}.1.tmp"}
    for name in others:
        (tmp_path / name).write_bytes(OLD)
    ended = run(*WRITERS["csv"](store, out))
    assert ended.code == 0, ended.err
    assert hidden(tmp_path) == others
    assert rows_of("csv", out) == DEALS


def test_the_draft_of_a_living_program_is_left_to_it(run: Run, tmp_path: Path, store: Path) -> None:
    out = tmp_path / "out"
    for _ in range(5):
        slow = begin(*WRITERS["csv"](store, out))
        if wait_until(lambda: bool(drafts(tmp_path)), slow):
            slow.send_signal(signal.SIGSTOP)
            sleep(0.05)
            if hidden(tmp_path):
                break
            slow.send_signal(signal.SIGCONT)
        end(slow)
    mine = hidden(tmp_path)
    assert mine, "it was never stopped in the midst"
    quick = run(*WRITERS["csv"](store, out))
    assert quick.code == 0, quick.err
    assert hidden(tmp_path) == mine
    slow.send_signal(signal.SIGCONT)
    assert end(slow)[0] == 0
    assert hidden(tmp_path) == set()
    assert rows_of("csv", out) == DEALS


def rows_of(kind: str, path: Path) -> int:
    if kind == "csv":
        with path.open(newline="", encoding="utf-8") as file:
            return sum(1 for _ in csv.reader(file)) - 1
    if kind == "json":
        return len([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])
    from pyarrow.parquet import read_metadata

    return int(read_metadata(path).num_rows)


# Histories of wins.


def winning(folder: Path) -> list[str]:
    return ["solve", "belle-lucie", "--rule", "fan_size=2", "--seeds", ENDLESS, "--save-wins", str(folder), "--json"]


def test_killed_while_it_saves_wins_every_history_is_whole(run: Run, tmp_path: Path) -> None:
    rng = random.Random(2)
    process = begin(*winning(tmp_path))

    def enough() -> bool:
        return len(named(tmp_path)) >= 3

    assert wait_until(enough, process)
    sleep(rng.uniform(0, 0.05))
    process.kill()
    process.communicate()
    found = sorted(named(tmp_path))
    for name in (found[0], found[-1]):
        path = tmp_path / name
        text = path.read_text(encoding="utf-8")
        rules = ("--rule", "fan_size=2")
        assert run("verify", "belle-lucie", path, "--moves", text.split("# Moves: ")[1], *rules).code == 0


def test_wins_that_cannot_be_saved_are_told(run: Run, tmp_path: Path, read_only: Path) -> None:
    with disks.short(200):
        ended = run(*winning(tmp_path / "wins"))
    assert (ended.code, "--save-wins: cannot write" in ended.err) == (2, True)
    assert list((tmp_path / "wins").iterdir()) == []
    ended = run(*winning(read_only))
    assert (ended.code, "--save-wins: cannot write" in ended.err) == (2, True)
    assert contents(read_only) == {"old": b"as it was"}


# What goes to the screen.


@pytest.fixture
def full() -> Iterator[int]:
    with ExitStack() as stack:
        yield stack.enter_context(Path("/dev/full").open("wb")).fileno()


def test_output_that_nobody_can_take_is_told(full: int) -> None:
    process = begin("games", stdout=full)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 74
    assert err.decode() == "Error: the output cannot be written: No space left on device\n"


# Exports of an advised game.


@pytest.mark.parametrize("suffix", ["txt", "md", "json"])
def test_an_export_that_fails_leaves_what_was_there(
    run: Run, sit: Sit, tmp_path: Path, read_only: Path, suffix: str
) -> None:
    out = tmp_path / f"out.{suffix}"
    out.write_bytes(OLD)
    assert sit(*TEN_CLUBS).code == 0
    saves = tmp_path / "saves"
    before = contents(saves)
    arguments = ("advise", "belle-lucie", "--saves", saves, "--id", "g")
    with disks.short(10):
        ended = run(*arguments, stdin=f"x -f {out}\n")
    assert ended.code != 0
    assert "cannot" in ended.err
    assert out.read_bytes() == OLD
    assert contents(saves) == before
    ended = run(*arguments, stdin=f"x {read_only / 'out'}.{suffix}\n")
    assert "cannot write" in ended.err
    assert contents(read_only) == {"old": b"as it was"}
