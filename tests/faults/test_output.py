"""Outputs that cannot be written: closed, a full disk, a reader that is gone. No verdict is told by such an end."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import ENDLESS, LINES, STORE, every_command, make_store
from tests.cli.conftest import Run
from tests.cli.program import LOST, PROGRAM, WON, environment
from tests.laws import IS_LONG
from unshuffle.cli.main import main

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

VERDICTS = (0, 1, 3)
CANNOT = {"closed": 74, "full": 74, "pipe": 141}
FAILURES = (
    *((kind, streams) for kind in ("closed", "full") for streams in (("stdout",), ("stderr",), ("stdout", "stderr"))),
    ("pipe", ("stdout",)),
)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The store that some of the lines read."""
    folder = tmp_path_factory.mktemp("store")
    make_store(folder)
    return (folder / STORE).read_bytes()


class _Broken(io.RawIOBase):
    """A file on a disk that is full, or a pipe that nobody reads."""

    def __init__(self, number: int) -> None:
        self._number = number

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(self._number, os.strerror(self._number))

    def close(self) -> None:
        """Nothing to do: what was lost is told by then."""


def broken(kind: str) -> io.TextIOWrapper | None:
    if kind == "closed":
        return None
    # Unbuffered, so that nothing is left that fails once more when the object is thrown away.
    raw = _Broken({"full": errno.ENOSPC, "pipe": errno.EPIPE}[kind])
    return io.TextIOWrapper(raw, encoding="utf-8", write_through=True)  # type: ignore[arg-type] # no buffer


@pytest.mark.parametrize("command", LINES)
def test_no_failure_of_output_has_the_code_of_a_verdict(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    stored: bytes,
    command: str,
) -> None:
    """Law: whichever stream fails, and however, what could not be told has its own code; what could keeps its code."""
    monkeypatch.chdir(tmp_path)
    said = LINES[command]
    (tmp_path / STORE).write_bytes(stored)
    whole = run(*said.line, stdin=said.stdin)
    assert whole.code in VERDICTS, whole.err
    assert whole.out + whole.err
    # Where there is little time, each command has its share of the ways to fail.
    share = [*FAILURES[:: len(FAILURES) - 1], FAILURES[1 + list(LINES).index(command) % (len(FAILURES) - 2)]]
    for kind, streams in FAILURES if IS_LONG else share:
        (tmp_path / STORE).write_bytes(stored)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said.stdin.encode()), encoding="utf-8"))
        with monkeypatch.context() as patch:
            for stream in streams:
                patch.setattr(sys, stream, broken(kind))
            code = main(said.line)
        out, err = capsys.readouterr()
        where = (kind, streams, out, err)
        assert "Traceback" not in out + err, where
        # A command that has nothing to say there loses nothing; who closes stderr wants to hear nothing.
        is_lost = (whole.out and "stdout" in streams) or (whole.err and "stderr" in streams and kind != "closed")
        assert code == (CANNOT[kind] if is_lost else whole.code), where
        assert bool(out) == bool(whole.out and "stdout" not in streams), where
        if is_lost and streams == ("stdout",) and kind != "pipe":
            assert "Error: the output cannot be written: " in err, where


def test_every_command_has_a_line() -> None:
    """A command that is added needs a line in tests/cli/commands.py."""
    lines = [said.line for said in LINES.values()]
    for command in every_command():
        assert command in ENDLESS or any(line[: len(command)] == list(command) for line in lines), command


def test_a_server_whose_output_fails() -> None:
    """What uvicorn writes and flushes at the end of the program goes through the same streams."""
    ways = {">/dev/full": 74, "| true": 141, ">&-": 74}
    for redirection, code in list(ways.items())[: None if IS_LONG else 2]:
        line = " ".join([*PROGRAM, "serve", "--no-browser", "--port", "0", redirection])
        line = f"set -o pipefail; {line}"
        ended = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(), check=False, timeout=60)
        assert b"Traceback" not in ended.stderr, redirection
        assert ended.returncode == code, (redirection, ended.stderr)


ENDS = {
    "stdout closed": (">&-", 74),
    "stderr closed": ("2>&-", None),
    "both closed": (">&- 2>&-", 74),
    "stdout full": (">/dev/full", 74),
    "stderr full": ("2>/dev/full", None),
    "both full": (">/dev/full 2>/dev/full", 74),
    "nobody reads": ("| true", None),
}


@pytest.mark.parametrize("end", ENDS)
def test_real_streams_that_fail(tmp_path: Path, end: str) -> None:
    """A shell ends the streams of a real program; the verdict that was told keeps its code, one that was not has 74."""
    redirection, expected = ENDS[end]
    # The verdict 0 is what a program has that ends without a thought, so 1 tells more.
    for seed, verdict in ((LOST, 1), (WON, 0)) if IS_LONG else ((LOST, 1),):
        line = " ".join([*PROGRAM, "solve", "belle-lucie", "--seed", str(seed), redirection])
        ended = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(), check=False, timeout=60)
        assert b"Traceback" not in ended.stdout + ended.stderr, end
        assert ended.returncode == (0 if "|" in redirection else verdict if expected is None else expected), end
        if end in ("stdout closed", "stdout full"):
            assert ended.stderr.startswith(b"Error: the output cannot be written: ")
            assert len(ended.stderr.splitlines()) == 1
        else:
            assert ended.stderr == b""


def test_a_wrong_request_keeps_its_code_where_nothing_can_be_told() -> None:
    for redirection in ("2>&-", ">&- 2>&-", ">/dev/full 2>/dev/full"):
        line = " ".join([*PROGRAM, "solve", "belle-lucie", "--seed", "x", redirection])
        ended = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(), check=False, timeout=60)
        assert ended.returncode == 2, redirection
        assert b"Traceback" not in ended.stderr


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """Else what anything writes on the number of stderr, as a crash of the engine, lands in a store."""
    store = tmp_path / "s.sqlite"
    code = (
        "import os, sys; from unshuffle.cli.main import main; from unshuffle.store import Store\n"
        "main(['--version'])\n"
        f"opened = Store.open({str(store)!r})\n"
        "sys.exit(any(os.path.realpath(f'/proc/self/fd/{place}') != os.devnull for place in range(3)))"
    )
    line = f'{sys.executable} -c "{code}" <&- >&- 2>&-'
    assert subprocess.run(["bash", "-c", line], env=environment(), check=False, timeout=60).returncode == 0
    assert store.exists()
