"""What can be wrong, each with the words a person needs to put it right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

# A file of noise must not answer with a message as long as itself.
_MOST_FAULTS_SHOWN = 30
_LONGEST_QUOTE = 40
_LONGEST_ERROR = 200


class Place(NamedTuple):
    """Where in a text something stands, counted from 1."""

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
    """An answer that cannot be taken, and why."""


class InvalidDealError(ValueError):
    """A deal that cannot be laid out; it names every fault at once."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        # What it is made of, here and below, and not its text: pickle makes it again from that in another process.
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
        # A game may hand over its table as it prints it, in many lines.
        position = " / ".join(filter(None, self.position.splitlines()))
        return f"illegal move {quote(self.token)} in {position!r}: {self.reason}"


class UsageError(ValueError):
    """A request that makes no sense as it stands: an unknown game, a rule that does not exist, a negative limit."""


class UnknownKeywordError(UsageError, TypeError):
    """A keyword argument that an environment does not have. A TypeError too, which Gymnasium's users expect."""


class LackingError(UsageError):
    """A request for what needs a package that is not installed, and how to get it."""


class StoreError(ValueError):
    """A store of results that cannot be read or written: what is wrong, with which file, and what to do."""


class ClusterError(ValueError):
    """A cluster that cannot be reached, is lost, or has workers that would play something else."""


class OutputError(Exception):
    """Standard output or standard error cannot be written: closed, a full disk, a reader that is gone.

    Not an OSError: whoever handles the errors of a file must not take this for one of them.
    """

    def __init__(self, cause: OSError) -> None:
        self.is_broken_pipe = isinstance(cause, BrokenPipeError)
        super().__init__(f"the output cannot be written: {cause.strerror or cause}")


class InternalError(RuntimeError):
    """Two parts of unshuffle disagree. Never the user's fault, and never passed over."""

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
    """The faults found so far while a text is read, so that all of them can be told at once."""

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def add(self, message: str, place: Place | None = None) -> None:
        """Note one fault and go on reading."""
        self._found.append(Fault(message, place))

    def __bool__(self) -> bool:
        return bool(self._found)

    def check(self) -> None:
        """Raise InvalidDealError if anything was wrong."""
        if self._found:
            # In the order of the text; what concerns the whole of it comes last.
            raise InvalidDealError(sorted(self._found, key=lambda fault: fault.place or Place(1 << 60, 0)))


def quote(text: str) -> str:
    """The text in quotes, shortened where it is long, with nothing in it that could disturb a terminal."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")


def in_a_line(said: object, longest: int = _LONGEST_ERROR) -> str:
    """Return what others say, as SQLite or a loaded file, in one line, shortened: it may quote whole texts."""
    text = " ".join(str(said).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def unknown(kind: str, name: str, known: Iterable[str], more: str = "") -> UsageError:
    """The error for a name that does not exist, with the nearest one that does; `more` is said where none is near."""
    from difflib import get_close_matches  # slow to import, and needed only when something is wrong

    names = list(known)
    near = get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return UsageError(f"unknown {kind} {quote(name)}{hint} (known: {', '.join(names)}{'' if near else more})")
