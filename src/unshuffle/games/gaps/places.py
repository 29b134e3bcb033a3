"""Gaps: where cards lie, and the text of cells with every fault of a board at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from unshuffle.cards import PACK, SUITS, Card, Suit, format_cards
from unshuffle.errors import ParseError, quote
from unshuffle.games.gaps.rules import CARDS, COLUMNS, ROWS, Cells, Rules, State, rows_of
from unshuffle.layout import Line, Token
from unshuffle.places import Area, Board, Coming, Dress, Mark, Pile, Places, Where
from unshuffle.places.grid import Grid
from unshuffle.places.reading import Reader

GAPS = 4


@cache
def places(rules: Rules) -> Places:
    """Return the places of Gaps: a board of cells, and the redeals used."""
    redeals = rules.redeals
    used = Mark(
        name="redeals used",
        values=range(redeals + 1),
        what="a number of redeals used",
        expected=f"a number 0..{redeals}" if redeals else "'Redeals used: 0', there is no redeal",
    )
    return Places(
        rules=rules,
        areas=(
            Grid(name="board", kind="cell", count=ROWS * COLUMNS, form="rows", columns=COLUMNS),
            Area(name="redeal", kind="redeal", count=int(redeals > 0), form="none", clicks=used.name),
        ),
        written=(used.name, "redeals", "board"),
        marks=(used,),
        # Which cards a redeal will find locked is unknown, so its order has all cards; aces stand for the gaps.
        coming=Coming(mark=used, redeals=redeals, pack=PACK),
        pack=CARDS,
    )


def board(table: State) -> Board:
    """Return the board of a state."""
    cells = tuple([() if card is None else (card,) for card in table.cells])
    redeal = ((),) if table.rules.redeals else ()
    return Board(
        places(table.rules), {"board": cells, "redeal": redeal}, {"redeals used": table.used}, coming=table.redeals
    )


def state_of(board: Board) -> State:
    """Return the state of a board."""
    cells = tuple(cell[0] if cell else None for cell in board.piles["board"])
    return State(board.places.rules, cells, board.marks["redeals used"], board.coming)


def dress(table: State) -> Dress:
    """Return what is shown beside the cards: what is locked, what gaps take, and redeals left."""
    gaps = {Where("board", index): table.takes(index) for index, card in enumerate(table.cells) if card is None}
    runs = ", ".join(f"{Suit(SUITS.index(suit)).glyph} {length}" for suit, length in table.locks if suit)
    deal = f"Deal {table.deal} of {table.rules.redeals + 1}, locked" if table.rules.redeals else "Locked"
    return Dress(
        settled=locked_cards(table),
        # If several 2s may come, only the rank is certain.
        hints={gap: taken[0].glyph if len(taken) == 1 else "2" for gap, taken in gaps.items() if taken},
        groups={"redeal": "Redeals"},
        labels={Where("redeal", 0): f"Redeal, {table.redeals_left} left"},
        status=f"{deal}: {table.score}{f' ({runs})' if runs else ''}",
    )


def locked_cards(table: State) -> tuple[Card, ...]:
    """Return the cards of the locked runs."""
    runs = zip(rows_of(table.cells), table.locks, strict=True)
    return tuple(card for row, (_, length) in runs for card in row[:length] if card is not None)


# Layout text.


def spell_ten(text: str) -> str:
    """Return the text with T for ten, for which an X may stand in Gaps."""
    return f"T{text[1:]}" if text[:1] in ("X", "x") else text


def read_cell(text: str) -> Card | None:
    """Return the card, or None for a gap or an ace. The suit must come second: c3 is more likely a slip than 3C."""
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
    """Return the cells of rows of tokens, and every fault, a line each; the cells are valid only without faults.

    An empty token is a cell that is not known yet.
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
    doubles = {card: spots for card, spots in found.items() if len(spots) > 1}
    repair = _repair(missing, gaps) if is_whole and len(unread) == 1 and not doubles else ""
    faults = [f"{place}: {words}{repair}" for place, words in unread]
    faults += [f"{card} {_times(len(spots))}: {_listed(spots)}" for card, spots in doubles.items()]
    if not repair:
        faults += [f"missing: {format_cards(missing)}"] if missing else []
        # With cells missing, too many gaps are a fault, too few are not.
        faults += [f"{_count(gaps, 'gap')}, expected {GAPS}"] if gaps > GAPS or (is_whole and gaps < GAPS) else []
    faults += wrong_rows
    faults += [f"{_count(len(rows), 'row')}, expected {ROWS}"] if len(rows) != ROWS else []
    return tuple(cells), faults


def _repair(missing: Sequence[Card], gaps: int) -> str:
    """Return what must stand in the one cell that cannot be read; '' if that is not certain."""
    if gaps == GAPS and len(missing) == 1:
        return f"; the only card missing is {missing[0]}"
    return "; no card is missing, only a gap" if gaps == GAPS - 1 and not missing else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _listed(spots: Sequence[str]) -> str:
    return f"{', '.join(spots[:-1])} and {spots[-1]}"


def spelled(tokens: Iterable[Token]) -> tuple[Token, ...]:
    """Return the tokens with T for ten."""
    return tuple(Token(spell_ten(token.text), token.place) for token in tokens)


class CellReader(Reader):
    """The reader of four rows of cells; a fault names the cell."""

    def area(self, area: Area) -> tuple[Pile, ...]:
        """Return the cells."""
        cells, wrong = read_board([[token.text for token in line.tokens] for line in self.layout.rows])
        for fault in wrong:
            self.faults.add(fault)
        return tuple(() if card is None else (card,) for card in cells)

    def check(self, piles: Mapping[str, tuple[Pile, ...]]) -> None:
        """Do nothing: `area` has noted every fault."""

    def order(self, number: int, line: Line, wanted: set[Card]) -> tuple[Card, ...]:
        """Return the whole deck of a redeal, for the cards that will be locked then are unknown."""
        return super().order(number, replace(line, tokens=spelled(line.tokens)), wanted)

    def lacking(self, number: int, missing: Iterable[Card]) -> str:
        """Return the fault for missing cards, which adds that a whole deck has aces."""
        return f"{super().lacking(number, missing)}; it is a whole deck, aces for the gaps"
