"""Safe output of text to terminals: the two output streams of the program, and what may pass through them.

Rule values, saved games, imported files and the errors of loaded files contain foreign text. Unfiltered, it could
move the cursor, hide earlier text, or fill the screen. `Gate` wraps both streams while a command runs, so all text
that a command prints is filtered in this one place.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from unshuffle.errors import OutputError

LONGEST_LINE = 4_000
"""The most characters in a line of words. Data (JSON, CSV, documents) has lines of any length."""

_BLANKS = str.maketrans("", "", "\n\t")


def printable(text: str) -> str:
    """Return the text with Python escapes for whatever could control a terminal: controls, bidi marks, lone surrogates.

    Line ends and tabs stay.
    """
    if text.translate(_BLANKS).isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode("ascii") for sign in text
    )


def in_json(values: object, *, allow_nan: bool = True) -> str:
    """Return the values as printable JSON: ASCII, with every control character escaped."""
    import json  # slow to import, and seldom needed

    # The one control character that `json` does not escape.
    return json.dumps(values, allow_nan=allow_nan).replace("\x7f", "\\u007f")


def in_shell(word: str) -> str:
    """Return a word for pasting into a shell, printable whatever it contains."""
    import shlex  # slow to import, and seldom needed

    if word.isprintable():
        return shlex.quote(word)
    # A file name may contain bytes that are not text (PEP 383).
    signs = (bytes([ord(sign) & 0xFF]) if "\udc80" <= sign <= "\udcff" else sign.encode() for sign in word)
    return "$'" + "".join(chr(b) if 32 <= b < 127 and b not in b"\\'" else f"\\x{b:02x}" for b in b"".join(signs)) + "'"


def as_is(stream: TextIO, text: str) -> str:
    """Return the text so that it passes this stream unchanged: for colours, and for data that is safe already."""
    return stream.as_is(text) if isinstance(stream, Gate) else text


class Gate:
    """A stream that filters what could control a terminal, and remembers whether writing failed.

    What cannot be written to stdout raises OutputError at once; so does a stdout that was closed before the program
    began (None). A `lenient` gate, that of stderr, keeps the error in `fault`: a lost message is no reason to abort a
    search. A closed stderr is no fault: the user wants no messages.
    """

    def __init__(self, stream: TextIO | None, *, lenient: bool = False) -> None:
        self._is_closed = stream is None
        self._stream: TextIO = stream or io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        self.is_lenient = lenient
        """Whether a failure is only noted."""
        # A new key for each stream, so that no foreign text can contain it.
        key = os.urandom(8).hex()
        # They end in a letter or digit, as colour codes do: what follows them is not taken for the beginning of a word.
        self._marks = (f"\x1b<{key}", f"\x1b>{key}")
        self._marked = re.compile("(.*?)".join(map(re.escape, self._marks)), re.DOTALL)
        self.fault: OutputError | None = None
        """The first failure; nothing is written after it."""

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # it would bypass the gate
            raise AttributeError(name)
        return getattr(self._stream, name)

    def as_is(self, text: str) -> str:
        """Return the text with marks that make `write` pass it unchanged."""
        return text.join(self._marks)

    def write(self, text: str) -> int:
        """Write the text, escaped and shortened except where it is marked by `as_is`."""
        line = text.removesuffix("\n")
        if len(line) > LONGEST_LINE or not line.isprintable():
            parts = self._marked.split(text)
            text = "".join(part if place % 2 else _shorten(printable(part)) for place, part in enumerate(parts))
        # Text of a loaded file may have characters that the terminal's encoding lacks.
        encoding = self._stream.encoding or "utf-8"
        self._try(lambda: self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding)))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        if not self._is_closed:
            self._try(self._stream.flush)

    def _try(self, action: Callable[[], object]) -> None:
        if self.fault is None:
            try:
                if not self._is_closed:
                    action()
                elif not self.is_lenient:
                    raise OSError(errno.EBADF, "it is closed")
                return
            except OSError as error:
                self.fault = OutputError(error)
                self._discard()
        if not self.is_lenient:
            raise self.fault

    def _discard(self) -> None:
        """Redirect the rest of the buffer to nowhere, so that the interpreter reports no error at exit."""
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


def _shorten(text: str) -> str:
    if len(text) <= LONGEST_LINE:
        return text
    return "\n".join(
        line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}… ({len(line) - LONGEST_LINE:,} characters more)"
        for line in text.split("\n")
    )


@contextmanager
def gates() -> Iterator[tuple[Gate, Gate]]:
    """Put a gate around stdout and stderr within the context."""
    _take_places()
    out, err = Gate(sys.stdout), Gate(sys.stderr, lenient=True)
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast("TextIO", out), cast("TextIO", err)
    try:
        yield out, err
    finally:
        sys.stdout, sys.stderr = before
        # Holders of a gate, such as `logging` handlers, flush it at exit, when every error has been reported.
        out.is_lenient = True


def _take_places() -> None:
    """Occupy the descriptors of closed standard streams: otherwise the next opened file would receive their output."""
    for place in range(3):
        try:
            os.fstat(place)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
