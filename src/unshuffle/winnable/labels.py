"""Easy, medium and hard: where the measure is cut. The cuts were measured for every named variant."""

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
    """How hard a winnable deal is, among the winnable deals of its variant."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Cuts(NamedTuple):
    """Where the measure is cut; both ends belong to what they name."""

    hard: float
    """This share of the panel's games, or less, is hard."""
    easy: float
    """This share or more is easy."""

    def label(self, value: float) -> Difficulty:
        """The label of a measure."""
        if value >= self.easy:
            return Difficulty.EASY
        return Difficulty.HARD if value <= self.hard else Difficulty.MEDIUM

    def can_be(self, difficulty: Difficulty, games: int) -> bool:
        """Whether so many games can come to this label at all."""
        return any(self.label(wins / games) is difficulty for wins in range(games + 1))


THIRDS = Cuts(1 / 3, 2 / 3)
"""For rules of which nobody has measured how the shares spread."""


@cache
def _measured() -> dict[str, Any]:
    text = (files("unshuffle.winnable") / "data" / "cuts.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["cuts"]
    return found


def has_cuts(game: AnyGame) -> bool:
    """Whether the cuts of these rules were measured."""
    return str(game) in _measured()


def cuts_of(game: AnyGame) -> Cuts:
    """The cuts of these rules: measured ones, else thirds of the scale."""
    if not has_cuts(game):
        return THIRDS
    row = _measured()[str(game)]
    return Cuts(row["hard"], row["easy"])


def fit(values: Sequence[float]) -> Cuts:
    """The cuts that come nearest to three equal parts of these measures, by least squares; of equals the lower ones.

    Equal measures cannot be cut apart, so the parts may be far from equal; with one value only there is nothing to cut.
    """
    levels = sorted(set(values))
    if len(levels) < 2:
        return THIRDS

    def unevenness(cuts: Cuts) -> float:
        hard = sum(value <= cuts.hard for value in values) / len(values)
        easy = sum(value >= cuts.easy for value in values) / len(values)
        return float(sum((part - 1 / 3) ** 2 for part in (hard, 1 - hard - easy, easy)))

    return min((Cuts(*pair) for pair in combinations(levels, 2)), key=lambda cuts: (round(unevenness(cuts), 9), cuts))
