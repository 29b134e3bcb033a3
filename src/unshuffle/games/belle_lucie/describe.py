"""La Belle Lucie for people: the table, and moves in words."""

from __future__ import annotations

from unshuffle.cards import Card, Suit, format_cards
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


def picture(state: State) -> str:
    """Numbered fans in columns, the playable card last; the foundations if a card is up; deal and mercis."""
    cells = [f"[{number:>2}] {' '.join(card.glyph for card in fan) or '-'}" for number, fan in enumerate(state.fans, 1)]
    width = max((len(cell) for cell in cells), default=0) + 3
    rows = -(-len(cells) // 3)
    lines = ["".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)]
    if any(state.foundations) or not any(state.fans):
        tops = [
            Card(rank, suit).glyph if rank else f"-{suit.glyph}"
            for suit, rank in zip(Suit, state.foundations, strict=True)
        ]
        lines.append(f"Foundations: {'  '.join(tops)}")
    status = []
    if state.rules.redeals:
        status.append(f"deal {state.deal} of {state.rules.redeals + 1}")
    if state.rules.merci != "none":
        status.append(f"mercis left: {state.mercis}")
    if status:
        lines.append(", ".join(status).capitalize())
    return "\n".join(lines)
