"""Values of states by sampling deals, in Python: slow and plain, as a check of the engine's `sample_values`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from math import fsum
from random import Random

from unshuffle.cards import PACK, Card
from unshuffle.games.belle_lucie.hidden.planner import make_plan
from unshuffle.games.belle_lucie.hidden.reach import MOST_POSITIONS, Reach, alone, has_caps, mercis_now
from unshuffle.games.belle_lucie.hidden.values import STATES, Values
from unshuffle.games.belle_lucie.rules import Rules, State, lay_out
from unshuffle.solve import Status, solve

EXACT_CARDS = 5
"""With at most this many cards left all deals are tried, and the value is exact."""

Sums = tuple[float, float, int]
"""The sum of the deals' values, the sum of their squares, and the number of deals; 0 deals: the exact value."""


def sample_values(
    rules: Rules,
    *,
    redeals_left: int,
    mercis: int,
    states: Iterable[int],
    samples: int,
    seed: int,
    values: Values | None,
    exact_cards: int = EXACT_CARDS,
) -> list[Sums]:
    """Return the values of the states. Each has its own deals, so it does not depend on which others are asked for."""
    rules = replace(rules, redeals=redeals_left)
    found: list[Sums] = []
    for state in states:
        cards = [card for card in PACK if card.rank > STATES[state][card.suit]]
        if len(cards) <= exact_cards:
            deals = _all_deals(rules, cards, mercis)
            found.append((fsum(_worth(deal, values) for deal in deals) / len(deals), 0.0, 0))
            continue
        worths = []
        for number in range(samples):
            Random(f"{seed} {redeals_left} {mercis} {state} {number}").shuffle(cards)
            worths.append(_worth(replace(lay_out(rules, tuple(cards)), mercis=mercis), values))
            cards.sort()
        found.append((fsum(worths), fsum(worth * worth for worth in worths), samples))
    return found


def _all_deals(rules: Rules, cards: list[Card], mercis: int) -> list[State]:
    """Return every deal once; the order of the fans does not matter."""
    tables = (lay_out(rules, order) for order in permutations(cards))
    return [replace(table, mercis=mercis) for table in {frozenset(table.fans): table for table in tables}.values()]


def _worth(table: State, values: Values | None) -> float:
    """Return the chance to win this deal by the best plan."""
    mercis = mercis_now(table)
    if table.redeals_left and values is not None:
        return make_plan(table, values, alternatives=False).value
    if has_caps(table.rules, mercis):
        return float(Reach(table).win(mercis) is not None)
    return float(solve(alone(table, mercis), nodes=MOST_POSITIONS).status is Status.SOLVED)
