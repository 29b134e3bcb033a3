"""The value function of Spider: the chance to win from a view just before a row, by logistic regression.

`cargo run --release --example spider_values` fits it to games of the plain player and, with 4 suits, shifts it to the
chances of the player that evaluates plans. `data/values.json` has, for each variant and each number of rows left, a
coefficient for each feature.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from struct import pack

from unshuffle.games.spider.pricing import Table, price, rank_of, suit_of
from unshuffle.games.spider.rules import Rules
from unshuffle.games.spider.weights import Weights

FILE = Path(__file__).parent.with_name("data") / "values.json"

_MOST = 700.0
"""The exponential of more than this overflows."""

Values = tuple[tuple[float, ...], ...]
"""The coefficients of the features, by the number of rows left, from 0 on."""


@cache
def values_of(rules: Rules) -> Values | None:
    """Return the values under these rules; None unless they are those of a named variant."""
    from unshuffle.games.spider import Spider  # it has the names of the variants

    slug = next((slug for slug, known in Spider.variants.items() if known == rules), None)
    if slug is None:
        return None
    rows = json.loads(FILE.read_text(encoding="utf-8"))[slug]
    return tuple(tuple(map(float, row)) for row in rows)


@cache
def packed(rules: Rules) -> bytes | None:
    """Return the values as the engine reads them: row after row, little-endian floats of 8 bytes."""
    values = values_of(rules)
    if values is None:
        return None
    numbers = [number for row in values for number in row]
    return pack(f"<{len(numbers)}d", *numbers)


def features(table: Table, ranks: int, weights: Weights) -> tuple[float, ...]:
    """Return the features of a table just before a row."""
    joins = off = 0
    for cards, down in table.piles:
        for on, card in zip(cards[down:], cards[down + 1 :], strict=False):
            if rank_of(on) == rank_of(card) + 1:
                joins += suit_of(on) == suit_of(card)
                off += suit_of(on) != suit_of(card)
    cost = price(table, ranks, weights).cost
    down = sum(pile.down for pile in table.piles)
    clear = sum(pile.down == 0 for pile in table.piles)
    return 1.0, cost / 200, down / 10, float(table.empty), float(table.done), clear / 5, joins / 10, off / 10


def chance(values: Values, rows: int, found: Sequence[float]) -> float:
    """Return the chance to win a table with these features and so many rows left."""
    total = 0.0
    # One by one, as the engine adds: `sum` may round differently.
    for number, feature in zip(values[min(rows, len(values) - 1)], found, strict=True):
        total += number * feature
    return 1 / (1 + math.exp(min(-total, _MOST)))
