"""Aces Up: where cards lie."""

from __future__ import annotations

from functools import cache

from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import Rules, State
from unshuffle.games.aces_up.view import View
from unshuffle.places import Area, Board, Places, Where
from unshuffle.places.gestures import Gesture


@cache
def places(rules: Rules) -> Places:
    """Stock, cell and discards above the piles."""
    return Places(
        rules=rules,
        areas=(
            Area(name="stock", kind="stock", deals=rules.piles if rules.deal == "row" else 0),
            Area(name="reserve", kind="cell", count=rules.reserve),
            Area(name="discards", kind="discards"),
            Area(name="piles", kind="pile", count=rules.piles, form="each"),
        ),
        written=("piles", "reserve", "stock", "discards"),
        reach=1,
        top="Stock and discards",
    )


def board(table: State | View) -> Board:
    """The piles, the stock, the cell and the discards."""
    stock = (None,) * table.stock if isinstance(table, View) else table.stock
    cells = ((),) * table.rules.reserve if table.reserve is None else ((table.reserve,),)
    return Board(
        places(table.rules),
        {"stock": (stock,), "reserve": cells, "discards": (table.discarded,), "piles": table.piles},
        down={"stock": (len(stock),)},
        is_seen=isinstance(table, View),
    )


def state_of(board: Board) -> State:
    """The state of a board."""
    (stock,), (discards,) = board.told("stock"), board.told("discards")
    cell = next(iter(board.told("reserve")), ())
    return State(board.places.rules, board.told("piles"), stock, cell[0] if cell else None, discards)


def gesture(table: State | View, move: Move) -> Gesture:
    """The card that the move takes; discards may go with it, so the boards alone do not tell."""
    match move:
        case Deal():
            return Gesture(Where("stock", 0))
        case FromReserve(target):
            return Gesture(Where("reserve", 0), 0, 1, Where("piles", target - 1))
        case ToReserve(pile):
            source, onto = pile - 1, Where("reserve", 0)
        case ToSpace(pile, target):
            source, onto = pile - 1, Where("piles", target - 1)
        case Discard(pile):
            source, onto = pile - 1, Where("discards", 0)
    return Gesture(Where("piles", source), len(table.piles[source]) - 1, 1, onto)
