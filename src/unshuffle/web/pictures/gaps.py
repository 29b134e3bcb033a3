"""Gaps on the page: four rows of thirteen cells, and the redeal below them."""

from __future__ import annotations

from unshuffle.games.gaps.describe import locked_cards
from unshuffle.games.gaps.moves import Move, Redeal
from unshuffle.games.gaps.rules import COLUMNS, State
from unshuffle.web.pictures import Gesture, card
from unshuffle.web.shapes import Area, Place, Source, Target


def paint(table: State) -> list[Area]:
    """What lies where."""
    locked = locked_cards(table)
    cells = []
    for index, face in enumerate(table.cells):
        row, column = divmod(index, COLUMNS)
        cells.append(
            Place(
                id=_cell(row, column),
                kind="cell",
                label=f"Row {row + 1}, column {column + 1}",
                cards=[] if face is None else [card(face, face in locked)],
                hint=_taken(table, index) if face is None else "",
            )
        )
    areas = [Area(name="board", label="Board", arrange="grid", columns=COLUMNS, places=cells)]
    if table.rules.redeals:
        redeal = Place(id="redeal", kind="redeal", label=f"Redeal, {table.redeals_left} left")
        areas.append(Area(name="redeal", label="Redeals", arrange="row", places=[redeal]))
    return areas


def _taken(table: State, gap: int) -> str:
    """The card that a gap takes; of several 2s only the rank is sure."""
    taken = table.takes(gap)
    return "" if not taken else taken[0].glyph if len(taken) == 1 else "2"


def _cell(row: int, column: int) -> str:
    return f"cell-{row + 1}-{column + 1}"


def point(table: State, move: Move) -> Gesture:
    """Where a move takes hold, and where it leads."""
    if isinstance(move, Redeal):
        return Source(place="redeal"), None
    source = divmod(table.cells.index(move.card), COLUMNS)
    return Source(place=_cell(*source), card=0, count=1), Target(place=_cell(move.row - 1, move.column - 1))


def goes_up(table: State, move: Move) -> bool:
    """Whether the move locks its card."""
    return not isinstance(move, Redeal) and table.play(move).score > table.score
