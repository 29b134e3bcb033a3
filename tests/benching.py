"""Running a benchmark: in this process, or as a person does where its errors come from processes of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.laws import ROOT
from tests.scripts import run_script
from unshuffle import engine

BENCHES = ROOT / "benches"

needs_engine = pytest.mark.skipif(engine.native() is None, reason="the engine is what it measures")


def run(*arguments: object, bench: str = "belle_lucie.py") -> subprocess.CompletedProcess[str]:
    """Run a benchmark in this process."""
    return run_script(BENCHES / bench, *arguments)


def run_apart(*arguments: object, bench: str) -> subprocess.CompletedProcess[str]:
    """Run a benchmark in a process of its own. What its child processes write to stderr is told too."""
    command = [sys.executable, str(BENCHES / bench), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
