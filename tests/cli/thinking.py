"""`unshuffle`, which tells on a pipe when it thinks: a byte each time that it asks whether it is to stop.

python -m tests.cli.thinking WORDS...
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

PROGRAM = [sys.executable, "-m", __name__]
VARIABLE = "UNSHUFFLE_TEST_THINKING"
"""The variable that names the file descriptor of the pipe."""


class Thoughts:
    """The end of the pipe at which a test waits."""

    def __init__(self, ours: int, theirs: int) -> None:
        self.ours = ours
        self.theirs = theirs

    @property
    def variable(self) -> dict[str, str]:
        """What the environment of the program needs; it must inherit `theirs`."""
        return {VARIABLE: str(self.theirs)}

    def forget(self) -> None:
        """Drop what the program has told so far."""
        with suppress(BlockingIOError):
            while os.read(self.ours, 65536):
                pass

    def wait(self, asks: int = 1) -> None:
        """Wait until the program has asked so many times."""
        while asks > 0:
            assert select.select([self.ours], [], [], 60)[0], "it does not think"
            asks -= len(os.read(self.ours, asks))


@contextmanager
def thoughts() -> Iterator[Thoughts]:
    """Open the pipe."""
    ours, theirs = os.pipe()
    for end in (ours, theirs):
        os.set_blocking(end, False)
    try:
        yield Thoughts(ours, theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def tell() -> None:
    """Write the byte; a full pipe has told enough."""
    with suppress(BlockingIOError):
        os.write(int(os.environ[VARIABLE]), b".")


if __name__ == "__main__":
    from unshuffle.cli.main import main
    from unshuffle.hidden import stopping

    class Told(stopping._Thinking):
        def is_stopped(self) -> bool:
            tell()
            return super().is_stopped()

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "is_deaf" and value:  # from here on it asks nobody
                tell()

    setattr(stopping, "_Thinking", Told)  # noqa: B010 # mypy takes it for a constant
    sys.exit(main())
