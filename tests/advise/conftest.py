"""Fixtures of the adviser's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.advise.table import Sit, seat
from tests.cli.conftest import Run, run

__all__ = ["run"]


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    return tmp_path / "saves"


@pytest.fixture
def sit(run: Run, saves: Path) -> Sit:  # the fixture of that name
    return seat(run, saves)
