"""`unshuffle study published`: how often others have won."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from unshuffle.cli.arguments import JsonOption, complete_games
from unshuffle.cli.exits import ExitCode


def list_published(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game; all of them if you name none.", autocompletion=complete_games),
    ] = None,
    json: JsonOption = False,
) -> ExitCode:
    """List how often others have won, as far as it is published.

    Counts and rates with their sources: which rules, with which information, by whom. `unshuffle study report` sets the
    runs of a study beside those that are about the same.
    """
    from unshuffle.study.published_report import print_published

    print_published(game, json=json, out=sys.stdout)
    return ExitCode.DONE
