"""Measuring side by side: a peer and unshuffle on the same deals, in one run, told as ratios.

A benchmark is not a test: nothing here passes or fails. Machines are shared, so lone seconds mean little; ratios of two
programs measured together do, and so do counts of nodes.
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
    """The smallest value that is not below this share of all values."""
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
        """The figures of a run."""
        ordered = sorted(seconds)
        total = sum(ordered)
        speed = None if nodes is None or not total else nodes / total
        median, p95, p99 = (percentile(ordered, share) for share in (50, 95, 99))
        return cls(program, len(ordered), median, p95, p99, ordered[-1], total / len(ordered), speed)


def in_words(seconds: float) -> str:
    """A time in a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def show(timings: Sequence[Timing], *, ratios: bool = True) -> None:
    """A table of programs, and how many times as long as the first one each took."""
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
    """Rows as a Markdown table, which is text for people's eyes too; figures stand at the right."""
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
    """Solve the deals on one thread; the times are those that the engine took for the searches themselves."""
    results = list(un.solve_many(states, threads=1))
    seconds = [result.stats.seconds for result in results]
    nodes = sum(result.stats.nodes for result in results)
    return Timing.of(f"unshuffle {un.__version__} ({describe_engine()})", seconds, nodes), results


def run_peer(command: Sequence[str], text: str, folder: Path, limit: float | None) -> tuple[str, float] | None:
    """One call of a peer: what it printed and its processor time, with that of its children; None past the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(text, timeout=limit)
    except subprocess.TimeoutExpired:
        # The peer starts processes of its own; all of them are in its session.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_cost(command: Sequence[str], text: str, folder: Path) -> float:
    """What the peer takes for nothing: the least processor time of three calls on a trivial position."""
    runs = [run_peer(command, text, folder, 60) for _ in range(3)]
    return min(run[1] for run in runs if run is not None)


class Child:
    """A program that stays, so that its start is not counted: a line of JSON in, a line of JSON out."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request: Any) -> Any:
        """The answer to one request."""
        assert self._process.stdin is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return self.answer()

    def answer(self) -> Any:
        """The next line that it prints; its own words about a failure are on stderr by then."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self._process.args!r} ended with code {self._process.wait()}")
        return json.loads(line)


def save(path: Path, timing: Timing, extra: dict[str, Any]) -> None:
    """Keep a result, so that a later engine can be set beside this one."""
    record = {**asdict(timing), **extra, "machine": platform.machine(), "python": platform.python_version()}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> tuple[Timing, dict[str, Any]]:
    """A result that was kept."""
    record = json.loads(path.read_text(encoding="utf-8"))
    names = Timing.__dataclass_fields__
    timing = Timing(**{name: value for name, value in record.items() if name in names})
    return timing, {name: value for name, value in record.items() if name not in names}


class Clock:
    """Wall time of a part of the run."""

    def __enter__(self) -> Clock:
        self._begun = perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = perf_counter() - self._begun
