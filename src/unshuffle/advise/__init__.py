"""Advice on games that a person plays elsewhere: the person types the table, the program returns a plan.

The flow, the save files and the prompts are the same for all games; each game supplies its part, an `Adviser`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unshuffle.game import AnyGame

if TYPE_CHECKING:
    from unshuffle.advise.adviser import Adviser

__all__ = ["adviser_of"]


def adviser_of(game: AnyGame) -> Adviser:
    """Return the adviser for this game and its rules: the game's own, or the general one."""
    from unshuffle.advise.anyone import AnyAdviser  # imported here: that module imports this one

    made: type[Adviser] = game.own("adviser") or AnyAdviser
    return made(game)
