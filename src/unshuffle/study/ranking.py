"""Rankings of many players on the same deals: which of them differ significantly, and which play alike.

Made for hundreds of players and a hundred thousand deals, hence numpy. Wins are a table, `won`, with a row for each
player and a column for each deal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unshuffle.simulate import Simulation
from unshuffle.study.statistics import Rate, holm

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Wins = NDArray[np.bool_]

LEVEL = 0.05
"""Players differ significantly if the adjusted p is at most this."""
RACE_LEVEL = 0.001
"""The level at which a race drops a player; strict, as the same deals are tested repeatedly."""


@dataclass(frozen=True, slots=True)
class Group:
    """Players that do not differ significantly from one of them, the reference."""

    reference: int
    """The best of the remaining players on the first half of the deals, with which the others were compared."""
    members: tuple[int, ...]
    """The reference and all players that do not differ significantly from it, in their original order."""


def rank_in_groups(won: Wins, scores: Sequence[NDArray[np.int16]], level: float = LEVEL) -> list[Group]:
    """Divide the players into groups, the best group first.

    The reference has won most of the first half of the deals (of equals, the one with the most points there). Each of
    the others is tested against it on the second half, so that nobody is chosen and tested on the same deals:
    McNemar's exact test, Holm-adjusted for the number of these tests. Players that do not differ from the reference
    join its group; the procedure is repeated for the others. With an odd number of deals the second half has one more.
    """
    import numpy as np

    half = won.shape[1] // 2
    # Points only break ties of wins: one win counts more than the largest difference of points.
    points = np.array([int(each[:half].sum(dtype=np.int64)) for each in scores], dtype=np.int64)
    points -= points.min(initial=0)
    merit = np.count_nonzero(won[:, :half], axis=1) * (int(points.max(initial=0)) + 1) + points
    tested = won[:, half:]
    wins = np.count_nonzero(tested, axis=1)
    groups: list[Group] = []
    left = np.arange(len(won))
    while len(left):
        reference = int(left[np.argmax(merit[left])])
        others = left[left != reference]
        rejected = _holm_rejects(_p_values(tested, wins, reference, others), level)
        groups.append(Group(reference, tuple(sorted([reference, *map(int, others[~rejected])]))))
        left = others[rejected]
    return groups


def find_behind(won: Wins, level: float = RACE_LEVEL) -> list[int]:
    """Return the players that are significantly behind the leader on these deals.

    The leader is chosen on the same deals, so this is good enough to drop players from a race, but is no valid test.
    """
    import numpy as np

    wins = np.count_nonzero(won, axis=1)
    leader = int(np.argmax(wins))
    others = np.array([place for place in range(len(won)) if place != leader], dtype=np.intp)
    return [int(place) for place in others[_holm_rejects(_p_values(won, wins, leader, others), level)]]


def mcnemar_p_values(only_a: NDArray[np.intp], only_b: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the p of McNemar's exact test for many pairs at once, equal to those of `mcnemar`."""
    import numpy as np
    from scipy.stats import binom

    p: NDArray[np.float64] = np.minimum(1.0, 2 * binom.cdf(np.minimum(only_a, only_b), only_a + only_b, 0.5))
    return p


def _p_values(won: Wins, wins: NDArray[np.intp], reference: int, others: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the p of each of the others against the reference; `wins` are the counts of all players."""
    import numpy as np

    both = np.count_nonzero(won[np.ix_(others, np.flatnonzero(won[reference]))], axis=1)
    return mcnemar_p_values(wins[reference] - both, wins[others] - both)


def _holm_rejects(p: NDArray[np.float64], level: float) -> NDArray[np.bool_]:
    import numpy as np

    return np.array([each <= level for each in holm(p.tolist())], dtype=np.bool_)


def find_alike(columns: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """Group the players whose results are equal on every deal, in the order of the first player of each group."""
    places: dict[Hashable, list[int]] = {}
    for place, column in enumerate(columns):
        places.setdefault(column, []).append(place)
    return [tuple(each) for each in places.values()]


def won_by_any(won: Wins) -> Rate:
    """Return the rate of deals that at least one player has won."""
    wins = int(won.any(axis=0).sum())
    return Rate(wins, won.shape[1] - wins)


def deals_by_winners(won: Wins) -> dict[int, int]:
    """Return how many deals were won by no player, by one, by two, ...: only numbers that occur."""
    import numpy as np

    counts = np.bincount(np.count_nonzero(won, axis=0)) if won.shape[1] else np.array([], dtype=np.intp)
    return {winners: int(deals) for winners, deals in enumerate(counts) if deals}


def wins_of(simulations: Sequence[Simulation]) -> Wins:
    """Return the table of wins of policies that played the same deals."""
    import numpy as np

    return np.stack([games.won for games in simulations])
