"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write a file so that nobody ever finds a part of it: it gets its name at the end.

    If anything fails, Ctrl-C too, what was there stays as it was.
    """
    # A link stays one; what it leads to is replaced.
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise FileExistsError(EEXIST, "it is there, and is not a file")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield unfinished
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def write_whole(path: Path, data: bytes) -> None:
    """Write a file of which nobody ever finds a part."""
    with whole_file(path) as unfinished:
        unfinished.write_bytes(data)
