"""What others have counted of Aces Up, and what was measured before this program was written: facts, with sources."""

from __future__ import annotations

from typing import NamedTuple

from rates import Count

MASTEN = ("must-fill", 0.1157)
"""Masten: a solver for a game in which spaces must be filled. Over how many deals is not told."""

MATSSSON = ("last-empty", Count(234_035, 1_000_000))
"""matssson: 23.404 % +-0.165 at 99.99 %, perfect play."""

MATSSSON_SCORES = {48: 234_035, 47: 127_732, 46: 83_047, 45: 60_254, 44: 72_394, 43: 51_782}
"""Best scores of the same deals, as far as they are told."""
MATSSSON_WORST = 6

RESEARCH_OPEN = {
    "standard": Count(2_334 + 3_128, 9_897 + 13_394),
    "must-fill": Count(13_225 + 11_420, 113_321 + 100_000),
    "must-fill-any": Count(13_621 + 11_770, 113_321 + 100_000),
    "last-empty": Count(6_070 + 4_059, 25_909 + 17_437),
    "any-empty": Count(2_363, 9_897),
    "free": Count(1_004, 2_083),
    "aces-only": Count(1_380, 100_000),
    "russian": Count(39_756, 59_604),
    "five-piles": Count(100_000, 100_000),
    "firing-squad": Count(4_779, 4_786, undecided=6),
}
"""The research before this program, on decks of its own; wins from rates of three or four digits. Two samples added."""


class Played(NamedTuple):
    """What a player had: percent won of so many games, and the mean score."""

    percent: float
    n: int
    mean: float | None = None

    @property
    def count(self) -> Count:
        """The wins, as far as the percent tell them."""
        return Count(round(self.n * self.percent / 100), self.n)


def _lists(dialect: str, figures: dict[str, tuple[float, float | None]]) -> dict[str, Played]:
    return {f"rules:{rules}{dialect}": Played(percent, 400_000, mean) for rules, (percent, mean) in figures.items()}


RESEARCH_LISTS = {
    **_lists(
        "",
        {
            "10,100,4,200": (1.683, 36.82),
            "10,2,100,4,200": (1.682, 36.82),
            "10,100,4,1000": (1.679, 36.80),
            "100,4,200": (1.676, 36.81),
            "100,1,1000": (1.567, 36.76),
            "100,200": (1.557, 36.79),
            "2,10,4,100,200": (1.553, 36.65),
            "100,400": (1.124, 36.67),
            "2,1,10,100,1000": (0.910, 36.39),
            "4,1000": (0.809, 36.09),
            "1,1000": (0.713, 36.06),
            "200": (0.676, 36.06),
            "400": (0.631, 36.02),
            "1000": (0.629, 35.97),
            "3,300": (0.571, 36.00),
            "300": (0.537, 35.96),
            "4": (0.414, None),
            "1": (0.382, None),
        },
    ),
    **_lists(
        "@documented",
        {
            "10,2,4,200": (1.500, 36.58),
            "10,4,1000": (1.358, 36.45),
            "10,4,200": (1.340, 36.50),
            "2,1,10,1000": (0.897, 36.29),
            "400": (0.834, 36.11),
            "200": (0.652, 36.06),
            "300": (0.373, 35.86),
            "5": (0.349, None),
        },
    ),
}
"""Rule lists in `standard`; where no mean is told they move aces only."""

RESEARCH_PLAYERS = {
    "rollout:60": Played(100 * 1_795 / 60_057, 60_057, 37.45),
    "rollout:300": Played(3.24, 2_627),
    "weights": Played(100 * 5_865 / 200_000, 200_000, 37.90),
    "rollout:60;base=weights": Played(2.86, 22_203),
    "rollout:200;base=weights": Played(3.17, 6_181),
}
"""Other players in `standard`; `weights` with the weights that came with the figure."""

RESEARCH_ANY = {"classic": Count(552, 12_000), "documented": Count(435, 12_000)}
"""Decks that at least one of all reduced lists wins."""

JWNORMAN = ("last-empty", "rules:1,1000", Count(28_228, 4_000_000))
"""jwnorman: 0.7057 % of 4 million."""

PEER_LISTS = {
    "rules:2,1,20,100,300,1000": Count(4_614, 500_000),
    "rules:2,1,10,100,1000": Count(9_172, 1_000_000),
    "rules:2,1,10,100,300,1000": Count(4_510, 500_000),
    "rules:2,1,100,20,1000": Count(4_503, 500_000),
    "rules:2,1,100,10,1000": Count(8_987, 1_000_000),
    "rules:2,1,10,100,400,1000": Count(4_445, 500_000),
    "rules:2,1,20,100,400,1000": Count(4_399, 500_000),
    "rules:2,3,10,100,300,1000": Count(4_101, 500_000),
    "rules:2,3,20,100,400,1000": Count(4_001, 500_000),
    "rules:2,3,20,300,1000": Count(3_914, 500_000),
    "rules:1,2,10,20,100,1000": Count(7_821, 1_000_000),
    "rules:1,10,20,100,1000": Count(3_877, 500_000),
    "rules:1,10,1000": Count(3_847, 500_000),
    "rules:1,2,10,20,100,200,1000": Count(3_845, 500_000),
    "rules:1,2,10,100,300,1000": Count(3_810, 500_000),
    "rules:1,2,20,100,300,1000": Count(3_784, 500_000),
    "rules:1,2,3,4,10,20,100,200,300,400,1000": Count(3_777, 500_000),
    "rules:1,2,10,100,400,1000": Count(3_748, 500_000),
    "rules:1,2,20,100,400,1000": Count(3_672, 500_000),
    "rules:1,1000": Count(7_178, 1_000_000),
    "rules:3,2,20,100,300,1000": Count(3_311, 500_000),
    "rules:3,2,10,100,300,1000": Count(3_192, 500_000),
    "rules:3,2,20,300,1000": Count(3_174, 500_000),
}
"""henrikenquist/aces-up, the table of its README, a new deck for each game."""
