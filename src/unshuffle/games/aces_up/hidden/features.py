"""The eighteen features of an Aces Up position, and the weights that value it. docs/simulate.md describes each.

An option is valued by the position after it, with its discards made. What a deal brings is not known: it is valued by
the present position, with fewer cards in the stock.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import pack
from typing import TYPE_CHECKING, Any

from unshuffle.cards import PACK, Card
from unshuffle.errors import quote
from unshuffle.files import read_parsed
from unshuffle.games.aces_up.moves import Deal, Move
from unshuffle.games.aces_up.rules import ACE, strength

if TYPE_CHECKING:
    from unshuffle.games.aces_up.rules import State

FORMAT = "unshuffle-aces-up-weights 1"
FILE = Path(__file__).parent.with_name("data") / "weights.json"

_MOST_WEIGHT = 1e100
"""The limit of a weight: no sum of such weights overflows."""

FEATURES = (
    "is the deal",
    "is the deal, times the share of the stock left",
    "spaces",
    "spaces, times the share of the stock left",
    "sum of squared pile lengths / 10",
    "aces at the bottom of a pile",
    "aces elsewhere in piles",
    "cards under aces",
    "cards on aces",
    "pairs of a suit in a pile, the higher on top",
    "pairs of a suit in a pile, the lower on top",
    "adjacent pairs of a suit, the higher on top",
    "adjacent pairs of a suit, the lower on top",
    "sum of ranks of bottom cards / 10",
    "sum of ranks of top cards / 10",
    "sum of ranks of single cards / 10",
    "longest pile",
    "score",
)
"""The names of the features, in their order."""


def features(state: State, move: Move) -> tuple[float, ...]:
    """Return the features of an option. No hidden card is read: of the stock only its size counts."""
    is_deal = isinstance(move, Deal)
    after = state if is_deal else state.play(move)
    left = len(after.stock) - (len(state.served()) if is_deal else 0)
    return _of_table(after.piles, left, after.score, is_deal)


def _of_table(piles: Sequence[tuple[Card, ...]], stock: int, score: int, is_deal: bool) -> tuple[float, ...]:
    spaces = lowest_aces = other_aces = under = over = squares = 0
    pairs, adjacent = [0, 0], [0, 0]
    for pile in piles:
        spaces += not pile
        squares += len(pile) ** 2
        for place, card in enumerate(pile):
            if strength(card) == ACE:
                lowest_aces += place == 0
                other_aces += place > 0
                under += place
                over += len(pile) - 1 - place
            for lower in range(place):
                if pile[lower].suit is card.suit:
                    which = strength(card) < strength(pile[lower])
                    pairs[which] += 1
                    adjacent[which] += lower == place - 1
    return (
        float(is_deal),
        is_deal * stock / len(PACK),
        float(spaces),
        spaces * stock / len(PACK),
        squares / 10,
        float(lowest_aces),
        float(other_aces),
        float(under),
        float(over),
        *map(float, pairs),
        *map(float, adjacent),
        sum(strength(pile[0]) for pile in piles if pile) / 10,
        sum(strength(pile[-1]) for pile in piles if pile) / 10,
        sum(strength(pile[0]) for pile in piles if len(pile) == 1) / 10,
        float(max(map(len, piles))),
        float(score),
    )


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the features."""

    values: tuple[float, ...]

    def value(self, state: State, move: Move) -> float:
        """Return what the option is worth; only the order of such values means anything."""
        total = 0.0
        for weight, feature in zip(self.values, features(state, move), strict=True):
            total += weight * feature
        return total

    def best(self, state: State, options: Sequence[Move]) -> Move:
        """Return the option with the greatest value, the first among equals."""
        return max(options, key=lambda move: self.value(state, move))

    @property
    def packed(self) -> bytes:
        """The weights as the engine reads them."""
        return pack(f"<{len(self.values)}d", *self.values)


@cache
def shipped() -> Weights:
    """Return the weights that come with the package."""
    return read_weights(FILE)


def read_weights(path: Path) -> Weights:
    """Return the weights of a file."""
    return read_parsed(path, "weights of aces-up", parse_weights)


def parse_weights(text: str) -> Weights:
    """Return the weights of a file's text; raise ValueError if the text is not such a file."""
    found = json.loads(text)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    if found.get("features") != list(FEATURES):
        raise ValueError("'features' are not the eighteen of this version, in their order")
    values = found.get("weights")
    if not isinstance(values, list) or len(values) != len(FEATURES):
        raise ValueError(f"'weights' is not a list of {len(FEATURES)} numbers")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MOST_WEIGHT:
            raise ValueError(f"{quote(str(value))} among the weights is not a number below {_MOST_WEIGHT:g}")
    return Weights(tuple(map(float, values)))


def format_weights(weights: Weights, provenance: Mapping[str, Any]) -> str:
    """Return the text of a weights file, the inverse of `parse_weights`; `provenance` says where they come from."""
    value = {
        "format": FORMAT,
        "provenance": dict(provenance),
        "features": list(FEATURES),
        "weights": list(weights.values),
    }
    return json.dumps(value, indent=2) + "\n"
