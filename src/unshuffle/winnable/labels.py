"""The cuts between easy, medium and hard. They were measured for every named variant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any, NamedTuple

from unshuffle.game import AnyGame


class Difficulty(StrEnum):
    """The difficulty of a winnable deal among the winnable deals of its variant."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Cuts(NamedTuple):
    """The bounds of the labels on the measure; each bound belongs to the label that it names."""

    hard: float
    """A deal that at most this share of the panel's games wins is hard."""
    easy: float
    """A deal that at least this share wins is easy."""

    def label(self, value: float) -> Difficulty:
        """Return the label of a measure."""
        if value >= self.easy:
            return Difficulty.EASY
        return Difficulty.HARD if value <= self.hard else Difficulty.MEDIUM

    def can_be(self, difficulty: Difficulty, games: int) -> bool:
        """Return whether any number of wins in `games` games gives this label."""
        return any(self.label(wins / games) is difficulty for wins in range(games + 1))


THIRDS = Cuts(1 / 3, 2 / 3)
"""The cuts of rules that were not measured."""


@cache
def _measured() -> dict[str, Any]:
    text = (files("unshuffle.winnable") / "data" / "cuts.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["cuts"]
    return found


def has_cuts(game: AnyGame) -> bool:
    """Return whether the cuts of these rules were measured."""
    return str(game) in _measured()


def cuts_of(game: AnyGame) -> Cuts:
    """Return the measured cuts of these rules, or else thirds of the scale."""
    if not has_cuts(game):
        return THIRDS
    row = _measured()[str(game)]
    return Cuts(row["hard"], row["easy"])


def fit(values: Sequence[float]) -> Cuts:
    """Return the cuts that divide these measures most nearly into thirds, by least squares; of ties the lowest.

    Equal measures get the same label, so the parts may be far from equal. With one value only, return THIRDS.
    """
    levels = sorted(set(values))
    if len(levels) < 2:
        return THIRDS

    def unevenness(cuts: Cuts) -> float:
        hard = sum(value <= cuts.hard for value in values) / len(values)
        easy = sum(value >= cuts.easy for value in values) / len(values)
        return float(sum((part - 1 / 3) ** 2 for part in (hard, 1 - hard - easy, easy)))

    return min((Cuts(*pair) for pair in combinations(levels, 2)), key=lambda cuts: (round(unevenness(cuts), 9), cuts))
