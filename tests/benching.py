"""Running a benchmark as a person does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.laws import ROOT
from unshuffle import engine

BENCHES = ROOT / "benches"

needs_engine = pytest.mark.skipif(engine.native() is None, reason="the engine is what it measures")


def run(*arguments: object, bench: str = "belle_lucie.py") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHES / bench), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
