"""Atomic writing of files, and file locks between programs."""

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
"""The name of an unfinished file: it tells the machine and the process that write it."""

_numbers = count(1)
_swept: set[Path] = set()
_LOOK_SECONDS = 0.002
"""The interval between attempts to take a lock that another program holds."""


@contextmanager
def whole_file(path: Path, *, replaces: bool = True) -> Iterator[Path]:
    """Yield a path to write to; the file gets its name at the end, so no reader ever sees a part of it.

    If anything fails, Ctrl-C included, the old file stays unchanged. Unfinished files that killed programs left in the
    folder are removed. Without `replaces`, FileExistsError if the file exists, even if it was created meanwhile.
    """
    # A symbolic link stays; its target is replaced.
    path = path.resolve()
    if path.exists() and not (replaces and path.is_file()):
        raise FileExistsError(EEXIST, "it is there already" if path.is_file() else "it is there, and is not a file")
    _sweep(path.parent)
    unfinished = path.with_name(f".{path.name}.{neighbourhood()}.{os.getpid()}-{next(_numbers)}.tmp")
    with suppress(OSError):
        unfinished.unlink()  # left by a dead process with the same id
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
    """Rename the file, unless the new name exists."""
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(EEXIST, "it is there already") from None
        os.replace(unfinished, path)
    else:
        os.unlink(unfinished)


def _sweep(folder: Path) -> None:
    """Remove the unfinished files of dead processes; never those of living processes, other machines or containers."""
    # Once per folder: a run that saves thousands of wins would otherwise read its folder thousands of times.
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
    """Write a file atomically."""
    with whole_file(path, replaces=replaces) as unfinished:
        unfinished.write_bytes(data)


@contextmanager
def writing(path: Path, fault: str = "cannot write") -> Iterator[None]:
    """Turn an OSError into a UsageError that names the file and the reason."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{fault} {str(path)!r}: {error.strerror or error}") from None


# Locks.


@contextmanager
def locked(path: Path, patience: float) -> Iterator[None]:
    """Hold the lock of this file: one holder at a time, among processes and among threads.

    The system releases it when its process ends, however that ends, so no stale lock is left behind; the file may stay
    and has no content. BlockingIOError if another holder keeps the lock for longer than `patience` seconds; another
    OSError if locking fails, as on a network drive without locks.
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
            _unlock(descriptor)  # closing alone would leave the lock to a child process that inherited the descriptor
        os.close(descriptor)


def _take(path: Path) -> int | None:
    """Return the descriptor of the lock file; None if another holder has the lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(descriptor)
        # If the file was removed (by a person who clears the folder), its holder has a lock that no other program can
        # see; the next program locks a new file.
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

    # Not `lockf`: its locks belong to the process, so any thread could take and release those of the others.
    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def read_parsed(path: Path, what: str, parse: Callable[[str], _Parsed], *, is_packed: bool = False) -> _Parsed:
    """Return the parsed text of a file; UsageError if it cannot be read, or is not a valid file of `what`."""
    try:
        # Not with the module gzip, whose import alone takes longer than this.
        return parse(
            zlib.decompress(path.read_bytes(), wbits=31).decode("ascii") if is_packed else path.read_text("utf-8")
        )
    except OSError as error:
        raise UsageError(f"cannot read the {what} {quote(str(path))}: {error.strerror or error}") from None
    except (zlib.error, ValueError, RecursionError) as error:  # not UTF-8, or not valid
        raise UsageError(f"{quote(str(path))} is not a file of {what}: {error}") from None
