"""Ctrl-C while the program thinks: once, it stops thinking and tells what it has found; twice, the program ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from unshuffle.errors import RefusedError


class StoppedError(RefusedError):
    """The person wants no more thinking, and nothing was found yet."""

    def __init__(self) -> None:
        super().__init__("Stopped before anything was found.")


class _Thinking:
    """A time of thought, and how often Ctrl-C came in it."""

    def __init__(self) -> None:
        self.presses = 0
        self.is_deaf = False
        """Whether a call is under way that asks nobody whether it is to stop."""

    def is_stopped(self) -> bool:
        return self.presses > 0

    def press(self, *_: Any) -> None:
        self.presses += 1
        if self.is_deaf or self.presses > 1:
            raise KeyboardInterrupt


_now: list[_Thinking] = []
"""The one that lasts now; signals are one for the whole process."""


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """While this lasts, the first Ctrl-C only makes the yielded question true; KeyboardInterrupt at the second.

    Where Ctrl-C is somebody else's affair (another thread, a handler of another program), it stays so.
    """
    if _now or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    thinking = _Thinking()
    try:
        signal.signal(signal.SIGINT, thinking.press)
    except ValueError:  # not in the main thread, to which no signal comes
        yield lambda: False
        return
    _now.append(thinking)
    try:
        yield thinking.is_stopped
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _now.clear()


@contextmanager
def deaf() -> Iterator[None]:
    """Run a call that cannot be asked to stop, and keeps nothing that matters: Ctrl-C breaks it off. StoppedError."""
    if not _now:
        yield
        return
    thinking = _now[0]
    was_deaf, thinking.is_deaf = thinking.is_deaf, True
    try:
        yield
    except KeyboardInterrupt:
        if thinking.presses > 1:
            raise
        raise StoppedError from None
    finally:
        thinking.is_deaf = was_deaf
