"""Disks that take no more: full ones, small ones, and such as may only be read. Real ones, for root and for others."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest


def limited(size: int) -> Callable[[], None]:
    """What a process does before it begins, so that no file of it grows beyond so many bytes: a full disk to it."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@contextmanager
def short(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes: a full disk to it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """A file system over a folder, where that is allowed."""
    command = ["mount", *options, str(folder)]
    if os.getuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def small(folder: Path) -> AbstractContextManager[Path]:
    """A disk of a few hundred kilobytes."""
    return mounted(folder, "-t", "tmpfs", "-o", "size=800k", "tmpfs")


def fill(folder: Path) -> None:
    """Leave no room on a small disk."""
    with suppress(OSError), (folder / "filler").open("wb") as filler:
        while True:
            filler.write(bytes(4096))
            filler.flush()


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """A folder in which nobody may write. Root is not asked for permission, so for root it is a mount that refuses."""
    if os.getuid() != 0:
        folder.chmod(0o500)
        try:
            yield folder
        finally:
            folder.chmod(0o700)
        return
    with mounted(folder, "--bind", str(folder)):
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield folder
