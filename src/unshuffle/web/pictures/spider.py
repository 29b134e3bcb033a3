"""Spider on the page: the bank and the runs that have left above the piles."""

from __future__ import annotations

from unshuffle.games.spider.moves import Move, Row
from unshuffle.games.spider.rules import whole_run
from unshuffle.games.spider.view import View
from unshuffle.web.pictures import Gesture, lying
from unshuffle.web.shapes import Area, Place, Source, Target


def paint(table: View) -> list[Area]:
    """What lies where."""
    top = [Place(id="stock", kind="stock", label=f"Bank, {table.rows_left} rows", count=table.bank)]
    for number in range(table.rules.runs):
        done = table.completed[number] if number < len(table.completed) else None
        label = f"Completed run {number + 1}" if done is None else f"Completed run of {done.word}"
        # The king on top, as people lay a run aside.
        run = () if done is None else whole_run(done, table.rules.ranks)[::-1]
        top.append(Place(id=f"completed-{number + 1}", kind="completed", label=label, cards=lying(run, settled=True)))
    piles = [
        Place(id=f"pile-{number}", kind="pile", label=f"Pile {number}", spread="down", cards=lying(pile))
        for number, pile in enumerate(table.piles, 1)
    ]
    return [
        Area(name="top", label="Bank and completed runs", arrange="row", places=top),
        Area(name="piles", label="Piles", arrange="columns", places=piles),
    ]


def point(table: View, move: Move) -> Gesture:
    """Where a move takes hold, and where it leads."""
    if isinstance(move, Row):
        return Source(place="stock"), None
    first = len(table.piles[move.source - 1]) - move.count
    return Source(place=f"pile-{move.source}", card=first, count=move.count), Target(place=f"pile-{move.target}")


def goes_up(table: View, move: Move) -> bool:
    """Nothing goes up by hand: a complete run leaves by itself."""
    return False
