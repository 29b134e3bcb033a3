"""Agnes Sorel for people: moves in words."""

from __future__ import annotations

from collections.abc import Sequence

from unshuffle.cards import Card
from unshuffle.game import Description
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation
from unshuffle.games.agnes.rules import State
from unshuffle.games.agnes.view import View
from unshuffle.places.picture import glyphs
from unshuffle.views import Shown


def describe(table: State | View, move: Move | Shown[Move]) -> Description:
    """The class of the move and a sentence that names the cards, where they come from and where they go."""
    told: Sequence[Card] = ()
    if isinstance(move, Shown):
        told, move = move.cards, move.move
    if isinstance(move, Deal):
        stock = table.stock if isinstance(table, View) else len(table.stock)
        count = min(stock, len(table.piles))
        cards = f": {glyphs(told)}" if told else ""
        return Description("Deal", f"Deal {count} card{'s' * (count > 1)}{cards}.")
    number, count = (move.pile, 1) if isinstance(move, ToFoundation) else (move.source, move.count)
    pile, down = table.piles[number - 1], table.down[number - 1]
    cards = glyphs(pile[-count:])
    turned = (*pile[:down], *told)[-1:] if 0 < down == len(pile) - count else ()
    turns = f"; turns up {'a card' if None in turned else glyphs(turned)}" if turned else ""
    if isinstance(move, ToFoundation):
        return Description("Foundation move", f"Play {cards} from pile {number} to the foundation{turns}.")
    onto = table.piles[move.target - 1]
    where = f"onto {glyphs(onto[-1:])} on pile {move.target}" if onto else f"to empty pile {move.target}"
    return Description("Tableau move", f"Move {cards} from pile {number} {where}{turns}.")
