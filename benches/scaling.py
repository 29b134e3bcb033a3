"""Scaling of cost: `python benches/scaling.py [--part threads|deals|memory] [--share S] [--json]`.

- `threads`: the same studies of every game on one thread and on two, in turns: wall time, with storing and the replay
  of a sample, and the ratio of the processor time on two threads to that on one; the same for `solve_many`, where the
  Python rules replay every line;
- `deals`: La Belle Lucie over 1,000, 10,000 and 100,000 deals: processor time per deal, and the peak memory of the
  whole process, which must not grow with the number of deals;
- `memory`: searches that fill their transposition tables under smaller and smaller caps: how many deals are still
  decided, the positions searched, and the largest table.

Every figure is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un

THREADS = {
    "belle-lucie/one-deal": 100_000,
    "agnes/up-suit-none": 20_000,
    "aces-up/standard": 10_000,
    "gaps/addiction-one-deal": 40,
    "spider/1-suit": 400,
}
"""The number of deals of each game: some seconds of one core."""
REPLAYED = 20
"""`solve_many`, which replays every line, gets the deals divided by this."""
TURNS = 3
COUNTS = (1_000, 10_000, 100_000)
MEMORY = {"gaps/one-deal": 12, "aces-up/relaxed-discards": 4}
CAPS = ("1MB", "4MB", "16MB", "64MB", "256MB")
CAPPED_NODES = 3_000_000
"""The node limit, as a small cap can make a search endless."""

TABLE = {"gaps": "memory"}
"""The statistic with the bytes of the table, where it is not `table_bytes`."""

Row = dict[str, Any]


def solve(game: str, deals: int, threads: int, **limits: Any) -> Row:
    """Solve deals and return the costs, of this process."""
    name, _, variant = game.partition("/")
    begun, begun_processor = perf_counter(), process_time()
    results = un.solve_many(un.game(name, variant), seeds=range(deals), threads=threads, **limits)
    decided = nodes = table = 0
    for result in results:
        decided += result.is_decided
        nodes += result.stats.nodes
        table = max(table, getattr(result.stats, TABLE.get(name, "table_bytes")))
    return {
        "game": game,
        "deals": deals,
        "threads": threads,
        "seconds": perf_counter() - begun,
        "processor": process_time() - begun_processor,
        "decided": decided,
        "nodes": nodes,
        "table": table,
        "held": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def study(game: str, deals: int, threads: int) -> Row:
    """Run the deals as a study, which stores results and replays the first 1,000 wins and a sample, and time it."""
    import unshuffle.study

    name, _, variant = game.partition("/")
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "scaling.sqlite"
        begun, begun_processor = perf_counter(), process_time()
        unshuffle.study.run(
            "scaling", un.game(name, variant), solver=True, seeds=range(deals), threads=threads, store=store
        )
        return {"seconds": perf_counter() - begun, "processor": process_time() - begun_processor}


WORK: dict[str, Callable[..., Row]] = {"study": study, "solve_many": solve}


def apart(**arguments: Any) -> Row:
    """Do some of the WORK in a process of its own and return its costs."""
    command = [sys.executable, __file__, "--as-child", json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with code {done.returncode}:\n{done.stderr.strip()}")
    row: Row = json.loads(done.stdout)
    return row


def measure_threads(share: float) -> Iterator[Row]:
    """Measure one thread and two, in turns; the fastest turn counts, as other load can only add time."""
    for (game, deals), work in product(THREADS.items(), WORK):
        count = max(2, round(deals * share / (REPLAYED if work == "solve_many" else 1)))
        turns = [
            [apart(work=work, game=game, deals=count, threads=threads) for threads in (1, 2)] for _ in range(TURNS)
        ]
        one, two = (min((turn[which] for turn in turns), key=lambda row: float(row["seconds"])) for which in (0, 1))
        yield {
            "game": game,
            "work": work,
            "deals": count,
            "one": one["seconds"],
            "two": two["seconds"],
            "times_as_fast": one["seconds"] / two["seconds"],
            "processor": two["processor"] / one["processor"],
        }


def measure_deals(share: float) -> Iterator[Row]:
    """Measure growing numbers of deals."""
    for deals in COUNTS:
        yield apart(game="belle-lucie/one-deal", deals=max(2, round(deals * share)), threads=1)


def measure_memory(share: float) -> Iterator[Row]:
    """Measure growing memory caps."""
    for game, deals in MEMORY.items():
        for cap in CAPS:
            count = max(2, round(deals * share))
            nodes = max(100_000, round(CAPPED_NODES * min(share, 1)))
            yield {"cap": cap} | apart(game=game, deals=count, threads=1, memory=cap, nodes=nodes)


PARTS: dict[str, Callable[[float], Iterator[Row]]] = {
    "threads": measure_threads,
    "deals": measure_deals,
    "memory": measure_memory,
}
COLUMNS: dict[str, dict[str, Callable[[Row], str]]] = {
    "threads": {
        "game": lambda row: row["game"],
        "work": lambda row: row["work"],
        "deals": lambda row: f"{row['deals']:,}",
        "1 thread": lambda row: harness.in_words(row["one"]),
        "2 threads": lambda row: harness.in_words(row["two"]),
        "times as fast": lambda row: f"{row['times_as_fast']:.2f}",
        "processor time": lambda row: f"{row['processor']:.2f}",
    },
    "deals": {
        "deals": lambda row: f"{row['deals']:,}",
        "processor time of a deal": lambda row: harness.in_words(row["processor"] / row["deals"]),
        "memory held": lambda row: f"{row['held'] / 1e6:,.0f} MB",
    },
    "memory": {
        "game": lambda row: row["game"],
        "cap": lambda row: row["cap"],
        "decided": lambda row: f"{row['decided']} of {row['deals']}",
        "positions": lambda row: f"{row['nodes']:,}",
        "largest table": lambda row: f"{row['table'] / 1e6:,.1f} MB",
        "memory held": lambda row: f"{row['held'] / 1e6:,.0f} MB",
        "processor time": lambda row: harness.in_words(row["processor"]),
    },
}
"""The tables: for each column its heading and its contents."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="what to measure  [default: all]")
    parser.add_argument("--share", type=float, default=1.0, help="share of the deals to run (1)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the tables")
    parser.add_argument("--as-child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.as_child:
        asked = json.loads(arguments.as_child)
        print(json.dumps(WORK[asked.pop("work", "solve_many")](**asked)))
        return
    if not 0 < arguments.share <= 100:
        parser.error("--share is more than 0, at most 100")
    told = {part: list(PARTS[part](arguments.share)) for part in arguments.part or PARTS}
    if arguments.json:
        print(json.dumps(told, indent=1))
        return
    for part, rows in told.items():
        print(f"{part}\n{harness.table(COLUMNS[part], rows)}\n")


if __name__ == "__main__":
    main()
