"""Gaps for people: the board, and moves in words."""

from __future__ import annotations

from unshuffle.cards import SUITS, Card, Suit
from unshuffle.game import Description
from unshuffle.games.gaps.moves import Move, Redeal
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE, State, rows_of

_BLOCKED = "··"
_WIDTH = 4


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


def picture(state: State) -> str:
    """Rows and columns with their numbers; a gap that a card can fill shows this card, a blocked one dots."""
    lines = ["   " + "".join(str(column).center(_WIDTH + 1) for column in range(1, COLUMNS + 1))]
    for number, row in enumerate(rows_of(state.cells)):
        cells = (_shown(state, COLUMNS * number + column, card) for column, card in enumerate(row))
        lines.append(f"{number + 1}  " + "".join(cell.center(_WIDTH + 1) for cell in cells))
    runs = ", ".join(f"{Suit(SUITS.index(suit)).glyph} {length}" for suit, length in state.locks if suit)
    deal = f"Deal {state.deal} of {state.rules.redeals + 1}, locked" if state.rules.redeals else "Locked"
    lines.append(f"{deal}: {state.score}{f' ({runs})' if runs else ''}")
    return "\n".join(line.rstrip() for line in lines)


def _shown(state: State, index: int, card: Card | None) -> str:
    if card is not None:
        return card.glyph
    taken = state.takes(index)
    if not taken:
        return _BLOCKED
    # Of several 2s that may come only the rank is sure.
    return f"[{taken[0].glyph}]" if len(taken) == 1 else "[2]"


def locked_cards(state: State) -> tuple[Card, ...]:
    """The cards of the locked runs."""
    runs = zip(rows_of(state.cells), state.locks, strict=True)
    return tuple(card for row, (_, length) in runs for card in row[:length] if card is not None)
