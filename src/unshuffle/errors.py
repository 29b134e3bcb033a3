"""The errors of the package. Each message says what is wrong and how to correct it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

# A long invalid file must not cause an equally long message.
_MOST_FAULTS_SHOWN = 30
_LONGEST_QUOTE = 40
_LONGEST_ERROR = 200


class Place(NamedTuple):
    """A position in a text, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a text, and where."""

    message: str
    place: Place | None = None

    def __str__(self) -> str:
        return self.message if self.place is None else f"{self.place}: {self.message}"


class ParseError(ValueError):
    """A short text (a card, a move, a deal id, a limit) that cannot be read."""


class RefusedError(ParseError):
    """An answer of a person that is not accepted, with the reason."""


class InvalidDealError(ValueError):
    """A deal that cannot be laid out, with all its faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        # Here and below: exceptions are pickled by their arguments, which must therefore be the parts and not the text.
        super().__init__(self.faults)

    def __str__(self) -> str:
        lines = [str(fault) for fault in self.faults[:_MOST_FAULTS_SHOWN]]
        if len(self.faults) > _MOST_FAULTS_SHOWN:
            lines.append(f"... and {len(self.faults) - _MOST_FAULTS_SHOWN:,} more")
        return "\n".join(lines)


class IllegalMoveError(ValueError):
    """A move that the rules do not allow in this position."""

    def __init__(self, token: str, position: str, reason: str) -> None:
        self.token = token
        self.position = position
        self.reason = reason
        super().__init__(token, position, reason)

    def __str__(self) -> str:
        # The position may be a printed table of many lines.
        position = " / ".join(filter(None, self.position.splitlines()))
        return f"illegal move {quote(self.token)} in {position!r}: {self.reason}"


class UsageError(ValueError):
    """An invalid request: an unknown game, a rule that does not exist, a negative limit."""


class UnknownKeywordError(UsageError, TypeError):
    """An unknown keyword argument of an environment. Also a TypeError, which Gymnasium's users expect."""


class LackingError(UsageError):
    """A request that needs a package that is not installed; the message says how to install it."""


class StoreError(ValueError):
    """A store of results that cannot be read or written; the message names the file and says what to do."""


class ClusterError(ValueError):
    """A cluster that cannot be reached, is lost, or has workers with other rules or versions."""


class OutputError(Exception):
    """Standard output or standard error cannot be written: closed, disk full, or reader gone.

    Not an OSError, so that handlers of file errors do not catch it.
    """

    def __init__(self, cause: OSError) -> None:
        self.is_broken_pipe = isinstance(cause, BrokenPipeError)
        super().__init__(f"the output cannot be written: {cause.strerror or cause}")


class InternalError(RuntimeError):
    """A contradiction between two parts of unshuffle: always a bug, and never ignored."""

    def __init__(self, what: str, evidence: str) -> None:
        self.what = what
        self.evidence = evidence
        super().__init__(what, evidence)

    def __str__(self) -> str:
        return (
            f"{self.what}. This is a bug in unshuffle, so no result is given. Please report it with these lines:\n"
            f"{self.evidence}"
        )


class Faults:
    """The faults found so far in a text, so that all of them can be reported at once."""

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def add(self, message: str, place: Place | None = None) -> None:
        """Add a fault."""
        self._found.append(Fault(message, place))

    def __bool__(self) -> bool:
        return bool(self._found)

    def check(self) -> None:
        """Raise InvalidDealError if anything was wrong."""
        if self._found:
            # Sorted by position; faults of the whole text come last.
            raise InvalidDealError(sorted(self._found, key=lambda fault: fault.place or Place(1 << 60, 0)))


def quote(text: str) -> str:
    """Return the text in quotes, shortened if it is long, with control characters escaped."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")


def in_a_line(said: object, longest: int = _LONGEST_ERROR) -> str:
    """Return a foreign message (of SQLite, of a loaded file) on one line, shortened: it may quote whole texts."""
    text = " ".join(str(said).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def unknown(kind: str, name: str, known: Iterable[str], more: str = "") -> UsageError:
    """Return the error for an unknown name, with the nearest known one; `more` is appended if none is near."""
    from difflib import get_close_matches  # slow to import, and needed only when something is wrong

    names = list(known)
    # A name three times as long as all others is near to none of them, and would take long to compare.
    near = get_close_matches(name, names, n=1) if len(name) <= 3 * max(map(len, names), default=0) else []
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return UsageError(f"unknown {kind} {quote(name)}{hint} (known: {', '.join(names)}{'' if near else more})")
