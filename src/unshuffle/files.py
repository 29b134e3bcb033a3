"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EEXIST
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever finds a part of it; if anything fails, what was there stays as it was."""
    # A link stays one; what it leads to is replaced.
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise FileExistsError(EEXIST, "it is there, and is not a file")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
