"""Building files that take long: partial results are kept beside them."""

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
    """Return the file for partial results."""
    return out.with_name(out.name + ".part")


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Lock the file against other builders, which would overwrite each other's partial results.

    UsageError if another program builds it. Creates the folder if it does not exist.
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
    """Return the error for partial results that were begun with other settings."""
    return UsageError(
        f"{quote(str(partial))} holds values that were begun with other settings; "
        "give those again, another --out, or remove the file"
    )


def damaged(partial: Path, what: object) -> UsageError:
    """Return the error for damaged partial results."""
    return UsageError(
        f"{quote(str(partial))} is damaged ({what}); it was left as it is. Put a copy back, give another --out, or"
        " remove it to begin again"
    )


@dataclass(frozen=True, slots=True)
class Building:
    """A file to be built."""

    path: Path
    what: str
    """Its contents, in words."""
    run: Callable[[int | None, Callable[[str], object]], Sequence[str]]
    """The function that builds it, given the number of threads and a progress callback. It returns closing remarks."""


class Shown(NamedTuple):
    """Values that were looked up."""

    found: dict[str, Any]
    """The values as JSON, after the game and its variant."""
    lines: list[str]
    """The values in words."""


class Values(ABC):
    """The value tables of one game: what `unshuffle values` builds and shows."""

    out: ClassVar[str]
    """The default file name, in words."""
    heights: ClassVar[str] = ""
    """How to ask for a value, in words; '' if no value can be looked up."""

    @abstractmethod
    def building(self, given: dict[str, Any], out: Path | None) -> Building:
        """Return the file that these options request: `seed`, and those that the game adds to `values build`.

        UsageError where they request none.
        """

    def show(self, game: Any, words: list[str]) -> Shown:
        """Return the values that these words ask for."""
        raise NotImplementedError
