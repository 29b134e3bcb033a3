"""Several policies on the same deals: the pairs recounted by hand, and what the store saves from being played again."""

from __future__ import annotations

from array import array
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.simulate.higher import Higher
from tests.store.making import finish_games
from unshuffle.simulate import Luck, Pair, Player, Tournament, TournamentInterrupted, play_tournament
from unshuffle.simulate.stored import _overlap, _ranges
from unshuffle.store import Owner, Store

pytestmark = pytest.mark.one_engine("plays a game that the native engine does not know")

HIGHER = Higher()
PAIRED = ("random", "greedy", "random:seed=1")


@cache
def is_won(policy: str, seed: int) -> bool:
    """Whether the policy wins the deal when it plays nothing else."""
    return un.simulate(HIGHER, policy, [seed])[0].won


def recounted(a: str, b: str, seeds: range) -> Pair:
    """The pair, game by game and in plain words."""
    counts = {"both": 0, "only_a": 0, "only_b": 0, "neither": 0}
    for seed in seeds:
        won_a, won_b = is_won(a, seed), is_won(b, seed)
        if won_a and won_b:
            counts["both"] += 1
        elif won_a:
            counts["only_a"] += 1
        elif won_b:
            counts["only_b"] += 1
        else:
            counts["neither"] += 1
    return Pair(a, b, **counts)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def stored(store: Store, policies: tuple[Any, ...], seeds: range, game: Any = HIGHER, **options: Any) -> Tournament:
    return play_tournament(game, policies, seeds, store=store, **options)


def columns(tournament: Tournament) -> list[tuple[array[int], bytes]]:
    return [games.packed for games in tournament.simulations]


@pytest.mark.parametrize("kept", [False, True])
def test_pairs_are_those_counted_by_hand(store: Store, kept: bool) -> None:
    # Higher is won often enough, by all of them, that every cell of the table is met.
    seeds = range(100, 250)
    tournament = play_tournament(HIGHER, PAIRED, seeds, store=store if kept else None)
    assert tournament.pairs() == [
        recounted(a, b, seeds)
        for a, b in (("random", "greedy"), ("random", "random:seed=1"), ("greedy", "random:seed=1"))
    ]
    assert all(min(pair.both, pair.only_a, pair.only_b) > 0 for pair in tournament.pairs())
    assert columns(tournament) == [un.simulate(HIGHER, policy, seeds).packed for policy in PAIRED]
    assert [games.policy for games in tournament.simulations] == list(PAIRED)
    assert len(tournament) == 150


def test_of_many_policies_each_is_compared_with_the_first() -> None:
    policies = [f"random:seed={seed}" for seed in range(1, 6)]
    for count, pairs in ((2, 1), (3, 3), (4, 6), (5, 4)):
        found = play_tournament(HIGHER, policies[:count], range(4)).pairs()
        assert len(found) == pairs
        if count == 5:
            assert {pair.a for pair in found} == {policies[0]}
            assert [pair.b for pair in found] == policies[1:]


class Counting(un.Policy):
    """It counts its games, and can be told to break off in the middle of one."""

    def __init__(self, name: str = "counting", stop_after: int | None = None) -> None:
        self.name = name
        self.games = 0
        self.stop_after = stop_after

    def player(self, luck: Luck) -> Player:
        if self.games == self.stop_after:
            raise KeyboardInterrupt
        self.games += 1
        return lambda view, moves: moves[luck.below(len(moves))]


def test_what_is_stored_is_not_played_again(store: Store) -> None:
    first = Counting()
    stored(store, (first, "random"), range(50))
    assert first.games == 50
    wider = Counting()
    tournament = stored(store, (wider, "greedy"), range(10, 80))
    assert wider.games == 30
    fresh = play_tournament(HIGHER, (Counting(), "greedy"), range(10, 80))
    assert columns(tournament) == columns(fresh)
    assert tournament.pairs() == fresh.pairs()
    narrow = stored(store, (Counting(stop_after=0), "random"), range(20, 30))
    assert columns(narrow) == columns(play_tournament(HIGHER, (Counting(), "random"), range(20, 30)))


def test_another_generator_is_another_study(store: Store) -> None:
    stored(store, ("random", "greedy"), range(1, 5))
    with pytest.raises(un.UsageError, match="generator"):
        stored(store, ("random", "greedy"), range(1, 5), generator="python")
    assert len(stored(store, ("random", "greedy"), range(1, 5), generator="python", study="other")) == 4


