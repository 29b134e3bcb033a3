"""Ctrl-C during a search: the first stops it and shows what it has found, the second ends the program."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from unshuffle.errors import RefusedError


class StoppedError(RefusedError):
    """The user stopped a search that had found nothing yet."""

    def __init__(self) -> None:
        super().__init__("Stopped before anything was found.")


class _Thinking:
    """A search that is under way, and how often Ctrl-C was pressed during it."""

    def __init__(self) -> None:
        self.presses = 0
        self.is_deaf = False
        """Whether a call is running that does not ask whether to stop."""

    def is_stopped(self) -> bool:
        return self.presses > 0

    def press(self, *_: Any) -> None:
        self.presses += 1
        if self.is_deaf or self.presses > 1:
            raise KeyboardInterrupt


_now: list[_Thinking] = []
"""The search that is under way, if any; signals are one for the whole process."""


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True after the first Ctrl-C; the second raises KeyboardInterrupt.

    Where Ctrl-C belongs to others (another thread, a handler of another program), it is left to them.
    """
    if _now or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    thinking = _Thinking()
    try:
        signal.signal(signal.SIGINT, thinking.press)
    except ValueError:  # only the main thread may set a handler
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
    """Run a call that cannot be asked to stop and keeps nothing that matters; StoppedError if Ctrl-C ends it."""
    if not _now:
        yield
        return
    thinking = _now[0]
    was_deaf = thinking.is_deaf
    try:
        thinking.is_deaf = True  # in here: Ctrl-C may come at once
        yield
    except KeyboardInterrupt:
        if thinking.presses > 1:
            raise
        raise StoppedError from None
    finally:
        thinking.is_deaf = was_deaf
