"""Aces Up for people: moves in words."""

from __future__ import annotations

from unshuffle.cards import Card, format_cards
from unshuffle.game import Description
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve
from unshuffle.games.aces_up.rules import State, beaten, discard_all
from unshuffle.games.aces_up.view import View
from unshuffle.views import Shown


def describe(table: State | View, move: Move | Shown[Move]) -> Description:
    """The class of the move, the cards that it moves, and those that go, each with the card that beats it.

    What a deal turns up is told where it is known.
    """
    state = _known(table, move)
    if isinstance(move, Shown):
        move = move.move
    if isinstance(move, Discard):
        (by,) = (by for number, by in beaten(table.piles) if number == move.pile)
        return Description("Discard", _goes(table.piles[move.pile - 1][-1], by))
    if isinstance(move, Deal):
        if state is None:
            count = len(table.served())
            return Description("Deal", f"deal {count} card{'s' * (count > 1)}")
        cards = format_cards(state.stock[: len(state.served())])
        return Description("Deal", f"deal {cards}{_discards(state, move)}")
    assert state is not None
    if isinstance(move, FromReserve):
        return Description(
            "Reserve move", f"{table.reserve} from the cell to space {move.target}{_discards(state, move)}"
        )
    if isinstance(move, ToReserve):
        card = table.piles[move.pile - 1][-1]
        return Description("Reserve move", f"{card} from pile {move.pile} to the cell{_discards(state, move)}")
    card = table.piles[move.source - 1][-1]
    text = f"{card} from pile {move.source} to space {move.target}{_discards(state, move)}"
    return Description("Tableau move", text)


def _known(table: State | View, move: Move | Shown[Move]) -> State | None:
    """A state in which the move does what it does on this table; None where cards decide that nobody sees."""
    if isinstance(table, State):
        return table
    if isinstance(move, Deal):
        return None
    return table.laid_for(move if isinstance(move, Shown) else Shown(move, ()))


def _discards(state: State, move: Move) -> str:
    """What goes with a move."""
    if state.rules.discards == "optional":
        return ""
    piles, _, _ = state.before_discards(move)
    words = [_goes(card, by) for card, by in discard_all(piles)[1]]
    return f"; {', '.join(words)}" if words else ""


def _goes(card: Card, by: Card) -> str:
    return f"{card} goes ({by})"
