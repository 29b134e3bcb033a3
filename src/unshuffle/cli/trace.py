"""`--trace FILE`: a JSON line for every position of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from unshuffle.errors import UsageError


@contextmanager
def trace_file(path: Path | None) -> Iterator[Callable[[str], None] | None]:
    """Yield a function that writes whole lines to the trace file; None without a path."""
    if path is None:
        yield None
        return

    def refused(error: OSError) -> UsageError:
        return UsageError(f"--trace: cannot write {str(path)!r}: {error.strerror}")

    try:
        # Unbuffered, so that the file is complete even if the program is killed.
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
