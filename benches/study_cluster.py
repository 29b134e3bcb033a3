"""Costs that add up for 10^9 deals: processor time per deal on a worker, bytes sent, bytes and time in the store.

`python benches/study_cluster.py [--part tasks|writer|report] [--scale X]`. A task is played here as a worker would play
it, in one thread. Times are processor times, since machines are shared; docs/clusters.md adds them up.
"""

from __future__ import annotations

import argparse
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from harness import Clock, in_words
from unshuffle.store import PolicyGames, Store
from unshuffle.study.ledger import Ledger
from unshuffle.study.plan import make_parts
from unshuffle.study.tasks import Answer, Solved, Task, play_task

RULES = "rules:10,100,4,200"
CASES: tuple[tuple[str, str, dict[str, Any], int], ...] = (
    ("belle-lucie", "one-deal", {"solver": True}, 100_000),
    ("agnes", "up-suit-anyrun-nosplit", {"solver": True}, 2_000),
    ("aces-up", "must-fill", {"solver": True}, 5_000),
    ("spider", "4-suits", {"solver": True}, 500),
    ("gaps", "addiction-one-deal", {"solver": True}, 200),
    ("aces-up", "standard", {"policy": RULES}, 1_000_000),
)
"""Game, variant, method, and a number of deals that takes some seconds."""


def used(work: Callable[[], Any]) -> tuple[float, Any]:
    """Do some work; return its processor time in all threads, and its result."""
    before = process_time()
    done = work()
    return process_time() - before, done


def store_answer(ledger: Ledger, first: int, answer: Answer) -> None:
    if isinstance(answer, PolicyGames):
        ledger.keep_games(first, answer)
    else:
        ledger.keep(answer.rows, answer.replayed)


def measure_task(folder: Path, number: int, scale: float) -> None:
    """Measure one case: playing a task as a worker does, sending the answer, and storing it."""
    game, variant, how, deals = CASES[number]
    deals = max(2, int(deals * scale))
    (part,) = make_parts(game, variant=variant, seeds=range(deals), **how)
    # 0 wins to replay, as after the first 1,000 wins: only a sample is replayed, as in nearly all of a long run.
    task = Task.of(part, 1).over(range(deals), 0)
    played, answer = used(lambda: play_task(task))
    sent = pickle.dumps(answer)
    unpacked, _ = used(lambda: pickle.loads(sent))
    path = folder / f"case{number}.sqlite"
    with Store.open(path) as store:
        (run,) = store.add_runs("s", [part.spec()])
        empty = path.stat().st_size
        with store.owner() as owner:
            ledger = Ledger(store, owner, part, run)
            ledger.take(deals)
            stored, _ = used(lambda: store_answer(ledger, 0, answer))
    size = path.stat().st_size - empty
    print(
        f"{part.game} {part.method} ({part.engine}), {deals:,} deals: {in_words(played / deals)} each on a worker,"
        f" {len(sent) / deals:.1f} bytes sent, {in_words((stored + unpacked) / deals)} to unpack and store,"
        f" {size / deals:.1f} bytes in the store"
    )


def shifted(answer: Answer, first: int) -> Answer:
    """Return the same results for seeds from `first` on."""
    if isinstance(answer, PolicyGames):
        return answer
    return Solved([(first + place, *row[1:]) for place, row in enumerate(answer.rows)], answer.replayed, answer.seconds)


def measure_writer(folder: Path, number: int, size: int, chunks: int) -> Path:
    """Measure the storing process when it need not wait: it unpacks and stores chunk after chunk. Return the store."""
    game, variant, how, _ = CASES[number]
    (part,) = make_parts(game, variant=variant, seeds=range(size * chunks), **how)
    answer = play_task(Task.of(part, 1).over(range(size), 0))
    path = folder / f"writer{number}-{chunks}.sqlite"
    spent = 0.0
    with Store.open(path) as store, store.owner() as owner:
        (run,) = store.add_runs("s", [part.spec()])
        ledger = Ledger(store, owner, part, run)
        for first in range(0, size * chunks, size):
            sent = pickle.dumps(shifted(answer, first))

            def store_chunk(first: int = first, sent: bytes = sent) -> None:
                ledger.take(size)
                store_answer(ledger, first, pickle.loads(sent))

            seconds, _ = used(store_chunk)
            spent += seconds
    deals = size * chunks
    print(
        f"{part.game} {part.method}, {chunks:,} chunks of {size:,}:"
        f" {deals / spent:,.0f} deals per second of the writer, {path.stat().st_size / deals:.1f} bytes each"
    )
    return path


def measure_report(path: Path, chunks: int) -> None:
    """Measure a report, whose time depends on the number of chunks."""
    with Clock() as clock:
        command = [sys.executable, "-m", "unshuffle", "study", "report", "s", "--store", str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"a report over {chunks:,} chunks: {in_words(clock.seconds)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("tasks", "writer", "report"), help="only this (all)")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the number of deals (1)")
    arguments = parser.parse_args()
    scale = arguments.scale
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.part in (None, "tasks"):
            for number in range(len(CASES)):
                measure_task(folder, number, scale)
        if arguments.part in (None, "writer"):
            measure_writer(folder, 0, 20_000, max(1, int(200 * scale)))
            measure_writer(folder, len(CASES) - 1, 200_000, max(1, int(200 * scale)))
        if arguments.part in (None, "report"):
            chunks = max(1, int(50_000 * scale))
            measure_report(measure_writer(folder, 0, 20, chunks), chunks)


if __name__ == "__main__":
    main()
