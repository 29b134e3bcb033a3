"""Agnes Sorel: moves as tokens and in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from unshuffle.cards import Card
from unshuffle.errors import ParseError, quote
from unshuffle.game import Description
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.rules import State
from unshuffle.games.agnes.view import View
from unshuffle.places.picture import glyphs
from unshuffle.views import Shown

# Tokens.

_MOVE = re.compile(
    r"(?P<deal>d)|(?P<up>[0-9]{1,3})f|(?P<source>[0-9]{1,3})-(?P<target>[0-9]{1,3})(?:x(?P<count>[0-9]{1,3}))?"
)
_EXPECTED_MOVE = (
    "expected d (deal), 3f (top card of pile 3 to its foundation), "
    "3-5 (one card from pile 3 to pile 5) or 3-5x4 (a unit of four cards)"
)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_token(token: str) -> Move:
    """Read a move; capitals do not matter, and `x1` may stand behind a single card."""
    match = _MOVE.fullmatch(token.strip().lower())
    if match is None:
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    if match["deal"]:
        return Deal()
    if match["up"]:
        return ToFoundation(int(match["up"]))
    return ToPile(int(match["source"]), int(match["target"]), int(match["count"] or 1))


# Sentences.


def describe(state: State | View, move: Move | Shown[Move]) -> Description:
    """Return the class of the move and a sentence that names the cards, where they come from and where they go."""
    told: Sequence[Card] = ()
    if isinstance(move, Shown):
        told, move = move.cards, move.move
    if isinstance(move, Deal):
        stock = state.stock if isinstance(state, View) else len(state.stock)
        count = min(stock, len(state.piles))
        cards = f": {glyphs(told)}" if told else ""
        return Description("Deal", f"Deal {count} card{'s' * (count > 1)}{cards}.")
    number, count = (move.pile, 1) if isinstance(move, ToFoundation) else (move.source, move.count)
    pile, down = state.piles[number - 1], state.down[number - 1]
    cards = glyphs(pile[-count:])
    turned = (*pile[:down], *told)[-1:] if 0 < down == len(pile) - count else ()
    turns = f"; turns up {'a card' if None in turned else glyphs(turned)}" if turned else ""
    if isinstance(move, ToFoundation):
        return Description("Foundation move", f"Play {cards} from pile {number} to the foundation{turns}.")
    onto = state.piles[move.target - 1]
    where = f"onto {glyphs(onto[-1:])} on pile {move.target}" if onto else f"to empty pile {move.target}"
    return Description("Tableau move", f"Move {cards} from pile {number} {where}{turns}.")
