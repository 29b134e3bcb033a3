"""What should I do now, with what I can see? A person plays elsewhere, types what lies there, and is told a plan.

The flow, the save files and the prompts are the same for all games; each game supplies its part, an `Adviser`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unshuffle.game import AnyGame

if TYPE_CHECKING:
    from unshuffle.advise.adviser import Adviser

__all__ = ["adviser_of"]


def adviser_of(game: AnyGame) -> Adviser:
    """The adviser for this game, by its rules: its own, or the one of every game."""
    from unshuffle.advise.anyone import AnyAdviser  # here, for its module asks this one

    made: type[Adviser] = game.own("adviser") or AnyAdviser
    return made(game)
