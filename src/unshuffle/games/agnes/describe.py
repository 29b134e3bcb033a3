"""Agnes Sorel for people: the table, and moves in words."""

from __future__ import annotations

from collections.abc import Sequence

from unshuffle.cards import RANKS, Card
from unshuffle.game import Description
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation
from unshuffle.games.agnes.notation import SUIT_ORDER, top_card
from unshuffle.games.agnes.rules import State, glyphs
from unshuffle.games.agnes.view import View
from unshuffle.layout import UNSEEN
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
    cards = _shown(pile[-count:])
    turned = (*pile[:down], *told)[-1:] if 0 < down == len(pile) - count else ()
    turns = f"; turns up {'a card' if None in turned else _shown(turned)}" if turned else ""
    if isinstance(move, ToFoundation):
        return Description("Foundation move", f"Play {cards} from pile {number} to the foundation{turns}.")
    onto = table.piles[move.target - 1]
    where = f"onto {_shown(onto[-1:])} on pile {move.target}" if onto else f"to empty pile {move.target}"
    return Description("Tableau move", f"Move {cards} from pile {number} {where}{turns}.")


def _shown(cards: Sequence[Card | None]) -> str:
    return " ".join(UNSEEN if card is None else card.glyph for card in cards)


def picture(table: State | View) -> str:
    """Base and foundations, the piles with their free card last and face-down cards in brackets, the stock."""
    tops = ((top_card(table, suit), suit) for suit in SUIT_ORDER)
    up = "  ".join(f"-{suit.glyph}" if card is None else card.glyph for card, suit in tops)
    lines = [f"Base: {RANKS[table.base - 1]}   Foundations: {up}"]
    for number, (pile, down) in enumerate(zip(table.piles, table.down, strict=True), 1):
        parts = [f"[{_shown(pile[:down])}]"] * (down > 0) + [_shown(pile[down:])] * (len(pile) > down)
        lines.append(f"{number:>2}: {' '.join(parts) or '-'}")
    if isinstance(table, View):
        return "\n".join([*lines, f"Stock: {table.stock}"])
    size = len(table.stock)
    step = len(table.piles)
    # By deals, so that one sees which card falls on which pile.
    deals = " | ".join(glyphs(table.stock[start : start + step]) for start in range(0, size, step))
    lines.append(f"Stock ({size}): {deals or '-'}")
    return "\n".join(lines)