@pytest.mark.parametrize("stop_after", [0, 5, 100, 200])
def test_ctrl_c_keeps_what_was_played_and_it_goes_on_from_there(store: Store, stop_after: int) -> None:
    slow = Counting(stop_after=stop_after)
    with pytest.raises(TournamentInterrupted) as caught:
        stored(store, (slow, "random"), range(300))
    kept = caught.value.tournament
    common = len(kept)
    assert slow.games == stop_after
    assert common <= stop_after
    if common:
        assert columns(kept) == columns(play_tournament(HIGHER, (Counting(), "random"), range(common)))
    [run, _] = store.runs("tournament-higher-plain")
    # Only whole blocks are kept, and the first block is one game.
    done = sum(last - first + 1 for first, last in store.seeds_done(run))
    assert min(1, stop_after) <= done <= stop_after
    [batch] = store.batches("tournament-higher-plain")
    assert (batch.state, batch.games) == ("interrupted", 2 * common)
    rest = Counting()
    whole = stored(store, (rest, "random"), range(300))
    assert rest.games == 300 - done
    assert columns(whole) == columns(play_tournament(HIGHER, (Counting(), "random"), range(300)))
    assert store.batches("tournament-higher-plain")[1].state == "finished"


def test_deals_that_another_process_has_claimed_are_left_to_it(store: Store) -> None:
    stored(store, ("random",), range(10))
    [run] = store.runs("tournament-higher-plain")
    run = store.add_run("tournament-higher-plain", replace(run, last_seed=39))
    other = Owner()
    ours = Counting("random")
    try:
        assert store.claim(run, str(other), 10) == (10, 19)
        tournament = stored(store, (ours, "greedy"), range(40))
    finally:
        other.close()
    assert len(tournament) == 30
    assert ours.games == 20
    assert [record.deal for record in tournament.simulations[0]][9:11] == ["higher/plain@9", "higher/plain@20"]
    assert columns(tournament)[0] == un.simulate(HIGHER, "random", [*range(10), *range(20, 40)]).packed


def test_work_that_another_process_took_over_counts_once(store: Store) -> None:
    class Sleepy(Counting):
        """While it plays its sixth game, another process takes its work over and ends it."""

        def player(self, luck: Luck) -> Player:
            if self.games == 5:
                [run] = store.runs("tournament-higher-plain")
                [owner] = store.claimed(run)
                store.release(owner)
                # Pieces are as large as time allows; what is claimed begins where the last of them ended.
                begin = max((last + 1 for _, last in store.seeds_done(run)), default=0)
                scores, won = un.simulate(HIGHER, Counting(), range(begin, begin + 30)).packed
                finish_games(store, run, begin, scores, list(won), "other", replayed=30)
            return super().player(luck)

    tournament = stored(store, (Sleepy(),), range(50))
    assert columns(tournament) == columns(play_tournament(HIGHER, (Counting(),), range(50)))
    [run] = store.runs("tournament-higher-plain")
    assert store.summary(run).n == 50


def test_progress_counts_the_games_that_are_missing(store: Store) -> None:
    seen: list[tuple[int, int]] = []
    stored(store, ("random",), range(20))
    stored(store, ("random", "greedy"), range(100), progress=lambda *now: seen.append(now))
    assert seen[-1] == (180, 180)
    assert seen == sorted(set(seen))
    assert {games for _, games in seen} == {180}
    seen.clear()
    play_tournament(HIGHER, ("random", "greedy"), range(5), progress=lambda *now: seen.append(now))
    assert (seen[-1], seen) == ((10, 10), sorted(set(seen)))


@pytest.mark.parametrize(
    ("policies", "seeds", "message"),
    [
        ((), range(3), "needs policies"),
        (("random", "random:seed=0"), range(3), "'random' is given twice"),
        (("random", "gredy"), range(3), "did you mean 'greedy'"),
        (("random", "greedy"), range(0, 9, 2), "without gaps"),
        (("random", "greedy"), range(0), "without gaps"),
        (("random", "greedy"), range(2**63, 2**63 + 3), "0..2\\^63-1"),
    ],
)
def test_wrong_requests(store: Store, policies: tuple[str, ...], seeds: range, message: str) -> None:
    with pytest.raises(un.UsageError, match=message):
        stored(store, policies, seeds)
    assert store.studies() == []


pieces = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=6)


@given(asked=pieces, done=pieces)
def test_what_is_common_is_what_is_in_both(asked: list[tuple[int, int]], done: list[tuple[int, int]]) -> None:
    def places(parts: list[tuple[int, int]]) -> list[int]:
        return sorted({place for begin, count in parts for place in range(begin, begin + count)})

    ranges, present = list(_ranges(places(asked))), list(_ranges(places(done)))
    found = list(_overlap(ranges, [(each[0], each[-1]) for each in present]))
    assert [place for each in found for place in each] == sorted(set(places(asked)) & set(places(done)))
