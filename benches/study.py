"""The study layer: results stored per second, its overhead over solving, and the time of a report.

`python benches/study.py [--deals N] [--rows N]`. A benchmark is not a test; machines are shared, so look at the ratios.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import unshuffle as un
import unshuffle.study
from harness import Clock, in_words
from unshuffle.engine import VARIABLE, describe_engine
from unshuffle.rulebook import write_rules
from unshuffle.store import RunSpec, SolverRow, Store

GAME = un.game("belle-lucie", "one-deal")
_CHUNK = 10_000


def measure_speed(folder: Path, deals: int) -> None:
    """Measure results per second with deals so fast that the study layer is the bottleneck."""
    before = process_time()
    with Clock() as clock:
        unshuffle.study.run("speed", GAME, solver=True, seeds=range(deals), store=folder / "speed.sqlite")
    used = (process_time() - before) / deals
    size = (folder / "speed.sqlite").stat().st_size / deals
    print(
        f"{deals:,} deals of {GAME} ({describe_engine()}) into the store: {deals / clock.seconds:,.0f} results/s,"
        f" {in_words(used)} of processor time and {size:.0f} bytes each"
    )


def measure_overhead(folder: Path, deals: int, repeats: int) -> None:
    """Measure the overhead over solving, with deals of some milliseconds in Python: in turns, the best of each."""
    wanted = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = "python"
    bare: list[float] = []
    studied: list[float] = []
    try:
        for number in range(repeats):
            with Clock() as clock:
                for _ in un.solve_many(GAME, seeds=range(deals)):
                    pass
            bare.append(clock.seconds)
            with Clock() as clock:
                path = folder / f"overhead{number}.sqlite"
                unshuffle.study.run("overhead", GAME, solver=True, seeds=range(deals), store=path)
            studied.append(clock.seconds)
    finally:
        os.environ[VARIABLE] = wanted
    alone, within = min(bare), min(studied)
    print(
        f"{deals:,} deals of {in_words(alone / deals)} (python): bare {alone:.3f} s, in a study {within:.3f} s,"
        f" overhead {100 * (within / alone - 1):+.2f} %"
    )


def fill(path: Path, rows: int) -> None:
    """Fill a store with made-up results."""
    rng = random.Random(1)
    values = [
        (status, 52 if status == "solved" else rng.randrange(52), True, int(rng.expovariate(0.01)), rng.random() / 1e5)
        for status in rng.choices(("solved", "unsolvable", "node-limit"), (4.5, 95, 0.5), k=_CHUNK)
    ]
    spec = RunSpec(
        game=GAME.id, variant=GAME.variant, rules=write_rules(GAME.rules), method="solver", information="open",
        generator="unshuffle", first_seed=0, last_seed=rows - 1, nodes_limit=10**6, memory_limit=1 << 30,
        engine="native", package_version=un.__version__,
    )  # fmt: skip
    with Clock() as clock, Store.open(path) as store:
        run = store.add_run("filled", spec)
        for first in range(0, rows, _CHUNK):
            last = min(rows, first + _CHUNK) - 1
            chunk: list[SolverRow] = [
                (first + i, *value, None, None) for i, value in enumerate(values[: last - first + 1])
            ]
            store.finish_solver_chunk(run, first, last, chunk, owner="bench", engine="native", replayed=0)
    size = path.stat().st_size
    print(f"{rows:,} made-up results: {rows / clock.seconds:,.0f} rows/s into the store, {size / 1e6:,.0f} MB")


def measure_reports(path: Path) -> None:
    """Measure whole commands, with their start-up."""
    for command in (["report", "filled"], ["report", "filled", "--json"], ["show", "filled"], ["list"]):
        with Clock() as clock:
            subprocess.run(
                [sys.executable, "-m", "unshuffle", "study", *command, "--store", path],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        print(f"unshuffle study {' '.join(command)}: {in_words(clock.seconds)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=500_000, help="fast deals to be stored (500000)")
    parser.add_argument("--slow-deals", type=int, default=300, help="slow deals for the overhead (300)")
    parser.add_argument("--repeats", type=int, default=5, help="how often these are solved, bare and studied (5)")
    parser.add_argument("--rows", type=int, default=10_000_000, help="made-up results for the reports (10000000)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_speed(folder, arguments.deals)
        measure_overhead(folder, arguments.slow_deals, arguments.repeats)
        fill(folder / "filled.sqlite", arguments.rows)
        measure_reports(folder / "filled.sqlite")


if __name__ == "__main__":
    main()
