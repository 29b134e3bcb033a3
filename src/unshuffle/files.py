"""Files that are there whole or not at all, and locks for those that several programs change."""

from __future__ import annotations

import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, EDEADLK, EEXIST
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

from unshuffle.errors import UsageError, quote
from unshuffle.processes import is_alive, neighbourhood

_Parsed = TypeVar("_Parsed")

_DRAFT = re.compile(r"\..+\.(?P<where>[0-9a-f]{8})\.(?P<pid>[0-9]+)-[0-9]+\.tmp")
"""How a file is named while it is written: by whom, and which of its files."""

_numbers = count(1)
_swept: set[Path] = set()
_LOOK_SECONDS = 0.002
"""So long a program waits before it tries again to take a lock that another one holds."""


@contextmanager
def whole_file(path: Path, *, replaces: bool = True) -> Iterator[Path]:
    """Where to write a file so that nobody ever finds a part of it: it gets its name at the end.

    If anything fails, Ctrl-C too, what was there stays as it was. What programs that were killed have left in the
    folder goes. Without `replaces`, FileExistsError if there is a file, also one that came while this was written.
    """
    # A link stays one; what it leads to is replaced.
    path = path.resolve()
    if path.exists() and not (replaces and path.is_file()):
        raise FileExistsError(EEXIST, "it is there already" if path.is_file() else "it is there, and is not a file")
    _sweep(path.parent)
    unfinished = path.with_name(f".{path.name}.{neighbourhood()}.{os.getpid()}-{next(_numbers)}.tmp")
    with suppress(OSError):
        unfinished.unlink()  # of a dead process that had our number
    try:
        yield unfinished
        if replaces:
            os.replace(unfinished, path)
        else:
            _name_new(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _name_new(unfinished: Path, path: Path) -> None:
    """Give the file its name, unless another file has it."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(EEXIST, "it is there already") from None
        os.replace(unfinished, path)
    else:
        os.unlink(unfinished)


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


def write_whole(path: Path, data: bytes, *, replaces: bool = True) -> None:
    """Write a file of which nobody ever finds a part."""
    with whole_file(path, replaces=replaces) as unfinished:
        unfinished.write_bytes(data)


@contextmanager
def writing(path: Path, fault: str = "cannot write") -> Iterator[None]:
    """Say which file cannot be written, and why, as a UsageError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{fault} {str(path)!r}: {error.strerror or error}") from None


# Locks.


@contextmanager
def locked(path: Path, patience: float) -> Iterator[None]:
    """Hold the lock that this file stands for: one holder at a time, among processes and among threads.

    The system gives it back when its process ends, however that ends, so that no lock is ever left behind; the file
    may stay, and says nothing. BlockingIOError if another holder keeps the lock for longer than `patience` seconds;
    another OSError where it cannot be had, as on a network drive whose server knows no locks.
    """
    until = monotonic() + patience
    while (descriptor := _take(path)) is None:
        if monotonic() >= until:
            raise BlockingIOError(EAGAIN, "another program keeps it locked")
        sleep(_LOOK_SECONDS)
    try:
        yield
    finally:
        with suppress(OSError):
            _unlock(descriptor)  # closing alone would leave it to a child process that has inherited it
        os.close(descriptor)


def _take(path: Path) -> int | None:
    """The open lock file, if the lock could be taken now."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(descriptor)
        # Whoever removes the file, as a person who clears the folder does, leaves its holder with a lock that no
        # other program can see. The next one has a file of its own.
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.errno not in (EAGAIN, EACCES, EDEADLK):
            os.close(descriptor)
            raise
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    # Not `lockf`: its locks belong to a process, and any of its threads could take and lose them for the others.
    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def read_parsed(path: Path, what: str, parse: Callable[[str], _Parsed], *, is_packed: bool = False) -> _Parsed:
    """What a file's text stands for; UsageError where it cannot be read, or is not `what` it should be."""
    try:
        # Not by the module gzip, whose import alone takes longer than this.
        return parse(
            zlib.decompress(path.read_bytes(), wbits=31).decode("ascii") if is_packed else path.read_text("utf-8")
        )
    except OSError as error:
        raise UsageError(f"cannot read the {what} {quote(str(path))}: {error.strerror or error}") from None
    except (zlib.error, ValueError, RecursionError) as error:  # no UTF-8, or not what it should be
        raise UsageError(f"{quote(str(path))} is not a file of {what}: {error}") from None
