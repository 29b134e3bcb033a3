"""Agnes Sorel on the page: the stock and the foundations above the piles."""

from __future__ import annotations

from unshuffle.cards import RANKS
from unshuffle.cards import Card as Face
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation
from unshuffle.games.agnes.notation import SUIT_ORDER
from unshuffle.games.agnes.view import View
from unshuffle.web.pictures import Gesture, lying
from unshuffle.web.shapes import Area, Place, Source, Target


def paint(table: View) -> list[Area]:
    """What lies where."""
    stock = Place(id="stock", kind="stock", label="Stock", count=table.stock)
    ranks = table.rules.ranks
    foundations = [
        Place(
            id=f"foundation-{suit.letter}",
            kind="foundation",
            label=f"Foundation of {suit.word}",
            cards=lying(
                (Face((table.base - 1 + up) % ranks + 1, suit) for up in range(table.foundations[suit])), settled=True
            ),
            hint=Face(table.base, suit).glyph,
        )
        for suit in SUIT_ORDER
    ]
    policy = table.rules.move_to_empty_pile
    hint = RANKS[table.rules.high_rank(table.base) - 1] if policy.startswith("high") else ""
    piles = [
        Place(id=f"pile-{number}", kind="pile", label=f"Pile {number}", spread="down", cards=lying(pile), hint=hint)
        for number, pile in enumerate(table.piles, 1)
    ]
    return [
        Area(name="top", label="Stock and foundations", arrange="row", places=[stock, *foundations]),
        Area(name="piles", label="Piles", arrange="columns", places=piles),
    ]


def point(table: View, move: Move) -> Gesture:
    """Where a move takes hold, and where it leads."""
    if isinstance(move, Deal):
        return Source(place="stock"), None
    number, count = (move.pile, 1) if isinstance(move, ToFoundation) else (move.source, move.count)
    pile = table.piles[number - 1]
    source = Source(place=f"pile-{number}", card=len(pile) - count, count=count)
    if isinstance(move, ToFoundation):
        top = pile[-1]
        assert top is not None  # a card that goes up lies face up
        return source, Target(place=f"foundation-{top.suit.letter}")
    return source, Target(place=f"pile-{move.target}")


def goes_up(table: View, move: Move) -> bool:
    """Whether the move goes to a foundation."""
    return isinstance(move, ToFoundation)
