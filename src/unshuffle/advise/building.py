"""Files that take long to build: what is done is kept beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
