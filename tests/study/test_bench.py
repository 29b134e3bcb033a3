"""The benchmarks of the study layer run and measure what they say."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.benching import BENCHES, needs_engine, run
from tests.scripts import load_script
from unshuffle.cli.main import main

pytestmark = pytest.mark.one_engine("runs the benchmarks")


@pytest.fixture(autouse=True)
def _commands_run_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the benchmarks run their commands in this process."""

    def run_here(command: list[Any], **options: Any) -> CompletedProcess[str]:
        assert command[1:3] == ["-m", "unshuffle"]
        with redirect_stdout(StringIO()):
            code = main([str(word) for word in command[3:]])
        assert code == 0
        return CompletedProcess(command, code)

    fake: Callable[..., CompletedProcess[str]] = run_here
    monkeypatch.setattr(subprocess, "run", fake)


def test_it_measures_speed_overhead_and_reports() -> None:
    done = run("--deals", 50, "--slow-deals", 3, "--repeats", 1, "--rows", 12345, bench="study.py")
    assert done.returncode == 0, done.stderr
    for words in ("results/s", "overhead", "12,345 made-up results", "unshuffle study report filled: "):
        assert words in done.stdout


@needs_engine
def test_it_measures_what_a_cluster_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    # All its cases would be the searches of other tests once more.
    monkeypatch.setattr("unshuffle.study.tasks.loaded_files", list)  # this process has those games already
    cluster = load_script(BENCHES / "study_cluster.py")
    monkeypatch.setattr(cluster, "CASES", (cluster.CASES[0], cluster.CASES[-1]))
    done = run("--scale", "0.0001", bench="study_cluster.py")
    assert done.returncode == 0, done.stderr
    for words in (
        "belle-lucie/one-deal solver",
        "aces-up/standard policy:rules:10,100,4,200",
        "bytes sent",
        "deals per second of the writer",
        "a report over 5 chunks",
    ):
        assert words in done.stdout
