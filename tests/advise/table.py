"""Sitting down with the adviser: answers as text, and what is on the file afterwards."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cli.conftest import Run
from tests.cli.program import Ended

GAME = "belle-lucie"
PLAY = "[A]dvice, [D]one, [M]oves, [U]ndo, [E]dit, [B]oard, [R]edeal, e[X]port, [Z] save and exit?"
PLAY_ONCE = PLAY.replace("[R]edeal, ", "")
"""In a game without redeals."""
END = "[U]ndo, [E]dit, [B]oard, e[X]port, [Z] save and exit?"
EDIT = "Fan and cards (3: KH 2S 8S), blank to end?"
WHICH = "[S]tart of this deal or board [N]ow?"

TEN_CLUBS = ("QC JC KC", "TC", "")
"""The example of the specification: all else is up, and the ten is better kept down."""

Sit = Callable[..., Ended]


def seat(run: Run, saves: Path, *options: str) -> Sit:
    """A way to sit down: each call is one run with these answers, on the game `g` unless said otherwise."""

    def sit(*answers: str, name: str | None = "g", variant: str | None = "classic") -> Ended:
        arguments = ["--saves", str(saves), *options]
        if name is not None:
            arguments += ["--id", name]
        if variant is not None:
            arguments += ["--variant", variant]
        return run("advise", GAME, *arguments, stdin="".join(f"{answer}\n" for answer in answers))

    return sit


class Table:
    """A game with hidden cards: each call is one run with these answers, on the game `g`."""

    def __init__(self, run: Run, game: str, saves: Path) -> None:
        self._run = run
        self._game = game
        self.saves = saves

    def __call__(self, *answers: str, variant: str | None = None) -> Ended:
        chosen = [] if variant is None else ["--variant", variant]
        arguments = ["--saves", str(self.saves), "--id", "g", "--samples", "3", *chosen]
        return self._run("advise", self._game, *arguments, stdin="".join(f"{answer}\n" for answer in answers))


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C, again if need be: one that falls just before a program waits for input is seen only after it."""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(2)
            return


def saved(saves: Path, name: str = "g") -> Any:
    return json.loads((saves / f"{name}.json").read_text(encoding="utf-8"))


def phase(saves: Path, name: str = "g") -> Any:
    return saved(saves, name)["passes"][-1]["phases"][-1]


def last_prompt(ended: Ended) -> str:
    """What was asked last: from a pipe each prompt is a line."""
    return next(line for line in reversed(ended.out.splitlines()) if line.endswith("?"))
