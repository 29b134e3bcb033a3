"""A pseudo-terminal for the tests: what a program writes there, and what a person types."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.cli.program import PROGRAM, environment

RED = "\x1b[31m"


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """A pseudo-terminal: our end and the program's end."""
    ours, theirs = pty.openpty()
    try:
        yield ours, theirs
    finally:
        for end in (ours, theirs):
            with suppress(OSError):
                os.close(end)


def read_until(end: int, wanted: str, at_most: float = 60) -> str:
    """What the program writes on the terminal, up to the wanted words or to its end."""
    text = b""
    while wanted.encode() not in text and select.select([end], [], [], at_most)[0]:
        try:
            part = os.read(end, 65536)
        except OSError:  # the other end was closed: how Linux says that a terminal is at its end
            break
        if not part:
            break
        text += part
    return text.decode(errors="replace")


def on_terminal(*arguments: str, typed: str = "", typed_at_once: str = "", **changes: str) -> tuple[int, str]:
    """Run with all three streams on one terminal."""
    with terminal() as (ours, theirs):
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**changes),
            close_fds=True,
        )
        os.close(theirs)
        shown = ""
        os.write(ours, typed_at_once.encode())
        if typed:
            shown = read_until(ours, "gives up.")
            os.write(ours, typed.encode())
        shown += read_until(ours, "\0never")
        return process.wait(60), shown
