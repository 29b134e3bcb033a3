"""Real processes, what happens to them in the midst of their work, and what they leave behind."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.cli.program import PROGRAM, environment

Condition = Callable[[], bool]


def begin(*arguments: str | os.PathLike[str], program: list[str] = PROGRAM, **options: Any) -> subprocess.Popen[bytes]:
    """Start the program."""
    # Without a buffer: what is read line by line and what `communicate` reads are one text.
    given: dict[str, Any] = {"bufsize": 0, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    command = [*program, *(os.fspath(argument) for argument in arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, env=environment(), **given | options)


def end(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Wait for its end; whatever happened, it did not crash."""
    out, err = process.communicate(timeout=120)
    assert b"Traceback" not in out + err, err.decode()
    assert b"bug in unshuffle" not in err, err.decode()
    return process.returncode, out.decode(), err.decode()


def wait_until(condition: Condition, process: subprocess.Popen[bytes]) -> bool:
    """Wait for something that the process does. False if it ended first."""
    until = monotonic() + 60
    while not condition():
        if process.poll() is not None:
            return condition()
        assert monotonic() < until, "a minute has passed, and nothing happened"
        sleep(0.002)
    return True


def kill_when(condition: Condition, process: subprocess.Popen[bytes]) -> bool:
    """Kill it in the midst of it; False if it was too late."""
    wait_until(condition, process)
    was_there = process.poll() is None
    process.kill()
    process.communicate()
    return was_there


def interrupt_when(condition: Condition, process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Press Ctrl-C when it is so far."""
    assert wait_until(condition, process), process.communicate()
    process.send_signal(signal.SIGINT)
    return end(process)


def contents(folder: Path) -> Mapping[str, bytes]:
    """All files of a folder, by name, but for locks, which hold nothing."""
    return {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and not path.name.endswith(".lock")
    }


def named(folder: Path) -> set[str]:
    """The files that a person sees: drafts of a killed process begin with a dot."""
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def drafts(folder: Path) -> list[Path]:
    """Files in the making that have something in them."""
    found = []
    for path in folder.iterdir():
        try:
            if path.name.startswith(".") and path.stat().st_size:
                found.append(path)
        except FileNotFoundError:  # it has just got its name
            continue
    return found
