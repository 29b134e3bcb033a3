"""Ctrl-C in every command: 130, whole lines, nothing half-written, at once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cli.program import PROGRAM
from tests.cli.terminal import read_until, terminal
from tests.faults.happening import begin, drafts, end, wait_until
from tests.laws import DATA, IS_LONG, ROOT
from tests.study.filled import STATUSES, fill_solver
from unshuffle.cli.app import COMMANDS
from unshuffle.cli.study import SUBCOMMANDS
from unshuffle.store import Store

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

ENDLESS = "0..99999999"
GOLF = str(ROOT / "examples" / "golf.py")
LONGEST = 30.0
"""Seconds from Ctrl-C to the end, on a machine that others use too; the work itself would take hours."""

ELSEWHERE = pytest.mark.skipif(not IS_LONG, reason="test_tournaments.py and tests/cli interrupt one; in the long run")
LIKE_SOLVE = pytest.mark.skipif(not IS_LONG, reason="it asks for a deal as `solve` does; in the long run")

INTERRUPTED = (130, -signal.SIGINT)
"""To a shell both are 130. Under `python -m`, Python ends itself by a signal that came within `exec` (dataclasses)."""

Ready = Callable[[Path], bool]


def has_files(*names: str) -> Ready:
    return lambda folder: all((folder / name).exists() for name in names)


def has_results(folder: Path) -> bool:
    path = folder / "unshuffle.sqlite"
    if not path.exists():
        return False
    with Store.open(path, create=False) as store:
        return any(study.deals for study in store.studies())


ENDLESS_WORK: dict[str, tuple[list[str], Ready]] = {
    "deal": (["deal", "belle-lucie", "--seeds", ENDLESS], has_files()),
    "deal --winnable": (
        ["deal", "belle-lucie", "--rule", "fan_size=2", "--winnable", "--seed", "0", "--count", "9999"],
        has_files("unshuffle.sqlite"),
    ),
    "solve": (["solve", "belle-lucie", "--seeds", ENDLESS, "--json"], has_files()),
    # Golf has no engine of its own, so this search is long everywhere.
    "solve --trace": (
        ["solve", "golf", "--load", GOLF, "--seed", "1", "--seconds", "0", "--trace", "t.jsonl"],
        lambda folder: (folder / "t.jsonl").exists() and (folder / "t.jsonl").stat().st_size > 0,
    ),
    "solve --save-wins": (
        ["solve", "belle-lucie", "--rule", "fan_size=2", "--seeds", ENDLESS, "--save-wins", "wins", "--json"],
        has_files("wins"),
    ),
    "simulate": (["simulate", "belle-lucie", "--policy", "random", "--seeds", ENDLESS, "--json"], has_files()),
    "simulate --name": (
        ["simulate", "belle-lucie", "--policy", "random", "--seeds", ENDLESS, "--name", "s"],
        has_results,
    ),
    "tournament": (
        ["tournament", "belle-lucie", "--policy", "random", "--policy", "greedy", "--seeds", ENDLESS, "--yes"],
        has_results,
    ),
    "episodes": (
        ["episodes", "aces-up", "--policy", "random", "--seeds", ENDLESS, "--out", "e.parquet"],
        lambda folder: bool(drafts(folder)),
    ),
    "study run": (["study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", ENDLESS], has_results),
    "check-game": (["check-game", GOLF, "--law", "hooks", "--seeds", ENDLESS, "--seconds", "0"], has_files()),
}
"""Commands whose work does not end, and what is there when they are in the midst of it; no files: lines on stdout."""


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, marks=ELSEWHERE) if command == "tournament" else command for command in ENDLESS_WORK],
)
def test_ctrl_c_ends_the_work_at_once_and_leaves_only_what_is_whole(tmp_path: Path, command: str) -> None:
    words, is_ready = ENDLESS_WORK[command]
    process = begin(*words, cwd=tmp_path)
    assert process.stdout is not None
    first = b""
    if is_ready(tmp_path):  # nothing is written into files
        first = process.stdout.readline()
    assert wait_until(lambda: is_ready(tmp_path), process), process.communicate()
    process.send_signal(signal.SIGINT)
    pressed = monotonic()
    code, out, err = end(process)
    assert monotonic() - pressed < LONGEST
    assert code in INTERRUPTED, err
    assert "Error" not in err
    printed = first.decode() + out
    assert printed == "" or printed.endswith("\n")
    if "--json" in words:
        for line in printed.splitlines():
            json.loads(line)
    assert drafts(tmp_path) == []
    assert not (tmp_path / "e.parquet").exists()
    if (tmp_path / "unshuffle.sqlite").exists():
        with Store.open(tmp_path / "unshuffle.sqlite") as store:  # looks for damage
            for study in store.studies():
                assert all(store.claimed(run) == {} for run in store.runs(study.name))
    for path in (tmp_path / "wins").glob("*"):
        assert "# Moves: " in path.read_text(encoding="utf-8")
    if (tmp_path / "t.jsonl").exists():
        for line in (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines():
            json.loads(line)


WRITTEN = {
    "study export": ["study", "export", "s", "out.csv"],
    "study show": ["study", "show", "s"],
    "study report": ["study", "report", "s", "--html", "out.html"],
    "study list": ["study", "list"],
    "study import": ["study", "import", "--game", "aces-up", str(DATA / "aces-up" / "peer-sample.sqlite")],
    "study compare": ["study", "compare", "s", "s"],
    "study delete": ["study", "delete", "s", "--yes"],
    "study published": ["study", "published"],
    "games": ["games"],
    "values show": ["values", "show", "belle-lucie", "9 13 13 13", "--variant", "classic"],
    "verify": ["verify", "belle-lucie", "--seed", "3", "--moves", "AS^"],
}
"""Commands that end by themselves, soon: whenever Ctrl-C comes, all is done, or nothing and it is 130.

