"""A process that plays one saved game again and again beside others.

    python -m tests.faults.hammering WHAT FOLDER TIMES NUMBER

Each time is a whole run of a command with one answer, as a person gives it. How the runs ended is told as JSON.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from unshuffle.cards import PACK
from unshuffle.cli.main import main
from unshuffle.files import locked

ANSWERS: dict[str, tuple[list[str], Callable[[int], str]]] = {
    "play": (["play", "spider", "--id", "g"], lambda number: "1"),
    "advise": (["advise", "belle-lucie", "--id", "g"], lambda number: f"1: {PACK[number % 52]} {PACK[number // 52]}"),
}
"""Ways to open the game, and an answer for each number, no two in a row alike; the save remembers every one."""


def answered(save: Path) -> int:
    """How many answers a save remembers."""
    value = json.loads(save.read_bytes())
    return len(value["moves"]) if "moves" in value else len(value["passes"][0]["phases"][0]["earlier"])


def run(arguments: Sequence[str], typed: str = "") -> tuple[int, str]:
    """One run of a command; its exit code and its stderr."""
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as told:
        return main(list(arguments)), told.getvalue()


def hammer(what: str, folder: str, times: int, process: int) -> list[tuple[int, str]]:
    """The ends of so many runs."""
    numbers = range(process * times, (process + 1) * times)
    if what == "begin":
        # Each process with a deal of its own, all with the same ids.
        return [
            run(["play", "gaps", "--seed", str(process), "--id", f"g{number % times}", "--saves", folder])
            for number in numbers
        ]
    arguments, answer = ANSWERS[what]
    return [run([*arguments, "--saves", folder], answer(number)) for number in numbers]


def hold(path: str) -> None:
    """Keep a lock until the process is ended."""
    with locked(Path(path), 0):
        print("locked", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    if sys.argv[1] == "hold":
        hold(sys.argv[2])
    else:
        sys.stdin.readline()  # all begin at once
        print(json.dumps(hammer(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))))
