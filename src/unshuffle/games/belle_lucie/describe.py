"""La Belle Lucie for people: the table, and moves in words."""

from __future__ import annotations

from unshuffle.cards import Card, Suit, format_cards
from unshuffle.game import Description
from unshuffle.games.belle_lucie.rules import Move, State, ToFoundation
from unshuffle.games.belle_lucie.search import is_safe_build


def describe(state: State, move: Move) -> Description:
    """The class of the move and a sentence that names card, source and target."""
    source = next(fan for fan in state.fans if fan[-1] is move.card)
    where = f"from {format_cards(source)}"
    if isinstance(move, ToFoundation):
        return Description("Foundation move", f"{move.card.name} {where} to the foundation")
    kind = "Safe build" if is_safe_build(state, move) else "Blocking move"
    number = next(index for index, fan in enumerate(state.fans, 1) if fan[-1] is move.onto)
    return Description(kind, f"{move.card.name} {where} onto {move.onto} (fan {number})")


def picture(state: State) -> str:
    """Numbered fans in columns, the playable card last, and the foundations if a card is up."""
    cells = [f"[{number:>2}] {' '.join(card.glyph for card in fan)}" for number, fan in enumerate(state.fans, 1)]
    width = max((len(cell) for cell in cells), default=0) + 3
    rows = -(-len(cells) // 3)
    lines = ["".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)]
    if any(state.foundations) or not state.fans:
        tops = [
            Card(rank, suit).glyph if rank else f"-{suit.glyph}"
            for suit, rank in zip(Suit, state.foundations, strict=True)
        ]
        lines.append(f"Foundations: {'  '.join(tops)}")
    return "\n".join(lines)
