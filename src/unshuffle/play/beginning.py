"""How a game begins: with the deal of a number, with a text, or with what chance adds to one."""

from __future__ import annotations

from random import Random
from typing import Any

from unshuffle.deals import OURS, Source, draw_seed
from unshuffle.errors import InvalidDealError
from unshuffle.game import AnyGame
from unshuffle.views import unknown_in


def dealt(game: AnyGame, text: str = "") -> Any:
    """The deal of this number, such as 7 or `python:12#3`; a random one if there is none."""
    return game.deal(Source.parse(text, OURS) if text else Source(draw_seed()))


def parse(game: AnyGame, text: str) -> Any:
    """Read a whole deal as a state, or as much of it as a player sees as a view.

    A view that only one state fits is read as that state.
    """
    try:
        return game.parse(text)
    except InvalidDealError as error:
        try:
            seen = game.parse_seen(text)
        except InvalidDealError as other:
            raise min((error, other), key=lambda found: len(found.faults)) from None
        return seen if unknown_in(seen) else fill(seen, 0)


def unknown_of(game: AnyGame, state: Any) -> str:
    """Name in words what is unknown in what was read: hidden cards, or the order of redeals; '' if nothing is."""
    if hasattr(state, "sample"):
        return unknown_in(state)
    return "" if game.is_open(state) else unknown_in(state.view())


def fill(view: Any, seed: int) -> Any:
    """Deal by chance what the view does not show; the same number deals the same."""
    return view.sample(Random(seed))


def made_whole(game: AnyGame, state: Any, seed: int | None = None) -> Any:
    """Return the state that was read with what is unknown in it dealt by chance.

    UsageError if some redeals are told and others are not: chance would deal the told ones otherwise.
    """
    if not unknown_of(game, state):
        return state
    if getattr(state, "redeals", ()):
        game.check_open(state)  # raises
    view = state if hasattr(state, "sample") else state.view()
    return fill(view, draw_seed() if seed is None else seed)
