"""La Belle Lucie for people: moves in words."""

from __future__ import annotations

from unshuffle.cards import Card, format_cards
from unshuffle.game import Description
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace
from unshuffle.games.belle_lucie.rules import State
from unshuffle.games.belle_lucie.search import is_safe_build


def describe(state: State, move: Move) -> Description:
    """The class of the move and a sentence that names card, source and target."""
    move = state.plain(move)
    if isinstance(move, Redeal):
        left = 52 - state.score
        cards = f"the {left} cards that are left are" if left > 1 else "the last card is"
        return Description("Redeal", f"{cards} dealt again: deal {state.deal + 1} of {state.rules.redeals + 1}")
    fan = next(fan for fan in state.fans if move.card in fan)
    if isinstance(move, Merci):
        source = f"{move.card.name} from under {format_cards(fan[fan.index(move.card) + 1 :])}"
        if move.onto is not None:
            return Description("Merci", f"{source} {_onto(state, move.onto)}")
        return Description("Merci", f"{source} {'to the foundation' if move.up else 'to the top of its fan'}")
    source = f"{move.card.name} from {format_cards(fan)}"
    match move:
        case ToFoundation():
            return Description("Foundation move", f"{source} to the foundation")
        case ToFan():
            kind = "Safe build" if is_safe_build(state, move) else "Blocking move"
            return Description(kind, f"{source} {_onto(state, move.onto)}")
        case ToSpace():
            return Description("Blocking move", f"{source} into an empty fan (fan {state.fans.index(()) + 1})")


def _onto(state: State, card: Card) -> str:
    number = next(index for index, fan in enumerate(state.fans, 1) if fan and fan[-1] is card)
    return f"onto {card} (fan {number})"
