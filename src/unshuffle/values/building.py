"""Files that take long to build: what is done is kept beside them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from unshuffle.errors import UsageError, quote
from unshuffle.files import locked


def partial_of(out: Path) -> Path:
    """Where what is done is kept until all is done."""
    return out.with_name(out.name + ".part")


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Keep other programs from building the same file meanwhile: each would write over what the other one keeps.

    UsageError if another one builds it. The folder is made if it is not there.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    lock = out.with_name(f".{out.name}.lock")
    try:
        with locked(lock, 0):
            try:
                yield
            finally:
                with suppress(OSError):
                    lock.unlink()
    except BlockingIOError:
        raise UsageError(
            f"another program is building {quote(str(out))} now; wait for its end, or give another --out"
        ) from None


def begun_otherwise(partial: Path) -> UsageError:
    """The error for what was kept of another work."""
    return UsageError(
        f"{quote(str(partial))} holds values that were begun with other settings; "
        "give those again, another --out, or remove the file"
    )


def damaged(partial: Path, what: object) -> UsageError:
    """The error for what was kept and cannot be gone on with."""
    return UsageError(
        f"{quote(str(partial))} is damaged ({what}); it was left as it is. Put a copy back, give another --out, or"
        " remove it to begin again"
    )


@dataclass(frozen=True, slots=True)
class Building:
    """A file that is about to be built."""

    path: Path
    what: str
    """What will be in it."""
    run: Callable[[int | None, Callable[[str], object]], Sequence[str]]
    """Build it with so many threads, telling how far it is; what it returns is said of it in the end."""


class Shown(NamedTuple):
    """Values that were looked up."""

    found: dict[str, Any]
    """As JSON has them, after the game and its variant."""
    lines: list[str]
    """In words."""


class Values(ABC):
    """The tables of values of one game: what `unshuffle values` builds and shows of it."""

    out: ClassVar[str]
    """The name of a file that has none, in words."""
    heights: ClassVar[str] = ""
    """How a value is asked for, in words; '' if no value can be looked up."""

    @abstractmethod
    def building(self, given: dict[str, Any], out: Path | None) -> Building:
        """The file that the given options ask for: `seed`, and those that the game adds to `values build`.

        UsageError where they ask for none.
        """

    def show(self, game: Any, words: list[str]) -> Shown:
        """The values that these words ask for."""
        raise NotImplementedError
