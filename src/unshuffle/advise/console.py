"""Input and output of the flow: a person at a terminal, or answers from a pipe."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from unshuffle.errors import ParseError, RefusedError, quote
from unshuffle.game import AnyGame
from unshuffle.hidden.stopping import stoppable
from unshuffle.layout import MOST_CHARACTERS
from unshuffle.terminal import printable

Draw = Callable[[AnyGame, Any], list[str]]
"""A function that returns the rows of a table for display."""


class LeftError(Exception):
    """Raised when the person leaves instead of answering."""


class Console(ABC):
    """The output for prompts and boards, and the input for answers."""

    is_person: bool
    """Whether a refused answer is explained and asked for again; from a pipe it ends the run."""
    thinking_help = ""
    """What the person can do while the program thinks."""

    def __init__(self, write: Callable[[str], None] = print, draw: Draw | None = None, is_plain: bool = False) -> None:
        self._write = write
        self._draw: Draw = draw or (lambda game, state: game.picture(state).splitlines())
        self._is_plain = is_plain

    @property
    def shows_pictures(self) -> bool:
        """Whether tables are drawn as pictures; otherwise they are text that can be read again."""
        return self.is_person and not self._is_plain

    def drawn(self, game: AnyGame, state: Any) -> list[str]:
        """Return the rows of a table."""
        return self._draw(game, state) if self.shows_pictures else game.format(state).splitlines()

    def say(self, lines: str | Iterable[str] = "") -> None:
        """Show a line, or several."""
        for line in [lines] if isinstance(lines, str) else lines:
            self._write(line)

    @contextmanager
    def listening(self) -> Iterator[Callable[[], bool]]:
        """Yield a function that tells whether the person wants the answer now."""
        yield lambda: False

    @abstractmethod
    def ask(self, prompt: str) -> str | None:
        """Return the answer without the blanks around it; None at the end of the input."""

    def confirm(self, question: str) -> bool:
        """Ask until the answer is yes or no, and return whether it is yes. LeftError at `z` or the end of the input."""
        while True:
            answer = self.ask(f"{question} [Y]es or [N]o?")
            if answer is None or answer.lower() == "z":
                raise LeftError
            if answer.lower() in ("y", "yes", "n", "no"):
                return answer.lower().startswith("y")
            message = f"{quote(answer)} is not one of y, n, z"
            if not self.is_person:
                raise RefusedError(message)
            self.say(message)


class Terminal(Console):
    """A person at a terminal, with the line editing of readline where it is available."""

    is_person = True
    thinking_help = (
        "Ctrl-C while it thinks shows what was found so far, again it leaves;"
        " what you type meanwhile is the next answer."
    )

    def ask(self, prompt: str) -> str | None:
        """Ask on one line: the answer follows the prompt."""
        with suppress(ImportError):
            import readline  # noqa: F401 # its import is what gives `input` line editing
        try:
            # readline writes the prompt past Python's streams, so it must be made printable here.
            return input(f"{printable(prompt)} ").strip()
        except EOFError:
            self.say()
            return None
        except UnicodeDecodeError:
            raise RefusedError("that is not UTF-8 text") from None

    @contextmanager
    def listening(self) -> Iterator[Callable[[], bool]]:
        """Yield a function that returns True after the first Ctrl-C; a second Ctrl-C leaves."""
        with stoppable() as is_stopped:
            yield is_stopped
            if is_stopped():
                self.say(["", "Stopped; what follows was found by then. Ctrl-C again leaves."])


class Pipe(Console):
    """Answers from stdin, one per line; each prompt is a line of the output."""

    is_person = False
    _asked = 0

    def ask(self, prompt: str) -> str | None:
        """Return the next line of stdin."""
        self.say(prompt)
        if sys.stdin is None:
            return None
        self._asked += 1
        line = sys.stdin.buffer.readline(4 * MOST_CHARACTERS)
        if not line:
            return None
        try:
            return line.decode("utf-8-sig" if self._asked == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise ParseError(f"answer {self._asked} is not UTF-8 text") from None
