"""`--trace FILE`: what a search did, a line of JSON for every position that it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from unshuffle.errors import UsageError


@contextmanager
def trace_file(path: Path | None) -> Iterator[Callable[[str], None] | None]:
    """What writes a part of the trace, whole lines that are in the file when it returns; None without a file."""
    if path is None:
        yield None
        return

    def refused(error: OSError) -> UsageError:
        return UsageError(f"--trace: cannot write {str(path)!r}: {error.strerror}")

    try:
        # Without a buffer of its own: whatever stops the program, what was written is there.
        file = path.open("wb", buffering=0)
    except OSError as error:
        raise refused(error) from None

    def write(text: str) -> None:
        rest = memoryview(text.encode())
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            raise refused(error) from None

    with file:
        yield write
