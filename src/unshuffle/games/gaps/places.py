"""Gaps: where cards lie."""

from __future__ import annotations

from functools import cache

from unshuffle.cards import PACK, SUITS, Card, Suit
from unshuffle.games.gaps.rules import CARDS, COLUMNS, ROWS, Rules, State, rows_of
from unshuffle.places import Area, Board, Coming, Dress, Mark, Places, Where
from unshuffle.places.grid import Grid


@cache
def places(rules: Rules) -> Places:
    """A board of cells; redeals used."""
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
        # What will be locked at a redeal nobody knows, so its order has all cards; aces stand for the gaps.
        coming=Coming(mark=used, redeals=redeals, pack=PACK),
        pack=CARDS,
    )


def board(table: State) -> Board:
    """The cells."""
    cells = tuple([() if card is None else (card,) for card in table.cells])
    redeal = ((),) if table.rules.redeals else ()
    return Board(
        places(table.rules), {"board": cells, "redeal": redeal}, {"redeals used": table.used}, coming=table.redeals
    )


def state_of(board: Board) -> State:
    """The state of a board."""
    cells = tuple(cell[0] if cell else None for cell in board.piles["board"])
    return State(board.places.rules, cells, board.marks["redeals used"], board.coming)


def dress(table: State) -> Dress:
    """What is locked, what gaps take, and redeals left."""
    gaps = {Where("board", index): table.takes(index) for index, card in enumerate(table.cells) if card is None}
    runs = ", ".join(f"{Suit(SUITS.index(suit)).glyph} {length}" for suit, length in table.locks if suit)
    deal = f"Deal {table.deal} of {table.rules.redeals + 1}, locked" if table.rules.redeals else "Locked"
    return Dress(
        settled=locked_cards(table),
        # Of several 2s that may come only the rank is sure.
        hints={gap: taken[0].glyph if len(taken) == 1 else "2" for gap, taken in gaps.items() if taken},
        groups={"redeal": "Redeals"},
        labels={Where("redeal", 0): f"Redeal, {table.redeals_left} left"},
        status=f"{deal}: {table.score}{f' ({runs})' if runs else ''}",
    )


def locked_cards(table: State) -> tuple[Card, ...]:
    """The cards of the locked runs."""
    runs = zip(rows_of(table.cells), table.locks, strict=True)
    return tuple(card for row, (_, length) in runs for card in row[:length] if card is not None)
