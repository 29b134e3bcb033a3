"""A Dask cluster of real processes, which can be killed one by one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.cli.program import environment

PATIENCE = 120
"""Seconds after which a test gives up. None should come near it, also where machines are busy."""


def wait_until(is_so: Callable[[], Any], what: str) -> None:
    """Look again and again."""
    until = monotonic() + PATIENCE
    while not is_so():
        assert monotonic() < until, what
        sleep(0.02)


class Processes:
    """A scheduler and the workers that a test adds. Nothing of it is left when it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", self.file)
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"), "no scheduler came")

    def _start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        log = (self._folder / f"log{len(self._started)}").open("wb")
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--no-dashboard", "--dashboard-address", "127.0.0.1:0"],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=environment(),
            )
        self._started.append(process)
        return process

    def add_worker(self, preload: str = "", *options: str) -> subprocess.Popen[bytes]:
        """Start a worker, with a line of Python that it runs first, and go on without it."""
        if preload:
            options = ("--preload", preload, *options)
        # Without a nanny, which would start it again.
        return self._start(
            "worker", "--scheduler-file", self.file, "--nthreads", "1", "--no-nanny",
            "--local-directory", self._folder, *options,
        )  # fmt: skip

    def end_workers(self) -> None:
        """Kill all workers, and wait until the scheduler knows."""
        import distributed

        for process in self._started[1:]:
            process.kill()
            process.wait()
        del self._started[1:]
        made: Any = distributed.Client
        with made(scheduler_file=str(self.file), set_as_default=False) as client:
            wait_until(lambda: not client.nthreads(), "a worker that was killed is still known")

    def close(self) -> None:
        """End all of it."""
        for process in self._started:
            process.kill()
            process.wait()
