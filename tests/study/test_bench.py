"""The benchmark of the study layer runs and measures what it says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.laws import ROOT
from unshuffle.engine import describe_engine

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")


def test_it_measures_speed_overhead_and_reports() -> None:
    command = [sys.executable, str(ROOT / "benches" / "study.py"), "--deals", "50", "--slow-deals", "3"]
    done = subprocess.run([*command, "--repeats", "1", "--rows", "12345"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for words in ("results/s", "overhead", "12,345 made-up results", "unshuffle study report filled: "):
        assert words in done.stdout


@pytest.mark.skipif(describe_engine() != "native", reason="its figures are the engine's; Gaps would take minutes")
def test_it_measures_what_a_cluster_would_take() -> None:
    command = [sys.executable, str(ROOT / "benches" / "study_cluster.py"), "--scale", "0.0001"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for words in (
        "belle-lucie/one-deal solver",
        "bytes sent",
        "deals per second of the writer",
        "a report over 5 chunks",
    ):
        assert words in done.stdout
