"""Training of Aces Up's values: temporal-difference learning by self-play.

Whole games are played by the numbers found so far. Then each table's value moves towards a target: half the value of
the table after the next deal, half the target of that table. The target of the last deal is exact: the share of its
orders that win. One choice in STRAYS is random (exploration), so that tables off the best line are known too; the
tables before such a choice learn from the best table instead.
"""

from __future__ import annotations

from typing import NamedTuple

from unshuffle.cards import PACK, Card
from unshuffle.deals import MASK, SplitMix64, shuffled
from unshuffle.games.aces_up.hidden.reach import LAST_ORDERS, PILES, after_deal, before_deal, count_last_wins
from unshuffle.games.aces_up.hidden.values import features, logistic
from unshuffle.games.aces_up.rules import Pile, Rules

FIRST_STEP = 2.0
LAST_STEP = 0.05
"""The step sizes in the first game and after the last one, for all features of a table together."""
STRAYS = 10
"""One choice out of this many is random."""

_NEXT = 0x9E3779B97F4A7C15
"""The step from one seed of a stream to the next."""


class _Visit(NamedTuple):
    """A table from which a deal was made."""

    features: list[int]
    missed: float | None
    """The chance of the best table, if another one was chosen."""


def learn(numbers: list[float], rules: Rules, seed: int, game: int, games: int) -> None:
    """Play and learn from game number `game` of `games`."""
    stream = SplitMix64(SplitMix64((seed + game * _NEXT) & MASK).next())
    visits, aim = _play(numbers, rules, shuffled(PACK, stream), stream)
    step = FIRST_STEP + (LAST_STEP - FIRST_STEP) * (game / games)
    for visit in reversed(visits):
        p = logistic(_sum(numbers, visit.features))
        change = step * (aim - p) / len(visit.features)
        for place in visit.features:
            numbers[place] += change
        aim = 0.5 * aim + 0.5 * p if visit.missed is None else visit.missed


def _sum(numbers: list[float], places: list[int]) -> float:
    # From the left, as the engine adds; `sum` may round differently.
    total = 0.0
    for place in places:
        total += numbers[place]
    return total


def _play(numbers: list[float], rules: Rules, deck: list[Card], stream: SplitMix64) -> tuple[list[_Visit], float]:
    """Return the tables from which deals were made, and the share of the orders of the last deal that win."""
    piles: tuple[Pile, ...] = ((),) * PILES
    visits: list[_Visit] = []
    won = 0.0
    for deals in range(len(deck) // PILES - 1, 0, -1):
        dealt = len(deck) - deals * PILES
        unseen = deck[dealt:]
        tables = [table.piles for table in before_deal(after_deal(piles, deck[dealt - PILES : dealt]), rules)]
        if deals == 1:
            worths = [count_last_wins(table, unseen, rules) / LAST_ORDERS for table in tables]
        else:
            worths = [_sum(numbers, features(table, deals, unseen)) for table in tables]
        best = chosen = worths.index(max(worths))
        if len(tables) > 1 and stream.below(STRAYS) == 0:
            chosen = stream.below(len(tables))
        missed = None
        if chosen != best:
            missed = worths[best] if deals == 1 else logistic(worths[best])
        visits.append(_Visit(features(tables[chosen], deals, unseen), missed))
        piles, won = tables[chosen], worths[chosen]
    return visits, won
