"""The value function of Aces Up: the win probability of a table before a deal, on a logistic scale.

A value is a sum of numbers that the table's features select; docs/simulate.md lists the features. Each feature group
has a block of numbers for each number of deals left. `unshuffle values build aces-up` trains the numbers by self-play.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import pack
from typing import Any

from unshuffle.cards import Card, Suit
from unshuffle.errors import quote
from unshuffle.files import read_parsed
from unshuffle.games.aces_up.rules import ACE, Pile, beats, strength

FORMAT = "unshuffle-aces-up-values 1"
FILE = Path(__file__).parent.with_name("data") / "values.json"

STAGES = 12
"""The most deals that can be left when a player chooses: all but the first."""
GROUPS = {
    "card": 7 * 3 * 3 * 3 * 2,
    "ace": 6 * 6,
    "rank": 13 * 2 * 4,
    "suit": 4 * 8 * 3,
    "table": 11 * 5 * 5,
    "count": 32,
}
"""The feature groups in their order, with the size of each block."""
SIZE = STAGES * sum(GROUPS.values())
"""The number of all numbers."""
SCALE = 1000
"""They are stored in thousandths, as whole numbers, so that a sum is the same in any order."""

_FIRST = {name: STAGES * sum(list(GROUPS.values())[:place]) for place, name in enumerate(GROUPS)}
_MOST = 10**9


def features(piles: Sequence[Pile], deals: int, unseen: Collection[Card]) -> list[int]:
    """Return the indices of the numbers that count for a table with `deals` deals left; one may occur twice or more."""
    found: list[int] = []

    def add(group: str, place: int) -> None:
        found.append(_FIRST[group] + (deals - 1) * GROUPS[group] + place)

    aces, covered = dict.fromkeys(Suit, 0), dict.fromkeys(Suit, 0)
    for number, pile in enumerate(piles):
        others = [other for place, other in enumerate(piles) if other and place != number]
        for under in range(len(pile) - 1, -1, -1):
            card, up = pile[under], len(pile) - 1 - under
            if strength(card) == ACE:
                add("ace", min(under, 5) * 6 + min(up, 5))
                aces[card.suit] = 1 if under == 0 else 2 if up == 0 else 3
            else:
                above = 0
                if any(beats(other, card) for other in pile[under + 1 :]):
                    above = 1 if beats(pile[under + 1], card) else 2
                    covered[card.suit] += 1
                top = max((1 + (len(other) == 1) for other in others if beats(other[-1], card)), default=0)
                hidden = sum(beats(other, card) for other in unseen)
                below = any(beats(other, card) for other in pile[:under])
                hidden = 2 if hidden > 2 else min(hidden, 1)
                add("card", (((min(up, 6) * 3 + above) * 3 + top) * 3 + hidden) * 2 + below)
            add("rank", ((strength(card) - 2) * 2 + (under == 0)) * 4 + min(up, 3))
    cards = [card for pile in piles for card in pile]
    for suit in Suit:
        count = sum(card.suit is suit for card in cards)
        add("suit", (aces[suit] * 8 + min(count, 7)) * 3 + min(covered[suit], 2))
    spaces = sum(not pile for pile in piles)
    low_aces = sum(bool(pile) and strength(pile[0]) == ACE for pile in piles)
    add("table", (min(sum(covered.values()), 10) * 5 + spaces) * 5 + low_aces)
    add("count", min(len(cards), 31))
    return found


def logistic(x: float) -> float:
    """Return nearly 1 / (1 + e**-x), bit for bit as the engine does: all machines round these operations alike."""
    power = 1.0 - min(max(x, -20.0), 20.0) / 1024.0
    for _ in range(10):
        power *= power
    return 1.0 / (1.0 + power)


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers, in thousandths."""

    numbers: tuple[int, ...]

    def of(self, piles: Sequence[Pile], deals: int, unseen: Collection[Card]) -> int:
        """Return the value of a table with `deals` deals left."""
        return sum(self.numbers[place] for place in features(piles, deals, unseen))

    @staticmethod
    def chance(value: int) -> float:
        """Return the win probability of a value."""
        return logistic(value / SCALE)

    @property
    def packed(self) -> bytes:
        """The values as the engine reads them."""
        return pack(f"<{SIZE}i", *self.numbers)


@cache
def shipped() -> Values:
    """Return the values that come with the package."""
    return read_values(FILE)


def read_values(path: Path) -> Values:
    """Return the values of a file."""
    return read_parsed(path, "values of aces-up", parse_values)


def parse_values(text: str) -> Values:
    """Return the values of a file's text; raise ValueError if the text is not such a file."""
    found = json.loads(text)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    groups = found.get("values")
    if not isinstance(groups, dict) or list(groups) != list(GROUPS):
        raise ValueError(f"'values' are not the groups {', '.join(GROUPS)}, in this order")
    numbers: list[int] = []
    for name, size in GROUPS.items():
        blocks = groups[name]
        if not isinstance(blocks, list) or [isinstance(block, list) and len(block) for block in blocks] != (
            [size] * STAGES
        ):
            raise ValueError(f"{name!r} is not {STAGES} lists of {size} numbers")
        numbers += [number for block in blocks for number in block]
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or abs(number) > _MOST:
            raise ValueError(f"{quote(str(number))} among the values is not a whole number up to {_MOST:,}")
    return Values(tuple(numbers))


def format_values(values: Values, provenance: Mapping[str, Any]) -> str:
    """Return the text of a values file, the inverse of `parse_values`; `provenance` says where they come from."""
    numbers = iter(values.numbers)
    groups = []
    for name, size in GROUPS.items():
        # One line per number of deals left, so that two files can be compared line by line.
        blocks = [json.dumps([next(numbers) for _ in range(size)], separators=(",", ":")) for _ in range(STAGES)]
        groups.append(f"    {json.dumps(name)}: [\n      " + ",\n      ".join(blocks) + "\n    ]")
    head = json.dumps({"format": FORMAT, "provenance": dict(provenance)}, indent=2).removesuffix("\n}")
    return head + ',\n  "values": {\n' + ",\n".join(groups) + "\n  }\n}\n"
