"""Tools to measure a peer and unshuffle on the same deals in one run, and to print the ratios.

A benchmark is not a test: nothing here passes or fails. Machines are shared, so seconds alone mean little; ratios of
two programs measured together, and counts of nodes, mean more.
"""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any

import unshuffle as un
from unshuffle.engine import describe_engine


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile of sorted values."""
    return ordered[max(0, ceil(len(ordered) * percent / 100) - 1)]


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one program took over a number of deals."""

    program: str
    deals: int
    median: float
    p95: float
    p99: float
    worst: float
    mean: float
    nodes_per_second: float | None = None

    @classmethod
    def of(cls, program: str, seconds: Sequence[float], nodes: int | None = None) -> Timing:
        """Return the statistics of the seconds of a run."""
        ordered = sorted(seconds)
        total = sum(ordered)
        speed = None if nodes is None or not total else nodes / total
        median, p95, p99 = (percentile(ordered, share) for share in (50, 95, 99))
        return cls(program, len(ordered), median, p95, p99, ordered[-1], total / len(ordered), speed)


def in_words(seconds: float) -> str:
    """Return a time in s, ms or µs."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def show(timings: Sequence[Timing], *, ratios: bool = True) -> None:
    """Print a table of programs, and the ratio of each one's times to those of the first."""
    first = timings[0]
    print(f"{'program':<34}{'deals':>8}{'median':>11}{'p95':>11}{'p99':>11}{'worst':>11}{'mean':>11}{'nodes/s':>12}")
    for each in timings:
        times = "".join(f"{in_words(t):>11}" for t in (each.median, each.p95, each.p99, each.worst, each.mean))
        speed = "" if each.nodes_per_second is None else f"{each.nodes_per_second:,.0f}"
        print(f"{each.program:<34}{each.deals:>8,}{times}{speed:>12}")
    for each in timings[1:] if ratios else ():
        figures = ", ".join(
            f"{name} {getattr(each, name) / getattr(first, name):,.2f}" for name in ("median", "p95", "p99", "mean")
        )
        print(f"{each.program} / {first.program}: {figures}")


def table(columns: Mapping[str, Callable[[Any], str]], rows: Iterable[Any]) -> str:
    """Return the rows as a Markdown table that is aligned as plain text too, with numbers on the right."""
    cells = [[tell(row) for tell in columns.values()] for row in rows]
    widths = [max(map(len, (name, *column))) for name, column in zip(columns, zip(*cells, strict=True), strict=True)]
    is_figure = [
        all(re.fullmatch(r"[\d.,—-]+( ?\S{1,3})?", cell) for cell in column if cell)
        for column in zip(*cells, strict=True)
    ]

    def line(parts: Iterable[str]) -> str:
        padded = (
            f"{part:>{w}}" if right else f"{part:<{w}}" for part, w, right in zip(parts, widths, is_figure, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = "|".join("-" * (w + 1) + ":" if right else "-" * (w + 2) for w, right in zip(widths, is_figure, strict=True))
    return "\n".join([line(columns), f"|{rule}|", *map(line, cells)])


def measure(states: Sequence[Any]) -> tuple[Timing, list[un.Result]]:
    """Solve the deals on one thread, and return the engine's search times and the results."""
    results = list(un.solve_many(states, threads=1))
    seconds = [result.stats.seconds for result in results]
    nodes = sum(result.stats.nodes for result in results)
    return Timing.of(f"unshuffle {un.__version__} ({describe_engine()})", seconds, nodes), results


def run_peer(command: Sequence[str], text: str, folder: Path, limit: float | None) -> tuple[str, float] | None:
    """Run a peer; return its output and its processor time, children included, or None past the time limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(text, timeout=limit)
    except subprocess.TimeoutExpired:
        # The peer may start processes of its own, all of which are in its session.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_cost(command: Sequence[str], text: str, folder: Path) -> float:
    """Return the start-up cost of a peer: the least processor time of three calls on a trivial position."""
    runs = [run_peer(command, text, folder, 60) for _ in range(3)]
    return min(run[1] for run in runs if run is not None)


class Child:
    """A program that answers lines of JSON until the end, so that its start-up is not counted."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request: Any) -> Any:
        """Send one request and return the answer."""
        assert self._process.stdin is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return self.answer()

    def answer(self) -> Any:
        """Return the next line that it prints; exit if there is none (its error message is on stderr)."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self._process.args!r} ended with code {self._process.wait()}")
        return json.loads(line)


def save(path: Path, timing: Timing, extra: dict[str, Any]) -> None:
    """Save a result, to be compared with a later engine."""
    record = {**asdict(timing), **extra, "machine": platform.machine(), "python": platform.python_version()}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> tuple[Timing, dict[str, Any]]:
    """Return a saved result."""
    record = json.loads(path.read_text(encoding="utf-8"))
    names = Timing.__dataclass_fields__
    timing = Timing(**{name: value for name, value in record.items() if name in names})
    return timing, {name: value for name, value in record.items() if name not in names}


class Clock:
    """A context that measures wall time."""

    def __enter__(self) -> Clock:
        self._begun = perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = perf_counter() - self._begun
