"""`unshuffle study published`: win rates that others have published."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from unshuffle.cli.arguments import JsonOption, complete_games
from unshuffle.cli.exits import ExitCode


def list_published(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game.  [default: all games]", autocompletion=complete_games),
    ] = None,
    json: JsonOption = False,
) -> ExitCode:
    """List the win rates that others have published.

    Counts and rates with their rules, information (open or hidden) and sources. `unshuffle study report` compares the
    runs of a study with those of the same rules.
    """
    from unshuffle.study.published_report import print_published

    print_published(game, json=json, out=sys.stdout)
    return ExitCode.DONE
