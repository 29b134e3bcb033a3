"""Gaps as text: every fault of a board at once, and move tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from unshuffle.cards import SUITS, Card, format_cards
from unshuffle.errors import IllegalMoveError, ParseError, quote
from unshuffle.games.gaps.moves import Move, Redeal, ToGap
from unshuffle.games.gaps.rules import CARDS, COLUMNS, ROWS, Cells, State
from unshuffle.layout import Line, Token
from unshuffle.places import Area, Pile
from unshuffle.places.reading import Reader

GAPS = 4


# Cells.


def spell_ten(text: str) -> str:
    """In Gaps an X may stand for ten."""
    return f"T{text[1:]}" if text[:1] in ("X", "x") else text


def read_cell(text: str) -> Card | None:
    """A card, or None for a gap, which an ace is too. A suit's letter comes second: c3 is likelier a slip than 3C."""
    if text in ("-", "--", "g", "G"):
        return None
    try:
        if text[:1].upper() in SUITS:
            raise ParseError("the rank comes first")
        card = Card.parse(spell_ten(text))
    except ParseError:
        raise ParseError(f"{quote(text)} is not a card or a gap") from None
    return None if card.rank == 1 else card


def read_board(rows: Sequence[Sequence[str]]) -> tuple[Cells, list[str]]:
    """The cells of rows of tokens, and all that is wrong with them, a line each; cells count only if nothing is.

    An empty token is a cell of which nothing is known yet.
    """
    found: dict[Card, list[str]] = {}
    unread: list[tuple[str, str]] = []
    cells: list[Card | None] = []
    gaps = 0
    wrong_rows = []
    for number, row in enumerate(rows, 1):
        if len(row) != COLUMNS:
            wrong_rows.append(f"row {number} has {_count(len(row), 'cell')}, expected {COLUMNS}")
            continue
        for column, text in enumerate(row, 1):
            place = f"r{number}c{column}"
            if not text:
                continue
            try:
                card = read_cell(text)
            except ParseError as error:
                unread.append((place, str(error)))
                continue
            cells.append(card)
            if card is None:
                gaps += 1
            else:
                found.setdefault(card, []).append(place)
    is_whole = not wrong_rows and len(rows) == ROWS and len(cells) + len(unread) == ROWS * COLUMNS
    missing = [card for card in CARDS if card not in found] if is_whole else []
    doubles = {card: places for card, places in found.items() if len(places) > 1}
    repair = _repair(missing, gaps) if is_whole and len(unread) == 1 and not doubles else ""
    faults = [f"{place}: {words}{repair}" for place, words in unread]
    faults += [f"{card} {_times(len(places))}: {_listed(places)}" for card, places in doubles.items()]
    if not repair:
        faults += [f"missing: {format_cards(missing)}"] if missing else []
        # Of a board with cells missing only too many gaps can be told.
        faults += [f"{_count(gaps, 'gap')}, expected {GAPS}"] if gaps > GAPS or (is_whole and gaps < GAPS) else []
    faults += wrong_rows
    faults += [f"{_count(len(rows), 'row')}, expected {ROWS}"] if len(rows) != ROWS else []
    return tuple(cells), faults


def _repair(missing: Sequence[Card], gaps: int) -> str:
    """What alone can stand in the one cell that cannot be read; empty if that is not certain."""
    if gaps == GAPS and len(missing) == 1:
        return f"; the only card missing is {missing[0]}"
    return "; no card is missing, only a gap" if gaps == GAPS - 1 and not missing else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _listed(places: Sequence[str]) -> str:
    return f"{', '.join(places[:-1])} and {places[-1]}"


def spelled(tokens: Iterable[Token]) -> tuple[Token, ...]:
    """The tokens with T for ten."""
    return tuple(Token(spell_ten(token.text), token.place) for token in tokens)


class CellReader(Reader):
    """Reads four rows of cells; a fault names the cell."""

    def area(self, area: Area) -> tuple[Pile, ...]:
        """The cells."""
        cells, wrong = read_board([[token.text for token in line.tokens] for line in self.layout.rows])
        for fault in wrong:
            self.faults.add(fault)
        return tuple(() if card is None else (card,) for card in cells)

    def check(self, piles: Mapping[str, tuple[Pile, ...]]) -> None:
        """All is noted cell by cell."""

    def order(self, number: int, line: Line, wanted: set[Card]) -> tuple[Card, ...]:
        """The whole deck of a redeal: what will be locked then nobody knows yet."""
        return super().order(number, replace(line, tokens=spelled(line.tokens)), wanted)

    def lacking(self, number: int, missing: Iterable[Card]) -> str:
        """A whole deck has aces."""
        return f"{super().lacking(number, missing)}; it is a whole deck, aces for the gaps"


# Moves.

_CELL = r"[rR](?P<row>[0-9]{1,3})[cC](?P<column>[0-9]{1,3})"
_MOVE = re.compile(rf"(?P<card>[^\s,>=]{{2,4}}?)(?:\s*-?>\s*|\s+){_CELL}")
_REDEAL = re.compile(r"r(?:edeal)?(?:=(?P<cells>\S+))?", re.IGNORECASE)
# A redeal's cells and the parts of `6H -> r2c5` belong together; else blanks and commas separate.
_WORD = re.compile(r"r(?:edeal)?=\S+|[^\s,>=]{2,4}?(?:\s*-?>\s*|\s+)r[0-9]+c[0-9]+|[^\s,]+", re.IGNORECASE)
_EXPECTED_MOVE = "expected CARD>rNcN (row 1..4, column 1..13), CARD alone, r, or r= and the free cells (7H,--,2C)"


def split_moves(text: str) -> list[str]:
    """The tokens of a line of play."""
    return _WORD.findall(text)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
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
    """Read a move; on a given board as `legal_moves` lists it, and a card alone means its one destination."""
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
        where = _listed([f"r{move.row}c{move.column}" for move in moves]).replace(" and ", " or ")
        raise ParseError(f"{quote(token)} is not enough: {card} may go to {where}")
    return moves[0]
