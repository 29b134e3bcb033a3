"""Beam search for an open Spider: a layer for each number of rows left, and in it levels of the cheapest tables.

A pass wins nearly every deal, but proves nothing if it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from unshuffle.deals import SplitMix64
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.planning import Candidate, Node, cut, next_level
from unshuffle.games.spider.pricing import (
    Filter,
    Table,
    children,
    in_order,
    number_of,
    open_table,
    price,
    row_of,
    run_of,
)
from unshuffle.games.spider.rules import Rules, State
from unshuffle.games.spider.weights import OPEN, Taste, Weights

MayExpand = Callable[[int], bool]
"""Called before each level with the number of its tables; false stops the pass."""

_TRIED = Filter(splits=False, parts_to_empty=True)
_DEPTHS = (200, 60)
"""The most levels of a layer: without rows left, and with rows."""
_IDLE = (41, 10)
"""The levels without a better table after which a layer ends: without rows left, and with rows."""

_WIDTH, _GROWTH = 25.0, 1.3
"""The width of the first attempt, and the factor by which it grows."""
_MOST_WIDTH = 5_000
"""This width takes some dozens of megabytes."""
_SPREAD = 0.4
"""How far the weights of later attempts may differ from those of the first, as a power of e."""


def attempt(state: State, number: int, may_expand: MayExpand) -> tuple[Move, ...] | None:
    """Return the moves to a win if attempt `number` (0, 1, ...) finds one; each is wider and has other weights."""
    table = open_table(state)
    taste = OPEN
    if number:
        # The deal itself is the seed, so that a search can be repeated.
        deal = price(table, state.rules.ranks, OPEN.weights(table.rows)).hash
        taste = OPEN.varied(_SPREAD, SplitMix64(deal + number))
    bank = tuple(map(number_of, state.bank))
    width = int(min(_WIDTH * _GROWTH**number, _MOST_WIDTH))
    return Pass(state.rules, bank, width, taste, may_expand).win(table)


def finish(table: Table, rules: Rules, widths: Sequence[int]) -> tuple[Move, ...] | None:
    """Return the moves to a win from a table without hidden cards and rows, by passes of these widths, or None."""
    lines = (Pass(rules, (), width).win(table) for width in widths)
    return next((line for line in lines if line is not None), None)


class _Kept(NamedTuple):
    """A table to deal a row on, with its cost after the row, and the moves that fill its empty piles first."""

    cost: int
    node: Node
    fills: tuple[Run, ...]


@dataclass(slots=True)
class Pass:
    """One pass of a beam."""

    rules: Rules
    bank: tuple[int, ...]
    width: int
    taste: Taste = OPEN
    may_expand: MayExpand = lambda tables: True

    def win(self, start: Table) -> tuple[Move, ...] | None:
        """Return the moves to a win; None if the beam becomes empty or is stopped."""
        tables: list[tuple[Table, tuple[Move, ...]]] = [(start, ())]
        for rows in range(start.rows, -1, -1):
            weights = self.taste.weights(rows)
            level = [Node(*price(table, self.rules.ranks, weights), table, line) for table, line in tables]
            kept: list[_Kept] = []
            won = self._layer(level, weights, kept)
            if won is not None:
                return won
            kept.sort(key=lambda one: (one.cost, one.node.hash))
            tables = [self._dealt(one) for one in kept]
            won = next((line for table, line in tables if table.done == self.rules.runs), None)
            if won is not None or not tables:
                return won
        return None

    def _layer(self, level: list[Node], weights: Weights, kept: list[_Kept]) -> tuple[Move, ...] | None:
        """Search a layer level by level and keep the tables for the next row; return a win if one is found."""
        has_rows = level[0].table.rows > 0
        met = {node.hash for node in level}
        idle, lowest = 0, inf
        for _ in range(_DEPTHS[has_rows]):
            if not self.may_expand(len(level)):
                kept.clear()  # no layer comes after this one
                return None
            candidates: list[Candidate] = []
            is_better, limit = False, inf
            for place, node in enumerate(level):
                if has_rows:
                    is_better |= self._offer(node, weights, kept)
                won = self._expand(place, node, weights, met, limit, candidates)
                if won is not None:
                    return won
                limit = cut(candidates, self.width, limit)
            if not has_rows:
                best = min((candidate.cost for candidate in candidates), default=inf)
                is_better, lowest = best < lowest, min(lowest, best)
            idle = 0 if is_better else idle + 1
            if idle >= _IDLE[has_rows]:
                break
            level = next_level(level, candidates, self.width, met)
            if not level:
                break
        return None

    def _expand(
        self, place: int, node: Node, weights: Weights, met: set[int], limit: float, candidates: list[Candidate]
    ) -> tuple[Move, ...] | None:
        """Add the tables after each move to the candidates; return the line to a win if a move wins."""
        won = None
        for move, table in children(node.table, _TRIED, self.rules.ranks):
            if table.done == self.rules.runs:
                won = (*node.line, move)
                continue
            cost, code = price(table, self.rules.ranks, weights)
            if cost < limit and code not in met:
                candidates.append(Candidate(cost, code, place, in_order(move), table))
        return won

    # Rows.

    def _after_row(self, table: Table) -> Table:
        return table.dealt(row_of(self.bank, table.rows, self.rules.piles), self.rules.ranks)

    def _dealt(self, kept: _Kept) -> tuple[Table, tuple[Move, ...]]:
        table = kept.node.table
        for move in kept.fills:
            table = table.moved(move, self.rules.ranks)
        return self._after_row(table), (*kept.node.line, *kept.fills, Row())

    def _offer(self, node: Node, weights: Weights, kept: list[_Kept]) -> bool:
        """Keep a table for the row if it is among the cheapest after it; return whether it is."""
        filled = (node.table, ()) if self.rules.deal_on_empty else self._filled(node.table, weights)
        if filled is None:
            return False
        table, fills = filled
        cost = price(self._after_row(table), self.rules.ranks, weights).cost
        if len(kept) < self.width:
            kept.append(_Kept(cost, node, fills))
            return True
        dearest = max(range(len(kept)), key=lambda place: kept[place].cost)
        if cost >= kept[dearest].cost:
            return False
        kept[dearest] = _Kept(cost, node, fills)
        return True

    def _filled(self, table: Table, weights: Weights) -> tuple[Table, tuple[Run, ...]] | None:
        """Fill each empty pile by the move with the cheapest table after the row; return None without enough cards."""
        fills: tuple[Run, ...] = ()
        while table.empty:
            target = next(number for number, pile in enumerate(table.piles, 1) if not pile.cards)
            moves = [
                Run(source, target, count)
                for source, pile in enumerate(table.piles, 1)
                for count in range(1, run_of(pile) + 1)
                if count < len(pile.cards)
            ]
            if not moves:
                return None
            ranks = self.rules.ranks
            made = [(table.moved(move, ranks), move) for move in moves]
            table, move = min(made, key=lambda one: price(self._after_row(one[0]), ranks, weights).cost)
            fills += (move,)
        return table, fills
