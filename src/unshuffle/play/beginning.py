"""How a game begins: with the deal of a number, with a text, or with what chance adds to one."""

from __future__ import annotations

from typing import Any

from unshuffle.deals import OURS, Source, draw_seed
from unshuffle.errors import InvalidDealError, UsageError
from unshuffle.game import AnyGame


def dealt(game: AnyGame, text: str = "") -> Any:
    """The deal of this number, such as 7 or `python:12#3`; a random one if there is none."""
    return game.deal(Source.parse(text, OURS) if text else Source(draw_seed()))


def parse(game: AnyGame, text: str) -> Any:
    """A whole deal, or as much of it as a player sees."""
    try:
        return game.parse(text)
    except InvalidDealError as error:
        try:
            return game.parse_seen(text)
        except InvalidDealError as other:
            raise min((error, other), key=lambda found: len(found.faults)) from None


def made_whole(game: AnyGame, state: Any) -> tuple[Any, str]:
    """The state that was read, with chance deciding what it does not tell; and what has to be said about that."""
    if hasattr(state, "sample"):
        return _drawn_by_chance(state), "What the text does not tell, chance has decided."
    try:
        game.check_open(state)
    except UsageError:
        if getattr(state, "redeals", ()):
            raise  # some redeals are told, and chance would deal them otherwise
        return _drawn_by_chance(state.view()), "What redeals will bring, chance has decided."
    return state, ""


def _drawn_by_chance(view: Any) -> Any:
    from random import Random

    return view.sample(Random(draw_seed()))