The short run takes every second one: those that write something, and two that do not.
"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "unshuffle.sqlite"
    with Store.open(path) as store:
        fill_solver(store, "s", [STATUSES[seed % 3] for seed in range(2000)])
    return path


@pytest.mark.parametrize("command", WRITTEN if IS_LONG else list(WRITTEN)[::2])
def test_ctrl_c_in_a_short_command_is_quiet(tmp_path: Path, filled: Path, command: str) -> None:
    shutil.copy(filled, tmp_path / "unshuffle.sqlite")
    number = list(WRITTEN).index(command)
    process = begin(*WRITTEN[command], cwd=tmp_path)
    sleep(0.15 + 0.05 * number)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (*INTERRUPTED, 0, 1, 2), err
    if process.returncode in INTERRUPTED:
        # While the interpreter itself starts, Python says where it was.
        assert b"Traceback" not in err or b"unshuffle/cli/main.py" not in err, err.decode()
    assert drafts(tmp_path) == []
    for name in ("out.csv", "out.html"):
        if (tmp_path / name).exists():
            assert (tmp_path / name).read_bytes().endswith(b"\n")
    with Store.open(tmp_path / "unshuffle.sqlite") as store:
        deals = [study.deals for study in store.studies() if study.name == "s"]
        assert deals in ([2000], []), out
        assert deals or command == "study delete"


@pytest.mark.parametrize(
    ("words", "prompt"),
    [
        (["solve", "belle-lucie"], "gives up"),
        pytest.param(["verify", "belle-lucie", "--moves", "AS^"], "gives up", marks=LIKE_SOLVE),
        pytest.param(["simulate", "belle-lucie"], "gives up", marks=LIKE_SOLVE),
        (["advise", "belle-lucie", "--saves", "saves"], "uit?"),
        (["advise", "gaps", "--saves", "saves", "--id", "g"], "?"),
        (["play", "spider", "--saves", "saves"], "uit?"),
        pytest.param(["review", "belle-lucie", "--moves", "AS^"], "gives up", marks=LIKE_SOLVE),
        (["serve", "--no-browser", "--saves", "saves"], "ends the server"),
        (["study", "delete", "s"], "[y/N]"),
    ],
)
def test_ctrl_c_at_a_prompt(tmp_path: Path, filled: Path, words: list[str], prompt: str) -> None:
    shutil.copy(filled, tmp_path / "unshuffle.sqlite")
    with terminal() as (ours, theirs):
        process = subprocess.Popen([*PROGRAM, *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path)
        os.close(theirs)
        shown = read_until(ours, prompt)
        for _ in range(30):  # one that falls just before a program waits is seen only after it
            process.send_signal(signal.SIGINT)
            try:
                process.wait(2)
                break
            except subprocess.TimeoutExpired:
                continue
        shown += read_until(ours, "\0never")
    assert process.returncode == 130, shown
    assert "Traceback" not in shown
    with Store.open(tmp_path / "unshuffle.sqlite") as store:
        assert [study.deals for study in store.studies()] == [2000]


def test_every_command_is_interrupted_here() -> None:
    """A command that is added needs a line above; builds of values are interrupted in test_values."""
    text = Path(__file__).read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f'["{name}"' in text, f"no line for {name}"
    for name in SUBCOMMANDS:
        assert f'["study", "{name}"' in text, f"no line for study {name}"
