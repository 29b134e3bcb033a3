"""Spider: where cards lie."""

from __future__ import annotations

from functools import cache

from unshuffle.games.spider.moves import Move, Row
from unshuffle.games.spider.rules import Rules, State, whole_run
from unshuffle.games.spider.view import View
from unshuffle.numbers import MOST
from unshuffle.places import Area, Board, Dress, Mark, Places, Where
from unshuffle.places.gestures import Gesture


@cache
def places(rules: Rules) -> Places:
    """The bank and the completed runs above the piles; moves made."""
    return Places(
        rules=rules,
        areas=(
            Area(name="bank", kind="stock", deals=rules.piles),
            Area(name="completed", kind="completed", count=rules.runs),
            Area(name="piles", kind="pile", count=rules.piles, form="numbered"),
        ),
        written=("piles", "bank", "completed", "moves"),
        marks=(Mark(name="moves", values=range(MOST + 1), what="a number of moves", is_always_written=True),),
        pack=rules.pack,
        reach=rules.ranks,
        top="Bank and completed runs",
    )


def board(table: State | View) -> Board:
    """The piles, the bank and the completed runs."""
    rules = table.rules
    bank = (None,) * table.bank if isinstance(table, View) else table.bank
    # The king on top, as people lay a run aside.
    runs = [whole_run(suit, rules.ranks)[::-1] for suit in table.completed]
    return Board(
        places(rules),
        {"bank": (bank,), "completed": (*runs, *[()] * (rules.runs - len(runs))), "piles": table.piles},
        {"moves": table.moves},
        {"bank": (len(bank),), "piles": table.down},
        is_seen=isinstance(table, View),
    )


def state_of(board: Board) -> State:
    """The state of a board."""
    (bank,) = board.told("bank")
    suits = tuple(run[0].suit for run in board.piles["completed"] if run and run[0] is not None)
    return State(board.places.rules, board.told("piles"), board.down["piles"], bank, suits, board.marks["moves"])


def dress(table: State | View) -> Dress:
    """Rows left, and the suits of the completed runs."""
    labels = {Where("bank", 0): f"Bank, {table.rows_left} rows"}
    labels |= {Where("completed", n): f"Completed run {n + 1}" for n in range(table.rules.runs)}
    labels |= {Where("completed", n): f"Completed run of {suit.word}" for n, suit in enumerate(table.completed)}
    return Dress(labels=labels)


def gesture(table: State | View, move: Move) -> Gesture:
    """The cards that the move takes; a run may leave with it, so the boards alone do not tell."""
    if isinstance(move, Row):
        return Gesture(Where("bank", 0))
    source, first = move.source - 1, len(table.piles[move.source - 1]) - move.count
    return Gesture(Where("piles", source), first, move.count, Where("piles", move.target - 1))
