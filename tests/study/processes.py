"""Real processes that run studies, and what they leave in the store."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.cli.program import PROGRAM, environment
from unshuffle.engine import describe_engine

# So many deals take a third of a second on the engine and longer without it: time enough to be killed in.
DEALS = 12_000 if describe_engine() == "native" else 400


QUICK = ("--rule", "fan_size=13")
"""Four fans, decided in no time on either engine: for many results."""


def arguments(store: Path, deals: int = DEALS, *more: str) -> list[str]:
    """A study of the first deals of La Belle Lucie."""
    return [
        "study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", f"0..{deals - 1}",
        "--threads", "1", "--store", str(store), *more,
    ]  # fmt: skip


def start(store: Path, deals: int = DEALS, *more: str, **options: Any) -> subprocess.Popen[str]:
    """Begin it."""
    command = [*PROGRAM, *arguments(store, deals, *more)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), **options
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for its end."""
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in out + err, out + err
    return process.returncode, out, err


def count(store: Path) -> int:
    """How many results are stored by now."""
    if not store.exists():
        return 0
    db = sqlite3.connect(store, timeout=60)
    try:
        return int(db.execute("SELECT count(*) FROM result").fetchone()[0])
    finally:
        db.close()


def wait_for(store: Path, more_than: int, process: subprocess.Popen[str]) -> None:
    """Wait until more results than this are stored, or the process has ended."""
    until = monotonic() + 60
    while process.poll() is None and count(store) <= more_than:
        assert monotonic() < until, "nothing was stored in a minute"
        sleep(0.01)


def stop(store: Path, process: subprocess.Popen[str]) -> None:
    """Put the process to sleep while it does not hold the lock of the store."""
    while True:
        process.send_signal(signal.SIGSTOP)
        db = sqlite3.connect(store, timeout=0.2, isolation_level=None)
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
            return
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            sleep(0.01)
        finally:
            db.close()


def table(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that a report could say, but for times."""
    db = sqlite3.connect(store, timeout=60)
    try:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        found = {
            "result": db.execute("SELECT seed, status, score, score_proved, nodes, moves FROM result ORDER BY seed"),
            "score_count": db.execute("SELECT score, deals FROM score_count ORDER BY score"),
            "sums": db.execute(
                "SELECT sum(won), sum(lost), sum(undecided), sum(completed), sum(nodes_sum), sum(nodes_squares),"
                " max(nodes_max), sum(last - first + 1) FROM chunk WHERE finished IS NOT NULL"
            ),
        }
        return {name: rows.fetchall() for name, rows in found.items()}
    finally:
        db.close()


def check_whole(store: Path) -> int:
    """What is stored agrees with itself: finished chunks, their sums, and the rows. The number of results."""
    found = table(store)
    db = sqlite3.connect(store)
    seeds = [
        seed
        for first, last in db.execute("SELECT first, last FROM chunk WHERE finished IS NOT NULL ORDER BY first")
        for seed in range(first, last + 1)
    ]
    db.close()
    assert [row[0] for row in found["result"]] == seeds
    scores: dict[int, int] = {}
    for row in found["result"]:
        scores[row[2]] = scores.get(row[2], 0) + 1
    assert found["score_count"] == sorted(scores.items())
    if seeds:
        won = sum(row[1] == "solved" for row in found["result"])
        assert found["sums"][0][:2] == (won, len(seeds) - won)
    return len(seeds)
