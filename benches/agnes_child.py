"""One side of benches/agnes.py in a process of its own: `python benches/agnes_child.py unshuffle` or `quagnes`.

The program reads lines of JSON with decks, and answers each with a line of verdicts and processor time. Only playing is
timed: not the start of Python, the imports, or the reading of our decks. It also runs in a Python without unshuffle.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import process_time, thread_time
from typing import Any

_QUAGNES_VERDICTS = {1: "won", 2: "lost", 3: None}


class Unshuffle:
    """unshuffle: `solve_many` on one thread, with the checks that every user gets."""

    def __init__(self) -> None:
        self.un = importlib.import_module("unshuffle")
        # Warm up: the first call is slow. It also tells which engine plays this game.
        engine = self.un.solve(self.un.game("agnes").deal(0), nodes=1).engine
        self.name = f"unshuffle {self.un.__version__} ({engine})"

    def play(self, variant: str, decks: list[str]) -> dict[str, Any]:
        game = self.un.game("agnes", variant)
        states = [game.parse(f"Deck: {deck}") for deck in decks]
        # The engine searches in a thread of its own, so this thread's time is Python's.
        begun, begun_here = process_time(), thread_time()
        results = list(self.un.solve_many(states, threads=1))
        seconds, around = process_time() - begun, thread_time() - begun_here
        verdicts = {self.un.Status.SOLVED: "won", self.un.Status.UNSOLVABLE: "lost"}
        tables = [(r.stats.get("table_entries", 0), r.stats.get("table_bytes", 0)) for r in results]
        return {
            "verdicts": [verdicts.get(result.status) for result in results],
            "seconds": seconds,
            "around": around,
            "tables": tables,
        }


class Quagnes:
    """The package from PyPI, with one object per deck as in its example."""

    def __init__(self) -> None:
        self.agnes: Callable[..., Any] = importlib.import_module("quagnes").Agnes
        self.name = f"quagnes {version('quagnes')}"
        # Version 1.0.0 renamed the option, and changed its meaning in colour games.
        self.split = next(name for name in inspect.signature(self.agnes).parameters if name.startswith("split"))

    def play(self, decks: list[str], rules: dict[str, Any], cap: int) -> dict[str, Any]:
        options = {self.split if name == "split_runs" else name: value for name, value in rules.items()}
        verdicts, each = [], []
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "deck.txt"
            for deck in decks:
                file.write_text(deck, encoding="utf-8")
                begun = process_time()
                game = self.agnes(deck_filename=str(file), max_states=cap, **options)
                verdicts.append(_QUAGNES_VERDICTS[game.play()])
                each.append(process_time() - begun)
        return {"verdicts": verdicts, "seconds": sum(each), "each": each}


def main() -> None:
    side: Any = {"unshuffle": Unshuffle, "quagnes": Quagnes}[sys.argv[1]]()
    print(json.dumps(side.name), flush=True)
    for line in sys.stdin:
        print(json.dumps(side.play(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
