"""Gaps for people: moves in words."""

from __future__ import annotations

from unshuffle.game import Description
from unshuffle.games.gaps.moves import Move, Redeal
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE, State


def describe(state: State, move: Move) -> Description:
    """The class of the move and a sentence that names card, source and target."""
    if isinstance(move, Redeal):
        loose = MOST_SCORE - state.score
        cards = f"the {loose} loose cards are" if loose > 1 else "the loose card is"
        return Description("Redeal", f"{cards} dealt again: redeal {state.used + 1} of {state.rules.redeals}")
    source = divmod(state.cells.index(move.card), COLUMNS)
    left = state.cells[COLUMNS * (move.row - 1) + move.column - 2] if move.column > 1 else None
    text = f"{move.card.glyph} from {_place(*source)} to {_place(move.row - 1, move.column - 1)}"
    if left is not None:
        text += f", right of {left.glyph}"
    if source[1] == 0:
        text += f"; opens column 1 of row {source[0] + 1}"
    # A move that is not legal has words too: it locks nothing.
    locks = move in state.card_moves() and state.play(move).score > state.score
    return Description("Lock" if locks else "Move", text)


def _place(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"
