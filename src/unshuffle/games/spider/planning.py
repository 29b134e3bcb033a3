"""Plans for Spider with hidden information.

Between two turned cards a player learns nothing, so a plan goes up to the next one, or to a row; a whole game is some
dozens of plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from unshuffle.deals import MASK
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.pricing import Filter, Table, children, in_order, price
from unshuffle.games.spider.rules import Rules
from unshuffle.games.spider.weights import Weights, rounded

CAREFUL = Filter(splits=False, parts_to_empty=False)
"""Runs are not split, except onto their own suit to make a longer one: a player that does not know the next card gains
little from a split, and plays far worse with splits."""
FREE = Filter(splits=True, parts_to_empty=True)
"""Everything that is legal, but only one empty pile as a target."""

_FILLED = 6
"""How many of the cheapest tables with empty piles have these filled, if a row may not be dealt on empty piles."""


class Reach(NamedTuple):
    """The limits of a planner's search."""

    width: int
    """Tables kept of each level."""
    depth: int
    stall: int
    """The levels without a better end or a better table after which the search stops."""


class Node(NamedTuple):
    """A table of a level, with its cost, its hash and the moves that lead to it."""

    cost: int
    hash: int
    table: Table
    line: tuple[Move, ...]


class Candidate(NamedTuple):
    """A table for the next level, sorted by cost, then hash; of several moves to one table the first is kept."""

    cost: int
    hash: int
    parent: int
    order: tuple[int, int, int]
    table: Table

    @property
    def move(self) -> Run:
        """The move that makes it."""
        return Run(*self.order)


class End(NamedTuple):
    """The end of a plan: a turned card, a row, or the end of the game."""

    cost: int
    hash: int
    """The hash of the table after the plan, as far as it is known."""
    line: tuple[Move, ...]


def cut(candidates: list[Candidate], width: int, limit: float) -> float:
    """Cut a long list to the cheapest candidates; return the cost below which new ones may enter."""
    if len(candidates) <= 6 * width:
        return limit
    candidates.sort()
    limit = candidates[3 * width].cost + 1
    del candidates[3 * width :]
    return limit


def next_level(level: Sequence[Node], candidates: list[Candidate], width: int, met: set[int]) -> list[Node]:
    """Return the cheapest candidates that were not seen before."""
    found: list[Node] = []
    for candidate in sorted(candidates):
        if len(found) == width:
            break
        if candidate.hash not in met:
            met.add(candidate.hash)
            line = (*level[candidate.parent].line, candidate.move)
            found.append(Node(candidate.cost, candidate.hash, candidate.table, line))
    return found


@dataclass(slots=True)
class Planner:
    """A beam search for the ends of plans."""

    rules: Rules
    reach: Reach
    tried: Filter
    weights: Weights
    keeps_all: bool = False
    """Whether to keep every end, or only those better than all before them, so that the last is the best."""
    ends: list[End] = field(default_factory=list)
    is_won: bool = False
    """Whether the last of the ends wins the game."""
    _best: float = inf
    """The cost of the best end."""
    _holed: list[Node] = field(default_factory=list)
    """The cheapest tables with empty piles, if no row may be dealt on these."""

    def plan(self, start: Table) -> Planner:
        """Find the ends of plans from this table, and return the planner."""
        root = price(start, self.rules.ranks, self.weights)
        level = [Node(root.cost, root.hash, start, ())]
        met = {root.hash}
        quiet, idle = inf, 0
        for _ in range(self.reach.depth):
            candidates: list[Candidate] = []
            is_better = self._expand(level, candidates, met)
            if self.is_won:
                return self
            least = min((candidate.cost for candidate in candidates), default=inf)
            if least < quiet:
                quiet, is_better = least, True
            idle = 0 if is_better else idle + 1
            if idle >= self.reach.stall:
                break
            level = next_level(level, candidates, self.reach.width, met)
            if not level:
                break
        for node in self._holed:
            self._fill_for_row(node)
        return self

    def _expand(self, level: Sequence[Node], candidates: list[Candidate], met: set[int]) -> bool:
        """Expand a level; return whether some end is better than all before."""
        ranks, is_better, limit = self.rules.ranks, False, inf
        for place, node in enumerate(level):
            if node.table.rows:
                if self.rules.deal_on_empty or not node.table.empty:
                    is_better |= self._end_with_row(node)
                else:
                    self._keep_holed(node)
            won: End | None = None
            for move, table in children(node.table, self.tried, ranks):
                if table.done == self.rules.runs:
                    won = End(0, 0, (*node.line, move))
                    continue
                cost, code = price(table, ranks, self.weights)
                if node.table.turns(table):
                    is_better |= self._end(End(cost, code, (*node.line, move)))
                elif cost < limit and code not in met:
                    candidates.append(Candidate(cost, code, place, in_order(move), table))
            if won is not None:
                self.is_won = True
                self.ends.append(won)
                return True
            limit = cut(candidates, self.reach.width, limit)
        return is_better

    def _end(self, end: End) -> bool:
        """Record an end; return whether it is better than all before."""
        is_better = end.cost < self._best
        if is_better:
            self._best = end.cost
        if is_better or self.keeps_all:
            self.ends.append(end)
        return is_better

    def _end_with_row(self, node: Node) -> bool:
        """Record an end with a row of unknown cards, at which empty piles lose value."""
        gain = self.weights.empty[node.table.empty]
        cost = node.cost + gain - rounded(self.weights.empty_at_row * gain) + self.weights.row
        # Not the hash of any table: the table after the row is unknown.
        return self._end(End(cost, node.hash ^ MASK, (*node.line, Row())))

    def _keep_holed(self, node: Node) -> None:
        """Keep a table if it is among the cheapest."""
        if len(self._holed) < _FILLED:
            self._holed.append(node)
            return
        dearest = max(range(_FILLED), key=lambda place: (self._holed[place][:2], place))
        if node[:2] < self._holed[dearest][:2]:
            self._holed[dearest] = node

    def _fill_for_row(self, node: Node) -> None:
        """Fill each empty pile by the cheapest move that turns no card, then record an end with a row."""
        ranks = self.rules.ranks
        while node.table.empty:
            fills: list[Node] = []
            for move, table in children(node.table, FREE, ranks):
                if not node.table.piles[move.target - 1].cards and not node.table.turns(table):
                    fills.append(Node(*price(table, ranks, self.weights), table, (*node.line, move)))
            if not fills:
                return
            node = min(fills, key=lambda fill: fill.cost)
        self._end_with_row(node)
