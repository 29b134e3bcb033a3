"""`unshuffle study import`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import JsonOption, complete_games
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import NameOption, StoreOption
from unshuffle.cli.progress import ProgressLine
from unshuffle.registry import games_with
from unshuffle.store import Store

_MOST_NUMBERS = 20


def _games() -> str:
    return f"The game: {', '.join(games_with('results'))}."


def import_study(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The results file (SQLite) of the other program.")],
    game: Annotated[str, typer.Option(metavar="GAME", help=_games(), autocompletion=complete_games)],
    store: StoreOption = None,
    name: NameOption = None,
    numbering: Annotated[
        str,
        typer.Option(
            metavar="v1|v2",
            help="The numbering of rules in its lists. v2: of its versions 2.x; stored as foreign lists.",
        ),
    ] = "v1",
    json: JsonOption = False,
) -> ExitCode:
    """Import wins from the results file of another Aces Up program.

    Before anything is stored, the rules replay every line, and our policy plays every list again; the command prints
    how many games agree. The other program keeps only wins, so imported games count in no win rate. The store numbers
    the decks of the file. Importing a file again adds only what is new. A file with a fault adds nothing.

    Exit codes: 0 done, 2 wrong usage, 74 the store cannot be used, 255 a file that cannot be read, with all its faults.
    """
    from unshuffle.study.importing import import_file

    line = ProgressLine()
    try:
        with Store.open(store) as opened:
            done = import_file(opened, game, file, name=name, numbering=numbering, progress=line.deals)
            path = opened.path
    finally:
        line.clear()
    page = show.Page(sys.stdout)
    if json:
        show.json_line(page, asdict(done) | {"differing": list(done.differing)})
        return ExitCode.DONE
    if not done.batches:
        page.line(f"Nothing is new in {str(file)!r}: batches that are in {str(path)!r} already: {done.known}")
        return ExitCode.DONE
    page.line(
        f"{done.study}: {show.plural(done.wins, 'win')} imported into {str(path)!r}, with"
        f" {show.plural(done.decks, 'deck')} and {show.plural(done.strategies, 'list')};"
        f" batches: {done.batches} new, {done.known} known"
    )
    if done.wins:
        page.line(f"lines that the rules replayed to a win: {done.wins:,} of {done.wins:,}")
        agreed = f"{done.agreed:,} of {done.compared:,}" if done.compared else "none, for the lists are foreign"
        page.line(f"games that our player plays alike, move for move: {agreed}")
    if done.differing:
        some = ", ".join(map(str, done.differing[:_MOST_NUMBERS]))
        more = f" and {len(done.differing) - _MOST_NUMBERS:,} more" if len(done.differing) > _MOST_NUMBERS else ""
        page.line(f"otherwise: solutions {some}{more}; their lines are kept")
    page.line("Wins only: the games that were lost there are not known, so none of this is in a rate.")
    return ExitCode.DONE
