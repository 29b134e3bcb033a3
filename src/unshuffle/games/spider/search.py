"""What the generic search may know about Spider: a bound, which positions are alike, and how to try for a win.

Each has its reason beside it, and is tested in all variants against the search without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from unshuffle.games.spider.moves import Move
from unshuffle.games.spider.rules import State


def key(state: State) -> Hashable:
    """The table without the number of moves; once the bank is empty, the piles without their order.

    A row tells the piles apart, by the cards that it brings them; runs move from any pile to any other alike. So with
    no row to come, tables that differ in the order of their piles are the same game. (While there is one, they are
    not.) The runs that have left follow from the cards that are there, and what the bank holds from its size. A pile
    is told apart by its face-down cards too: a card that is known is not yet a card that can move.
    """
    piles = tuple(zip(state.piles, state.down, strict=True))
    if state.bank:
        return len(state.bank), piles
    return 0, tuple(sorted(piles))


def bound(state: State) -> int:
    """The Sun score of a won game, less the moves made, less those that a win still takes at the least.

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
    """A win that a beam finds; each attempt is wider and weighs in another way. One that fails proves nothing."""
    from unshuffle.games.spider import beam  # not needed where the engine serves

    return beam.attempt(state, number, may_expand)
