"""Spider: ways of playing by what can be seen. docs/simulate.md says them in words; the engine plays the same games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unshuffle.cards import Card
from unshuffle.games.spider.beam import finish
from unshuffle.games.spider.moves import Move, Run
from unshuffle.games.spider.planning import CAREFUL, FREE, Planner, Reach
from unshuffle.games.spider.pricing import Table, seen_table
from unshuffle.games.spider.rules import Rules
from unshuffle.games.spider.view import View
from unshuffle.games.spider.weights import SEEN

PLAIN = Reach(width=16, depth=40, stall=8)
"""How far the plain player looks."""
FINISH = (50, 200, 800, 3200)
"""The widths of the beams that finish a game of which all is known."""

# One move ahead.

_TURNS = 8
_EMPTIES = 4
_IN_SUIT = 2
_OUT_OF_SUIT = 1


def worth(view: View, move: Run) -> int:
    """What a move is worth at once: a turned card, an emptied pile and the join that it makes, less the one it breaks.

    A turned card is 8, an emptied pile 4 and a filled one -4, a join in suit 2 and one out of suit 1.
    """
    source, target = view.piles[move.source - 1], view.piles[move.target - 1]
    left = len(source) - move.count
    head, under = source[left], source[left - 1] if left else None
    assert head is not None  # what moves lies face up
    turns = left > 0 and under is None
    empties = (left == 0) - (not target)
    return _TURNS * turns + _EMPTIES * empties + _join(head, target[-1] if target else None) - _join(head, under)


def _join(head: Card, on: Card | None) -> int:
    if on is None or on.rank != head.rank + 1:
        return 0
    return _IN_SUIT if on.suit is head.suit else _OUT_OF_SUIT


def greedy(view: View, moves: Sequence[Move]) -> Run | None:
    """The first of the best moves of cards, if any is worth more than nothing."""
    best, most = None, 0
    for move in moves:
        if isinstance(move, Run) and (points := worth(view, move)) > most:
            best, most = move, points
    return best


def filling(view: View) -> Run | None:
    """The last card of the tallest pile goes to the first empty one, where a row waits for that; None if none can."""
    target = next((number for number, pile in enumerate(view.piles, 1) if not pile), None)
    sources = [number for number, pile in enumerate(view.piles, 1) if len(pile) > 1]
    if target is None or not sources or not view.bank:
        return None
    return Run(max(sources, key=lambda number: len(view.piles[number - 1])), target)


# From plan to plan.


@dataclass(frozen=True, slots=True)
class Plain:
    """Who plays from plan to plan, taking the cheapest end each time."""

    rules: Rules
    reach: Reach = PLAIN
    widths: tuple[int, ...] = FINISH

    def next_line(self, table: Table) -> tuple[Move, ...] | None:
        """The moves up to the next card that is turned, the next row or the end; None: the game is given up."""
        if table.is_open:
            return finish(table, self.rules, self.widths)
        weights = SEEN.weights(table.rows)
        for tried in (CAREFUL, FREE):  # with splits only if there is nothing without
            ends = Planner(self.rules, self.reach, tried, weights).plan(table).ends
            if ends:
                return ends[-1].line
        return None


def plan(view: View, reach: Reach = PLAIN) -> tuple[Move, ...] | None:
    """The plan of the plain player: its moves up to the next news; None: it gives the game up."""
    return Plain(view.rules, reach).next_line(seen_table(view))
