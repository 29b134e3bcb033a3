"""Fixtures of the fault tests: those of the command line and of the adviser, and disks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.advise.conftest import saves, sit
from tests.cli.conftest import run
from tests.faults import disks

__all__ = ["run", "saves", "sit"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    with disks.small(folder):
        yield folder


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder in which nobody may write, with a file `old` in it."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    (folder / "old").write_text("as it was")
    with disks.read_only(folder):
        yield folder
