"""Gaps: moves as tokens and in sentences."""

from __future__ import annotations

import re
from functools import lru_cache

from unshuffle.cards import Card
from unshuffle.errors import IllegalMoveError, ParseError, quote
from unshuffle.game import Description
from unshuffle.games.gaps.moves import Move, Redeal, ToGap
from unshuffle.games.gaps.places import read_cell
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE, ROWS, Cells, State

# Tokens.

_CELL = r"[rR](?P<row>[0-9]{1,3})[cC](?P<column>[0-9]{1,3})"
_MOVE = re.compile(rf"(?P<card>[^\s,>=]{{2,4}}?)(?:\s*-?>\s*|\s+){_CELL}")
_REDEAL = re.compile(r"r(?:edeal)?(?:=(?P<cells>\S+))?", re.IGNORECASE)
# A redeal's cells and the parts of `6H -> r2c5` belong together; else blanks and commas separate.
_WORD = re.compile(r"r(?:edeal)?=\S+|[^\s,>=]{2,4}?(?:\s*-?>\s*|\s+)r[0-9]+c[0-9]+|[^\s,]+", re.IGNORECASE)
_EXPECTED_MOVE = "expected CARD>rNcN (row 1..4, column 1..13), CARD alone, r, or r= and the free cells (7H,--,2C)"


def split_moves(text: str) -> list[str]:
    """Split a line of play at blanks and commas, but keep together the cells of a redeal, and a card with its cell."""
    return _WORD.findall(text)


@lru_cache(maxsize=4096)  # There are few moves, and mass runs parse each of them often.
def parse_token(token: str) -> Move:
    """Read a move that names its cell, or a redeal."""
    text = token.strip()
    try:
        if redeal := _REDEAL.fullmatch(text):
            return Redeal(None if redeal["cells"] is None else _read_cells(redeal["cells"]))
        if move := _MOVE.fullmatch(text):
            return ToGap(_read_card(move["card"]), *_read_place(int(move["row"]), int(move["column"])))
    except ParseError as error:
        raise ParseError(f"{quote(token)} is not a move: {error}") from None
    raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")


def _read_card(text: str) -> Card:
    card = read_cell(text)
    if card is None:
        raise ParseError("a gap does not move")
    return card


def _read_place(row: int, column: int) -> tuple[int, int]:
    if not (1 <= row <= ROWS and 1 <= column <= COLUMNS):
        raise ParseError(f"there is no cell r{row}c{column}; rows are 1..{ROWS}, columns 1..{COLUMNS}")
    return row, column


def _read_cells(text: str) -> Cells:
    return tuple(read_cell(part) for part in text.split(","))


def parse_move(token: str, state: State | None = None) -> Move:
    """Read a token such as 6H>r2c5, r or r=7H,--,2C; on a given board 6H alone may be enough.

    With a board the move is returned as `legal_moves` lists it.
    """
    card = _lone_card(token)
    if card is not None:
        return _only_move(token, card, state)
    move = parse_token(token)
    if isinstance(move, Redeal) and state is not None and state.redeals and move.cards == state.dealt(state.redeals[0]):
        return Redeal()
    return move


def _lone_card(token: str) -> Card | None:
    try:
        return read_cell(token.strip())
    except ParseError:
        return None


def _only_move(token: str, card: Card, state: State | None) -> ToGap:
    if state is None:
        raise ParseError(f"{quote(token)} names no cell, and without the board nobody knows where {card} can go")
    moves = [move for move in state.card_moves() if move.card is card]
    if not moves:
        raise IllegalMoveError(token.strip(), " / ".join(map(" ".join, state.rows)), f"no gap takes {card}")
    if len(moves) > 1:
        *others, last = (f"r{move.row}c{move.column}" for move in moves)
        raise ParseError(f"{quote(token)} is not enough: {card} may go to {', '.join(others)} or {last}")
    return moves[0]


# Sentences.


def describe(state: State, move: Move) -> Description:
    """Return the class of the move and a sentence that names card, source and target."""
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
    # Illegal moves are described too; they lock nothing.
    locks = move in state.card_moves() and state.play(move).score > state.score
    return Description("Lock" if locks else "Move", text)


def _place(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"
