"""`unshuffle play`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import (
    DealArguments,
    GameArguments,
    GeneratorOption,
    PlainOption,
    SeedArguments,
    SeedOption,
)
from unshuffle.cli.console import console_on, usable_id
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.cli.reading import STDIN
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame

EXAMPLES = (
    "unshuffle play belle-lucie",
    "unshuffle play gaps --seed 7 --coach",
    "unshuffle play agnes table.txt --variant up-suit-anyrun",
    "unshuffle play agnes --id my-game",
)


def play(
    choice: GameArguments,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A deal as text; without it a random deal.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    generator: GeneratorOption = None,
    name: Annotated[str | None, typer.Option("--id", metavar="ID", help="Open this saved game, or begin it.")] = None,
    saves: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of saved games.  [default: $UNSHUFFLE_SAVES, or saves]"),
    ] = None,
    coach: Annotated[
        bool, typer.Option("--coach", help="Say before each move what it does to your chances, and warn of losses.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Time for a hint, a solve, a review or the coach's look.", min=0.01, max=86400),
    ] = None,
    plain: PlainOption = False,
) -> ExitCode:
    """Play a game in the terminal, with hints and a coach.

    You see what a player sees. Type a move as the list writes it, or its number; `?` tells the other commands: undo,
    redo, hint, solve, review, save, open, new, quit. Hints know no hidden card; solve and review do, and ask first.
    From the first move on every answer is saved at once. From a pipe the same answers are read, one per line.

    Exit codes: 0 done, 2 wrong usage, 74 the save cannot be written, 255 bad input or a refused answer, 130 Ctrl-C.
    """
    from unshuffle.advise.folder import default_folder, new_id, now
    from unshuffle.play import beginning
    from unshuffle.play.saves import PlaySaves
    from unshuffle.play.session import Session
    from unshuffle.play.table import Table
    from unshuffle.play.thinking import Times

    game = choice.game
    folder = PlaySaves(saves or default_folder(), game.id)
    is_saved = name is not None and folder.holds(usable_id(name))
    if is_saved and name is not None:
        if file is not None or seed is not None:
            raise UsageError(f"the game {name!r} is there already; leave FILE and --seed out, or choose another --id")
        table = folder.read(name)
        if (choice.variant is not None or choice.rule is not None) and table.game.rules != game.rules:
            raise UsageError(f"the game {name!r} is one of {table.game}; leave --variant and --rule out")
    else:
        start, by_chance = _start(game, file, seed, generator)
        table = Table(game, start, name or new_id(), now(), by_chance=by_chance)
    page = show.Page(sys.stdout, plain)
    session = Session(
        table,
        folder,
        console_on(page),
        draw=lambda game, seen: _drawn(page, game, seen),
        deal=beginning.dealt,
        times=Times() if seconds is None else Times(seconds, seconds, seconds),
        watcher=ProgressLine,
        is_coached=coach,
        coach_seconds=seconds,
    )
    if is_saved:
        session.open()
    else:
        session.begin(is_named=name is not None)
    session.run()
    return ExitCode.DONE


def _start(game: AnyGame, file: str | None, seed: str | None, generator: str | None) -> tuple[Any, bool]:
    """Return the state with which a game begins, and whether chance has dealt what its text did not tell."""
    from unshuffle.play import beginning

    if file is None:
        return game.deal(SeedArguments(seed=seed, generator=generator).source), False
    if file == STDIN:
        raise UsageError("the answers come from stdin, so the deal cannot; name a file")
    deals = DealArguments(file=file, seed=seed, generator=generator)
    deals.check()
    state = deals.state(game, lambda text: beginning.parse(game, text))
    return beginning.made_whole(game, state), bool(beginning.unknown_of(game, state))


def _drawn(page: show.Page, game: AnyGame, seen: Any) -> list[str]:
    """The table for a person's eyes; in a pipe, as in every answer there, the text that can be read again."""
    if sys.stdin is not None and sys.stdin.isatty():
        return show.picture(page, game, seen)
    return game.format(seen).splitlines()
