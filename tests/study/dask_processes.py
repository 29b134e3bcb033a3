"""A Dask cluster for tests: its scheduler in this process, its workers here or in processes that can be killed."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def start_cluster(workers: int) -> Any:
    """Return a cluster of so many workers, with all of it in threads of this process."""
    import distributed

    made: Any = distributed.LocalCluster
    return made(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL + 1,
    )


class Workers:
    """A scheduler and the workers that a test adds. Nothing of it is left when it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self._cluster = start_cluster(0)
        self.address: str = self._cluster.scheduler_address
        self.file = folder / "scheduler.json"
        self.file.write_text(json.dumps({"address": self.address}))

    def add_here(self) -> None:
        """Start a worker in a thread of this process, and go on without it."""
        self._cluster.scale(1)

    def add(self, preload: str = "") -> subprocess.Popen[bytes]:
        """Start a worker process, with a line of Python or a file that it runs first, and go on without it."""
        options = ("--preload", preload) if preload else ()
        with (self._folder / f"log{len(self._started)}").open("wb") as log:
            # Without a nanny, which would start it again.
            process = subprocess.Popen(
                [
                    sys.executable, "-m", "dask", "worker", self.address, "--nthreads", "1", "--no-nanny",
                    "--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--local-directory", self._folder, *options,
                ],
                stdout=log, stderr=log, cwd=self._folder, env=environment(),
            )  # fmt: skip
        self._started.append(process)
        return process

    def one(self) -> subprocess.Popen[bytes]:
        """Return a worker process that is alive: one of an earlier test, or a new one."""
        return next((process for process in self._started if process.poll() is None), None) or self.add()

    def end_all(self) -> None:
        """Kill all workers, and wait until the scheduler knows."""
        self._cluster.scale(0)
        for process in self._started:
            process.kill()
            process.wait()
        wait_until(lambda: not self._cluster.scheduler.workers, "a worker that was killed is still known")

    def close(self) -> None:
        """End all of it."""
        self.end_all()
        self._cluster.close()


@contextmanager
def cluster_apart() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A cluster in a process of its own, and its address. The process is killed at the end, if it still lives."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.study.dask_processes"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


if __name__ == "__main__":
    with start_cluster(1) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
