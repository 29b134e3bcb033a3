"""`unshuffle play`."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import (
    DealArguments,
    GameArguments,
    GeneratorOption,
    PlainOption,
    SavesOption,
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
        typer.Argument(metavar="[FILE]", help="A deal as text.  [default: a random deal]", show_default=False),
    ] = None,
    seed: SeedOption = None,
    generator: GeneratorOption = None,
    name: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Open the saved game with this id, or begin it.")
    ] = None,
    saves: SavesOption = None,
    coach: Annotated[
        bool, typer.Option("--coach", help="Before each move print how it changes your chances, and warn if it loses.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Time limit of a hint, a solve, a review or the coach.", min=0.01, max=86400),
    ] = None,
    plain: PlainOption = False,
) -> ExitCode:
    """Play a game in the terminal, with hints and a coach.

    You see what a player sees. Type a move as it is listed, or its number; `?` lists the other commands: undo, redo,
    hint, solve, review, save, open, new, quit. Hints do not use hidden cards. Solve and review do, and ask first. The
    game is saved after every answer from the first move on. If stdin is a pipe, it has one answer per line.

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
    """Return the state with which a game begins, and whether unknown cards of its text were dealt at random."""
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
    """Return the table as lines: a picture on a terminal, layout text if stdin is a pipe."""
    if sys.stdin is not None and sys.stdin.isatty():
        return show.picture(page, game, seen)
    return game.format(seen).splitlines()
