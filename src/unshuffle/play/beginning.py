"""The start of a game: a numbered or random deal, or a text whose unknown cards are dealt at random."""

from __future__ import annotations

from random import Random
from typing import Any

from unshuffle.deals import OURS, Source, draw_seed
from unshuffle.errors import InvalidDealError
from unshuffle.game import AnyGame
from unshuffle.views import unknown_in


def dealt(game: AnyGame, text: str = "") -> Any:
    """Return the deal with this number, such as `7` or `python:12#3`; a random one for an empty text."""
    return game.deal(Source.parse(text, OURS) if text else Source(draw_seed()))


def parse(game: AnyGame, text: str) -> Any:
    """Return a complete text as a state, and an incomplete one as a view.

    A view that is consistent with only one state is returned as that state.
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
    """Return in words what is unknown in a state or view: hidden cards, or the order of redeals; '' if nothing."""
    if hasattr(state, "sample"):
        return unknown_in(state)
    return "" if game.is_open(state) else unknown_in(state.view())


def fill(view: Any, seed: int) -> Any:
    """Sample a state that is consistent with the view; the same seed gives the same state."""
    return view.sample(Random(seed))


def made_whole(game: AnyGame, state: Any, seed: int | None = None) -> Any:
    """Return the state with its unknown cards dealt at random.

    Raise UsageError if only some redeals are known: sampling would change those too.
    """
    if not unknown_of(game, state):
        return state
    if getattr(state, "redeals", ()):
        game.check_open(state)  # raises
    view = state if hasattr(state, "sample") else state.view()
    return fill(view, draw_seed() if seed is None else seed)
