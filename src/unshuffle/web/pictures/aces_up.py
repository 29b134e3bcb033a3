"""Aces Up on the page: the stock, the cell and the discards above the piles."""

from __future__ import annotations

from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.view import View
from unshuffle.web.pictures import Gesture, lying
from unshuffle.web.shapes import Area, Place, Source, Target


def paint(table: View) -> list[Area]:
    """What lies where."""
    top = [Place(id="stock", kind="stock", label="Stock", count=table.stock)]
    if table.rules.reserve:
        held = [] if table.reserve is None else [table.reserve]
        top.append(Place(id="cell", kind="cell", label="Cell", cards=lying(held)))
    top.append(Place(id="discards", kind="discards", label="Discards", cards=lying(table.discarded, settled=True)))
    piles = [
        Place(id=f"pile-{number}", kind="pile", label=f"Pile {number}", spread="down", cards=lying(pile))
        for number, pile in enumerate(table.piles, 1)
    ]
    return [
        Area(name="top", label="Stock and discards", arrange="row", places=top),
        Area(name="piles", label="Piles", arrange="columns", places=piles),
    ]


def point(table: View, move: Move) -> Gesture:
    """Where a move takes hold, and where it leads."""
    match move:
        case Deal():
            return Source(place="stock"), None
        case Discard(pile):
            return _top(table, pile), Target(place="discards")
        case ToSpace(source, target):
            return _top(table, source), Target(place=f"pile-{target}")
        case ToReserve(pile):
            return _top(table, pile), Target(place="cell")
        case FromReserve(target):
            return Source(place="cell", card=0, count=1), Target(place=f"pile-{target}")


def _top(table: View, number: int) -> Source:
    return Source(place=f"pile-{number}", card=len(table.piles[number - 1]) - 1, count=1)


def goes_up(table: View, move: Move) -> bool:
    """Whether the move is a discard."""
    return isinstance(move, Discard)
