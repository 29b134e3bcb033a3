"""The hooks of the generic search for Spider: a bound, a key, and an attempt at a win.

Each has its proof beside it, and is tested in all variants against the search without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from unshuffle.games.spider.moves import Move
from unshuffle.games.spider.rules import State


def key(state: State) -> Hashable:
    """Return the table without the number of moves; once the bank is empty, the piles are sorted.

    Only a row distinguishes the piles, by the cards that it brings them; runs move from any pile to any other alike. So
    with no row to come, tables that differ only in the order of their piles are the same game; before that they are
    not. The completed runs follow from the cards on the table, and the bank from its size. The key has the number of
    face-down cards of each pile, because a known card that lies face down cannot move yet.
    """
    piles = tuple(zip(state.piles, state.down, strict=True))
    if state.bank:
        return len(state.bank), piles
    return 0, tuple(sorted(piles))


def bound(state: State) -> int:
    """Return the Sun score of a won game, less the moves made, less the fewest that a win still takes.

    A win needs every row that is left, and the joins that are missing: `ranks - 1` for each run that has not left, less
    those that lie there. A move of a run makes one at the most (its head's), a row one for each pile.

    A line that ends without a win scores no more. Suppose that it ends with r' rows, R' runs and J' joins to come: the
    Sun score then lacks at least 2 for each such join and 26 for each such run. What the line saved in moves is at most
    r' + J', and r' < 26 R', for the cards of a row belong to runs that have not left.
    """
    rules = state.rules
    missing = (rules.ranks - 1) * (rules.runs - len(state.completed)) - state.joins
    rows = state.rows_left
    return rules.most_sun - state.moves - rows - max(0, missing - rules.piles * rows)


def attempt(state: State, number: int, may_expand: Callable[[int], bool]) -> tuple[Move, ...] | None:
    """Return a win that a beam finds; each attempt is wider and has other weights. A failed one proves nothing."""
    from unshuffle.games.spider import beam  # not needed with the engine

    return beam.attempt(state, number, may_expand)
