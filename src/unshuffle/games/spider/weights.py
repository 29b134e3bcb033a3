"""The weights of the cost function of the Spider searches, as whole numbers: the lower the cost, the better."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cache

from unshuffle.deals import SplitMix64

MOST_ROWS = 5
"""The rows of a usual deal; with more rows left the weights are the same."""
_MOST_PILES = 10


@dataclass(frozen=True, slots=True)
class Taste:
    """The parameters of the weights: the cost of each feature, and how it changes with the rows left."""

    down: float = 56.0
    """A face-down card."""
    down2: float = 2.0
    """The square of their number in a pile."""
    bottom: float = 30.0
    """The open bottom card of a pile that is no king."""
    off: float = 69.0
    """A join out of suit. It costs more than a gap, for gaps are mostly dealt, and such joins mostly made by moves."""
    gap: float = 32.0
    """A card that lies on one it does not follow."""
    inverse: float = 1.0
    """The extra cost of such a card if the one below it has a lower rank."""
    buried: float = 3.0
    """A rank of the segment's suit, lower than its first card, that lies somewhere below it."""
    above: float = 10.0
    """A segment of a pile with face-down cards."""
    joins: float = 1.0
    """The square of a segment's joins, as a gain."""
    stranded: float = 12.0
    """A pile whose run has no place to go."""
    taking: float = 0.0
    """A rank that ends some pile and takes another card, as a gain."""
    empty: tuple[float, float, float] = (100.0, 133.0, 37.0)
    """Empty piles, as gains: the first, the second, each further one."""
    done: float = 37.0
    """A completed run, as a gain."""
    down_by_rows: float = 0.22
    """How much is added to `down` with all rows left."""
    gap_by_rows: float = -0.26
    off_by_rows: float = 0.0
    empty_by_rows: float = -1.04
    row: float = 0.0
    """The cost of a row of unknown cards."""
    empty_at_row: float = 0.0
    """The share of their gain that empty piles keep at such a row."""

    def varied(self, spread: float, chance: SplitMix64) -> Taste:
        """Return a copy with each number multiplied by a random factor between `e^-spread` and `e^spread`."""

        def vary(number: float) -> float:
            return number * math.exp((2 * chance.next() / 2**64 - 1) * spread)

        first, second, third = self.empty
        plain = {field.name: vary(getattr(self, field.name)) for field in fields(self) if field.name != "empty"}
        return replace(self, empty=(vary(first), vary(second), vary(third)), **plain)

    def weights(self, rows: int) -> Weights:
        """Return the weights with `rows` rows left."""
        return _weights(self, min(rows, MOST_ROWS))


OPEN = Taste()
"""For open tables, tuned on 4 suits."""
SEEN = replace(
    OPEN,
    down=93.0,
    down2=1.0,
    stranded=20.0,
    empty=(160.0, 150.0, 67.0),
    done=36.0,
    down_by_rows=0.44,
    gap_by_rows=-0.36,
    off_by_rows=-0.03,
    empty_by_rows=0.0,
    row=288.0,
    empty_at_row=-0.34,
)
"""For tables of which only the face-up cards are known."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights for one number of rows left. Each is one object, compared by identity in the caches of costs."""

    down: int
    down2: int
    bottom: int
    off: int
    gap: int
    inverse: int
    buried: int
    above: int
    joins: int
    stranded: int
    taking: int
    empty: tuple[int, ...]
    """The gain, by the number of empty piles."""
    done: int
    row: int
    empty_at_row: float


def rounded(number: float) -> int:
    """Return the nearest whole number; a half is rounded away from 0, as in the engine."""
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


@cache
def _weights(taste: Taste, rows: int) -> Weights:
    share = rows / MOST_ROWS

    def by(number: float, slope: float = 0.0) -> int:
        return rounded(number * (1.0 + slope * share))

    gains = [0]
    for count in range(_MOST_PILES):
        gains.append(gains[-1] + by(taste.empty[min(count, 2)], taste.empty_by_rows))
    return Weights(
        down=by(taste.down, taste.down_by_rows),
        down2=by(taste.down2, taste.down_by_rows),
        bottom=by(taste.bottom),
        off=by(taste.off, taste.off_by_rows),
        gap=by(taste.gap, taste.gap_by_rows),
        inverse=by(taste.inverse, taste.gap_by_rows),
        buried=by(taste.buried),
        above=by(taste.above),
        joins=by(taste.joins),
        stranded=by(taste.stranded),
        taking=by(taste.taking),
        empty=tuple(gains),
        done=by(taste.done),
        row=by(taste.row),
        empty_at_row=taste.empty_at_row,
    )
