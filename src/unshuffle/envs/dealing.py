"""The table on which an episode begins: drawn, or requested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from unshuffle.deals import DealId
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.game import AnyGame
from unshuffle.registry import game

if TYPE_CHECKING:
    import numpy as np

_OPTIONS = ("deal",)


def read_options(played: AnyGame, options: Mapping[str, Any] | None) -> Any:
    """Return the table that `options={"deal": text}` requests; None without a request. UsageError names all faults."""
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise UsageError(f"the options are {quote(repr(options))}; expected a dictionary such as {{'deal': text}}")
    faults = [str(unknown("option", str(name), _OPTIONS)) for name in options if name not in _OPTIONS]
    state = None
    if "deal" in options:
        try:
            state = read_deal(played, options["deal"])
        except ValueError as error:
            if not faults:
                raise
            faults.append(str(error))
    if faults:
        raise UsageError("; ".join(faults))
    return state


def read_deal(played: AnyGame, text: object) -> Any:
    """Return the table of a deck, a layout or a deal id on which an episode begins."""
    if not isinstance(text, str):
        raise UsageError(f"the deal is {quote(repr(text))}, which is not text: a deck, a layout or a deal id")
    # A deal id is one word with `@`, and no layout has such a word.
    state: Any = _named(played, text) if "@" in text and len(text.split()) == 1 else played.parse(text)
    if state.outcome is not None:
        raise UsageError(f"this game is over: it is {state.outcome.value}, and no episode can begin here")
    return state


def _named(played: AnyGame, text: str) -> Any:
    deal = DealId.parse(text)
    if deal.game != played.id:
        raise UsageError(f"{quote(text)} is a deal of {quote(deal.game)}, not of {played.id}")
    state: Any = played.deal(deal.source)
    # Rules that do not affect the deal may differ, as those of a strict game do.
    other: Any = game(deal.game, deal.variant).deal(deal.source)
    if replace(other, rules=state.rules) != state:
        raise UsageError(f"{quote(text)} does not fit: this environment plays {played}")
    return state


def draw_redeals(played: AnyGame, state: Any, generator: np.random.Generator) -> Any:
    """Return the state with an order for every remaining redeal. One number is drawn for the unknown orders.

    Redeal k of the game follows the order of deck k of this number, as with `--redeal-seed`.
    """
    if played.places is None or played.places.coming is None:
        return state
    board = played.board(state)
    if played.places.coming.left(board.marks) <= len(board.coming):
        return state
    drawn = played.board(played.follow(state, played.decks(int(generator.integers(2**63))))).coming
    return played.state_of(replace(board, coming=board.coming + drawn[len(board.coming) :]))
