"""Spider: strategies with hidden information, described in docs/simulate.md. The engine plays the same games."""

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
"""The limits of the plain player's search."""
FINISH = (50, 200, 800, 3200)
"""The widths of the beams that finish a game without hidden cards."""

# One move ahead.

_TURNS = 8
_EMPTIES = 4
_IN_SUIT = 2
_OUT_OF_SUIT = 1


def worth(view: View, move: Run) -> int:
    """Return what a move gains at once: a turned card, an emptied pile, and the join made less the one broken.

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
    """Return the first of the best moves of cards, if any is worth more than 0."""
    best, most = None, 0
    for move in moves:
        if isinstance(move, Run) and (points := worth(view, move)) > most:
            best, most = move, points
    return best


def filling(view: View) -> Run | None:
    """Return the move of the last card of the tallest pile to the first empty one, to allow a row; None if none can."""
    target = next((number for number, pile in enumerate(view.piles, 1) if not pile), None)
    sources = [number for number, pile in enumerate(view.piles, 1) if len(pile) > 1]
    if target is None or not sources or not view.bank:
        return None
    return Run(max(sources, key=lambda number: len(view.piles[number - 1])), target)


# From plan to plan.


@dataclass(frozen=True, slots=True)
class Plain:
    """The plain player, which plays from plan to plan and takes the cheapest end each time."""

    rules: Rules
    reach: Reach = PLAIN
    widths: tuple[int, ...] = FINISH

    def next_line(self, table: Table) -> tuple[Move, ...] | None:
        """Return the moves up to the next turned card, the next row or the end; None to give the game up."""
        if table.is_open:
            return finish(table, self.rules, self.widths)
        weights = SEEN.weights(table.rows)
        for tried in (CAREFUL, FREE):  # splits only if there is no plan without them
            ends = Planner(self.rules, self.reach, tried, weights).plan(table).ends
            if ends:
                return ends[-1].line
        return None


def plan(view: View, reach: Reach = PLAIN) -> tuple[Move, ...] | None:
    """Return the plain player's moves up to the next turned card or row; None if it gives the game up."""
    return Plain(view.rules, reach).next_line(seen_table(view))
