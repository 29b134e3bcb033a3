"""Groups, races and lists that play alike, against versions too plain to be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.simulate.higher import Higher
from unshuffle.simulate import Policy, Tournament, TournamentInterrupted, play_tournament, policy_of
from unshuffle.study import race as racing
from unshuffle.study.race import run_race
from unshuffle.study.ranking import (
    deals_by_winners,
    find_alike,
    find_behind,
    mcnemar_p_values,
    rank_in_groups,
    wins_of,
    won_by_any,
)
from unshuffle.study.statistics import holm, mcnemar, wilson

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")


def tables(seed: int) -> tuple[Any, Any]:
    """Wins and scores of a few players of different strength, on deals of different hardness."""
    rng = np.random.default_rng(seed)
    players, deals = int(rng.integers(1, 9)), int(rng.integers(0, 300))
    strength = rng.choice([0.1, 0.3, 0.5, 0.9], players)
    hardness = rng.random(deals)
    won = rng.random((players, deals)) * 0.7 + 0.3 * hardness < strength[:, None]
    least, greatest = ((0, 4), (-2000, 991), (-900, -4))[seed % 3]
    return won, [rng.integers(least, greatest, deals).astype(np.int16) for _ in range(players)]


def plain_p(won: Any, a: int, b: int) -> float:
    pairs = list(zip(won[a].tolist(), won[b].tolist(), strict=True))
    only_a, only_b = pairs.count((True, False)), pairs.count((False, True))
    return mcnemar(only_a, only_b, pairs.count((True, True)), pairs.count((False, False))).p


def plain_groups(won: Any, scores: Any) -> list[tuple[int, tuple[int, ...]]]:
    """The groups, step by step as the specification has them."""
    half = won.shape[1] // 2
    left = list(range(len(won)))
    groups = []
    while left:
        reference = max(left, key=lambda each: (sum(won[each, :half]), sum(map(int, scores[each][:half])), -each))
        others = [each for each in left if each != reference]
        corrected = holm([plain_p(won[:, half:], reference, other) for other in others])
        rejected = [other for other, p in zip(others, corrected, strict=True) if p <= 0.05]
        groups.append((reference, tuple(each for each in left if each not in rejected)))
        left = rejected
    return groups


@given(seed=st.integers(0, 10**9))
def test_groups_are_those_of_the_plain_procedure(seed: int) -> None:
    won, scores = tables(seed)
    found = rank_in_groups(won, scores)
    assert [(group.reference, group.members) for group in found] == plain_groups(won, scores)
    assert sorted(place for group in found for place in group.members) == list(range(len(won)))


def test_tables_of_the_law_above_have_several_groups() -> None:
    assert {len(rank_in_groups(*tables(seed))) for seed in range(60)} >= {1, 2, 3}


def test_the_reference_is_chosen_on_the_first_half_and_tested_on_the_second() -> None:
    won = np.zeros((2, 200), dtype=np.bool_)
    won[0, :10] = True
    won[1, 100:] = True
    scores = [np.zeros(200, dtype=np.int16)] * 2
    [first, second] = rank_in_groups(won, scores)
    assert (first.reference, first.members, second.members) == (0, (0,), (1,))
    # What happens in the first half alone tells nobody apart.
    assert [group.members for group in rank_in_groups(won[:, :120], scores)] == [(0,), (1,)]
    won[1, 100:] = False
    assert [group.members for group in rank_in_groups(won, scores)] == [(0, 1)]


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=30))
def test_many_tests_at_once_are_the_same_tests(counts: list[tuple[int, int]]) -> None:
    only_a, only_b = (np.array(each, dtype=np.intp) for each in zip(*counts, strict=True))
    expected = [mcnemar(a, b, 3, 4).p for a, b in counts]
    assert mcnemar_p_values(only_a, only_b).tolist() == pytest.approx(expected, rel=1e-12)


@given(seed=st.integers(0, 10**9))
def test_who_is_behind_in_a_race(seed: int) -> None:
    won, _ = tables(seed)
    wins = [sum(row) for row in won]
    leader = wins.index(max(wins))
    others = [place for place in range(len(won)) if place != leader]
    corrected = holm([plain_p(won, leader, other) for other in others])
    assert find_behind(won) == [other for other, p in zip(others, corrected, strict=True) if p <= 0.001]


def test_equal_columns_are_found() -> None:
    assert find_alike([b"ab", b"b", b"ab", b"c", b"b"]) == [(0, 2), (1, 4), (3,)]
    assert find_alike([]) == []


def test_deals_by_their_winners() -> None:
    won = np.array([[1, 1, 0, 0, 1], [0, 1, 0, 0, 1], [0, 1, 0, 0, 0]], dtype=np.bool_)
    assert deals_by_winners(won) == {0: 2, 1: 1, 2: 1, 3: 1}
    rate = won_by_any(won)
    assert (rate.won, rate.n, rate.interval) == (3, 5, wilson(3, 5))
    assert deals_by_winners(won[:, :0]) == {}


class Strong(Policy):
    """Wins a game of Higher about as often as `share` says, by turning nothing after a bad start."""

    def __init__(self, share: int) -> None:
        self.name = f"strong:{share}"
        self._share = share

    def player(self, luck: un.simulate.Luck) -> un.simulate.Player:  # type: ignore[name-defined]
        plays = luck.below(100) < self._share
        return lambda view, moves: moves[0] if plays else None


def test_a_race_drops_who_is_far_behind_and_keeps_what_each_has_played() -> None:
    game = Higher()
    policies = [Strong(100), Strong(0), Strong(99)]
    asked: list[tuple[int, int]] = []

    def play(racing: Sequence[Policy], deals: int) -> Tournament:
        asked.append((len(racing), deals))
        return play_tournament(game, list(racing), range(deals))

    ended = run_race(play, policies, 300, first_block=100)
    assert asked == [(3, 100), (2, 200), (2, 300)]
    assert [len(games) for games in ended.simulations] == [300, 100, 300]
    assert [games.policy for games in ended.simulations] == [policy.name for policy in policies]
    assert not ended.is_interrupted
    assert ended.simulations[1].packed == un.simulate(game, Strong(0), range(100)).packed
    assert len(ended.seconds) == 3
    # Nobody is left to race against.
    asked.clear()
    run_race(play, policies[:2], 300, first_block=100)
    assert asked == [(2, 100)]


def test_a_race_that_is_interrupted_keeps_the_blocks_before() -> None:
    game = Higher()

    def play(racing: Sequence[Policy], deals: int) -> Tournament:
        tournament = play_tournament(game, list(racing), range(20 if deals > 100 else deals))
        if deals > 100:
            raise TournamentInterrupted(tournament)
        return tournament

    ended = run_race(play, [Strong(100), Strong(99)], 300, first_block=100)
    assert ended.is_interrupted
    assert [len(games) for games in ended.simulations] == [100, 100]


def test_the_table_of_wins() -> None:
    game = Higher()
    games = play_tournament(game, ["random", "greedy"], range(30)).simulations
    assert wins_of(games).tolist() == [each.won.tolist() for each in games]
    assert policy_of(game, "random").name == games[0].policy
    assert racing.FIRST_BLOCK == 1_000
