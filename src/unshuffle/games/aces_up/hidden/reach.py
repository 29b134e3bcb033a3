"""The tables of Aces Up that a player can reach before the next deal.

Between two deals cards go to spaces, and no hidden card is turned up. Only for four piles, forced discards, deals in
rows and no cell.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import permutations
from typing import NamedTuple

from unshuffle.cards import Card
from unshuffle.errors import UsageError
from unshuffle.games.aces_up.moves import ToSpace
from unshuffle.games.aces_up.rules import ACE, Pile, Rules, discard_all, strength

PILES = 4
_LEFT_WHEN_WON = 4
"""With so few cards on the table, and none in the stock, the game is won."""
LAST_ORDERS = 24
"""The number of orders of the last deal."""


class Reached(NamedTuple):
    """A table that can be reached."""

    piles: tuple[Pile, ...]
    path: tuple[ToSpace, ...]
    """The moves that lead to it."""


def check_fits(rules: Rules) -> None:
    """Raise UsageError for other rules than these."""
    if (rules.piles, rules.discards, rules.deal, rules.reserve) != (PILES, "forced", "row", 0):
        raise UsageError("plans are made for four piles, forced discards, deals in rows and no cell")


def reach(piles: tuple[Pile, ...], rules: Rules) -> list[Reached]:
    """Return the tables that can be reached without a deal, each once, whatever the order of its piles.

    Tables that take fewer moves come first; among equals those by the first piles.
    """
    found = [Reached(piles, ())]
    known = {tuple(sorted(piles))}
    for before, path in found:
        spaces = [number for number, pile in enumerate(before) if not pile]
        if not spaces:
            continue
        # Where any space will do, the first is as good as another.
        space = spaces[-1] if rules.destination == "last" else spaces[0]
        for source, pile in enumerate(before):
            if len(pile) < 2 or (rules.fill == "aces-only" and strength(pile[-1]) != ACE):
                continue
            moved = list(before)
            moved[source], moved[space] = pile[:-1], pile[-1:]
            after, _ = discard_all(moved)
            key = tuple(sorted(after))
            if key not in known:
                known.add(key)
                found.append(Reached(after, (*path, ToSpace(source + 1, space + 1))))
    return found


def before_deal(piles: tuple[Pile, ...], rules: Rules) -> list[Reached]:
    """Return the reachable tables from which the rules allow a deal."""
    found = reach(piles, rules)
    if rules.fill != "must":
        return found
    return [table for table in found if all(table.piles) or all(len(pile) < 2 for pile in table.piles)]


def after_deal(piles: Sequence[Pile], cards: Sequence[Card]) -> tuple[Pile, ...]:
    """Return the piles after a deal of four cards, and the discards that follow it."""
    return discard_all([(*pile, card) for pile, card in zip(piles, cards, strict=True)])[0]


def count_last_wins(piles: Sequence[Pile], unseen: Collection[Card], rules: Rules) -> int:
    """Return the number of orders of the last deal in which the game can be won from this table."""
    return sum(
        any(sum(map(len, table.piles)) <= _LEFT_WHEN_WON for table in reach(after_deal(piles, cards), rules))
        for cards in permutations(unseen)
    )
