"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from itertools import count
from pathlib import Path

from unshuffle.processes import is_alive, neighbourhood

_DRAFT = re.compile(r"\..+\.(?P<where>[0-9a-f]{8})\.(?P<pid>[0-9]+)-[0-9]+\.tmp")
"""How a file is named while it is written: by whom, and which of its files."""

_numbers = count(1)
_swept: set[Path] = set()


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write a file so that nobody ever finds a part of it: it gets its name at the end.

    If anything fails, Ctrl-C too, what was there stays as it was. What programs that were killed have left in the
    folder goes.
    """
    # A link stays one; what it leads to is replaced.
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise FileExistsError(EEXIST, "it is there, and is not a file")
    _sweep(path.parent)
    unfinished = path.with_name(f".{path.name}.{neighbourhood()}.{os.getpid()}-{next(_numbers)}.tmp")
    with suppress(OSError):
        unfinished.unlink()  # of a dead process that had our number
    try:
        yield unfinished
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _sweep(folder: Path) -> None:
    """Remove the drafts of dead processes; never one of a process that lives, or that cannot be seen from here."""
    # Once: a run that saves thousands of wins would else read its folder thousands of times.
    if folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            draft = _DRAFT.fullmatch(entry.name)
            if draft and draft["where"] == neighbourhood() and not is_alive(int(draft["pid"])):
                with suppress(OSError):
                    os.unlink(entry.path)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file of which nobody ever finds a part."""
    with whole_file(path) as unfinished:
        unfinished.write_bytes(data)
