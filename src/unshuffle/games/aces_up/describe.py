"""Aces Up for people: the table, and moves in words."""

from __future__ import annotations

from collections.abc import Iterable

from unshuffle.cards import RANKS, Card, Suit, format_cards
from unshuffle.game import Description
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve
from unshuffle.games.aces_up.rules import Pile, State, beaten, discard_all
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


def picture(table: State | View) -> str:
    """The piles with their free card last, the cell, the stock, and the discards by suit."""
    lines = [f"{number:>2}: {_shown(pile) or '-'}" for number, pile in enumerate(table.piles, 1)]
    if table.rules.reserve:
        lines.append(f"Cell: {table.reserve.glyph if table.reserve else '-'}")
    if isinstance(table, View):
        lines.append(f"Stock: {table.stock}")
    else:
        # By deals, where one knows how many cards a deal has: so one sees which card falls on which pile.
        step = len(table.piles) if table.rules.deal == "row" else max(1, len(table.stock))
        deals = (_shown(table.stock[start : start + step]) for start in range(0, len(table.stock), step))
        lines.append(f"Stock ({len(table.stock)}): {' | '.join(deals) or '-'}")
    suits = (
        f"{suit.glyph} {' '.join(_ranks(table.discarded, suit))}" for suit in Suit if _ranks(table.discarded, suit)
    )
    return "\n".join([*lines, f"Discards ({table.score}): {'  '.join(suits) or '-'}"])


def _ranks(cards: Pile, suit: Suit) -> list[str]:
    return [RANKS[card.rank - 1] for card in cards if card.suit is suit]


def _shown(cards: Iterable[Card]) -> str:
    return " ".join(card.glyph for card in cards)
