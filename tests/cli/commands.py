"""A line for every command that does its work in a moment, and the arguments that each command takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.main import get_command

from tests.cli.program import LOST, WON
from tests.laws import DATA, OURS
from tests.store.making import finish, spec
from unshuffle.cli.app import COMMANDS, app
from unshuffle.store import Store

STORE = "store.sqlite"
PEER = DATA / "aces-up" / "peer-sample.sqlite"
ENDLESS = {("serve",)}
"""Commands that end by Ctrl-C only; they have tests of their own."""


@dataclass(frozen=True)
class Said:
    """A command line and what stdin holds."""

    line: list[str]
    stdin: str = ""


def _said(text: str, stdin: str = "") -> Said:
    return Said(text.split(), stdin)


LINES: dict[str, Said] = {
    "help": _said("--help"),
    "version": _said("--version"),
    "help of a command": _said("solve gaps --help"),
    "games": _said("games"),
    "games, one": _said("games gaps"),
    "games, JSON": _said("games gaps --json"),
    "deal": _said("deal agnes --seed 1"),
    "deal, in another form": _said("deal belle-lucie --seed 1 --format solvitaire"),
    "deal, winnable": _said("deal aces-up --winnable --no-store --seeds 1..1"),
    "solve, won": _said(f"solve belle-lucie --seed {WON}"),
    "solve, lost": _said(f"solve belle-lucie --seed {LOST}"),
    "solve, undecided": _said("solve belle-lucie --seed 7 --nodes 1"),
    "solve, many": _said("solve belle-lucie --seeds 3..6"),
    "solve, many undecided": _said("solve belle-lucie --seeds 3..6 --nodes 1"),
    "solve, JSON with words": _said(f"solve belle-lucie --seed {LOST} --json --explain short"),
    "solve, CSV": _said("solve belle-lucie --seeds 3..6 --csv"),
    "solve, played out": _said("solve belle-lucie - --redeal --redeal-seed 1", "KS QS\n"),
    "verify, a win": _said("verify belle-lucie - --moves KS^", "Foundations: KC KD KH QS\nKS\n"),
    "verify, no win": _said("verify belle-lucie - --moves= --json", "KS QS\n"),
    "review": _said(f"review belle-lucie --seed {LOST} --moves AS^"),
    "advise": _said("advise belle-lucie - --json", "KS QS\n"),
    "advise, a sitting": _said("advise belle-lucie --id new --saves saves", "?\nz\n"),
    "advise, the menu": _said("advise belle-lucie --saves saves", "?\nq\n"),
    "play": _said("play belle-lucie --seed 6 --saves saves", "?\nz\n"),
    "simulate": _said("simulate aces-up --policy random --seeds 0..3"),
    "tournament": _said("tournament aces-up --policy random --policy greedy --seeds 0..3 --yes --store t.sqlite"),
    "episodes": _said("episodes aces-up --policy random --seeds 0..1 --out e.parquet"),
    "values build": _said("values build aces-up --games 10 --out v.json"),
    "values show": Said(["values", "show", "belle-lucie", "9 13 13 13"]),
    "study run": _said("study run t --game belle-lucie --solver --seeds 3..6 --store t.sqlite"),
    "study list": _said(f"study list --store {STORE}"),
    "study show": _said(f"study show s --store {STORE}"),
    "study report": _said(f"study report s --store {STORE}"),
    "study report, a page": _said(f"study report s --store {STORE} --html -"),
    "study compare": _said(f"study compare s t --store {STORE}"),
    "study export": _said(f"study export s s.csv --store {STORE}"),
    "study published": _said("study published agnes"),
    "study import": Said(["study", "import", "--game", "aces-up", str(PEER), "--store", "t.sqlite"]),
    "check-game": _said("check-game aces-up --variant standard --law cards --seeds 0..1"),
    "check-game, JSON": _said("check-game aces-up --variant standard --law cards --seeds 0..1 --json"),
    "study delete": _said(f"study delete t --yes --store {STORE}"),
}


def make_store(folder: Path) -> None:
    """The store that some of the lines read: two studies over the same deals."""
    with Store.open(folder / STORE) as store:
        for name in ("s", "t"):
            finish(store, store.add_run(name, spec(last=99)), 0, 99)


def every_command() -> Iterator[tuple[str, ...]]:
    """The name of every command, those of commands within commands among them."""
    group: Any = get_command(app)
    for name in COMMANDS:
        command = group.get_command(None, name)
        yield from ((name, sub) for sub in command.commands) if hasattr(command, "commands") else [(name,)]


def parameters() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every argument and option of every command, those of games among them, with the command."""
    group: Any = get_command(app)
    for name in COMMANDS:
        for game in OURS:
            group.line = [game]
            command = group.get_command(None, name)
            if hasattr(command, "commands"):
                for sub, each in command.commands.items():
                    yield from (((name, sub), param) for param in each.params)
                break
            yield from (((name, game), param) for param in command.params)
