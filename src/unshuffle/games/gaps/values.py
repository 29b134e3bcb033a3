"""What a redeal of Gaps is worth: the chance to win with k redeals left, by the lengths of the locked runs.

For now these are provisional figures: the chances of a few shapes that were measured, and between them a mean weighted
by nearness. A table made by simulation is to take their place here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from struct import pack

from unshuffle.games.gaps.rules import Rules

_NEXT = 0.3
"""The chance that a further redeal is taken to win, whatever has been locked by then."""

# Run lengths, and the chance to win one redeal after which no other follows: gaps random, gaps after the runs (%).
# Twos locked, exact search, 300 redeals each; those where only one figure is known had 60.
_MEASURED: tuple[tuple[tuple[int, int, int, int], float, float | None], ...] = (
    ((0, 0, 0, 0), 62.0, None),
    ((1, 1, 1, 1), 22.0, None),
    ((4, 4, 0, 0), 30.0, None),
    ((12, 0, 0, 0), 48.0, None),
    ((11, 11, 11, 11), 88.0, None),
    ((3, 3, 3, 3), 27.7, 34.3),
    ((6, 6, 6, 6), 22.7, 41.0),
    ((9, 9, 3, 3), 24.7, 30.0),
    ((12, 6, 3, 3), 20.7, 19.0),
    ((12, 12, 0, 0), 14.3, 8.7),
    ((9, 9, 9, 9), 47.3, 75.0),
    ((12, 8, 8, 8), 37.3, 54.3),
    ((12, 12, 6, 6), 26.0, 26.3),
    ((12, 12, 12, 0), 14.0, 2.0),
    ((10, 10, 10, 10), 63.0, 91.7),
    ((12, 12, 8, 8), 40.7, 45.3),
    ((12, 12, 12, 4), 30.7, 12.0),
)


@dataclass(frozen=True, slots=True)
class Value:
    """A chance to win, and its standard error; None if nobody knows it."""

    p: float
    se: float | None


def index(lengths: Iterable[int]) -> int:
    """The place of a shape among all, in lexicographic order of their lengths, longest first."""
    a, b, c, d = sorted(lengths, reverse=True)
    return comb(a + 3, 4) + comb(b + 2, 3) + comb(c + 1, 2) + d


def packed(rules: Rules) -> bytes | None:
    """The values as the engine reads them; None if there are none for these rules.

    Three bytes `GW1` and one that counts the planes; then for k = 1, 2, ... redeals left the chances of all shapes in
    their order, as little-endian floats of four bytes.
    """
    if rules.fixed_suits:
        return None
    planes = max(1, rules.redeals)
    shapes = sorted(tuple(reversed(shape)) for shape in combinations_with_replacement(range(13), 4))
    chances = [value.p for k in range(1, planes + 1) for shape in shapes if (value := lookup(rules, shape, k))]
    return b"GW1" + bytes([planes]) + pack(f"<{len(chances)}f", *chances)


def lookup(rules: Rules, shape: Sequence[int], k: int) -> Value | None:
    """The chance to win with k redeals left, the next about to be made on these run lengths; None if nobody knows."""
    if k <= 0:
        return Value(0.0, 0.0)
    if rules.fixed_suits:
        return None
    once = _once(rules.redeal_gaps, tuple(sorted(shape, reverse=True)))
    return Value(1 - (1 - once) * (1 - _NEXT) ** (k - 1), None)


def is_provisional(rules: Rules) -> bool:
    """Whether the values for these rules are guesses between a few measured shapes."""
    return True


@lru_cache(maxsize=4096)
def _once(redeal_gaps: str, shape: tuple[int, ...]) -> float:
    """The mean of the measured shapes, each weighted by the inverse square of its distance."""
    total = weights = 0.0
    for known, random, after_run in _MEASURED:
        percent = random if redeal_gaps == "random" else after_run
        if percent is None:
            continue
        distance = sum((ours - theirs) ** 2 for ours, theirs in zip(shape, known, strict=True))
        if not distance:
            return percent / 100
        total += percent / 100 / distance
        weights += 1 / distance
    return total / weights
