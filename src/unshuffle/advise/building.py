"""Files that take long to build: what is done is kept beside them, and they are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def partial_of(out: Path) -> Path:
    """Where what is done is kept until all is done."""
    return out.with_name(out.name + ".part")


def write_whole(path: Path, data: bytes) -> None:
    """Write the file so that nobody ever finds a part of it."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)
