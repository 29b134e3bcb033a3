"""Tournaments of lists of rules: played together they are what each plays alone, and the store gives all of it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.laws import effort
from unshuffle.deals import Source
from unshuffle.simulate import Simulation, Tournament, TournamentInterrupted, plan_tournament, play_tournament
from unshuffle.solve import has_twin
from unshuffle.store import Store

pytestmark = pytest.mark.both_engines

FIVE = un.game("aces-up", "five-piles")
"""Lists of aces alone win some of its deals, all others nearly every one."""
LISTS = ("rules:1", "rules:2", "rules:2,10", "rules:10,5", "rules:4,300@documented")


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def facts(games: Simulation) -> tuple[Any, ...]:
    """All that is kept of a simulation."""
    return (games.policy, *games.packed, games.packed_moves, games.rule_counts, games.won_rule_counts)


def alone(numbers: Any, game: Any = FIVE, policies: tuple[str, ...] = LISTS, **options: Any) -> list[tuple[Any, ...]]:
    return [facts(un.simulate(game, policy, numbers, **options)) for policy in policies]


def together(tournament: Tournament) -> list[tuple[Any, ...]]:
    return [facts(games) for games in tournament.simulations]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_lists_play_together_as_they_play_alone(store: Store, kept: bool, threads: int) -> None:
    seeds = range(100, 100 + effort(FIVE, 50, 12))
    tournament = play_tournament(FIVE, LISTS, seeds, store=store if kept else None, threads=threads)
    assert together(tournament) == alone(seeds)
    wins = [games.wins for games in tournament.simulations]
    assert 0 == min(wins) < max(wins)
    assert all(games.rule_counts for games in tournament.simulations)
    assert [bool(games.won_rule_counts) for games in tournament.simulations] == [won > 0 for won in wins]
    assert len(tournament.seconds) == len(LISTS)
    assert min(tournament.seconds) > 0


@pytest.mark.parametrize("seeds", [range(40), range(10, 30), range(5, 6), range(20, 90)])
def test_rule_counts_are_those_of_the_deals_that_are_asked_for(store: Store, seeds: range) -> None:
    # The store has them for whole pieces; here pieces are cut in the middle.
    play_tournament(FIVE, LISTS[:3], range(40), store=store)
    play_tournament(FIVE, LISTS[:1], range(40, 50), store=store)
    assert together(play_tournament(FIVE, LISTS[:3], seeds, store=store)) == alone(seeds, policies=LISTS[:3])


def test_provenance_is_stored(store: Store) -> None:
    lucie = un.game("belle-lucie")
    last = effort(lucie, 40, 12)
    play_tournament(lucie, ("random", "greedy"), range(1, last + 1), store=store, generator="ms")
    runs = store.runs("tournament-belle-lucie-one-deal")
    assert [run.method for run in runs] == ["policy:random", "policy:greedy"]
    for run in runs:
        assert (run.game, run.variant, run.information, run.generator) == ("belle-lucie", "one-deal", "hidden", "ms")
        assert run.rules["fan_size"] == "3"
        assert (run.first_seed, run.last_seed, run.package_version) == (1, last, un.__version__)
        summary = store.summary(run)
        assert (summary.n, summary.undecided) == (last, 0)
    greedy = un.simulate(lucie, "greedy", range(1, last + 1), generator="ms")
    assert store.scores(runs[1]) == greedy.score_counts
    assert store.summary(runs[1]).won == greedy.wins
    # Of games that the engine has played and nobody has won, the first is replayed.
    assert store.summary(runs[0]).replayed == (1 if has_twin(lucie) else last)
    assert 0 < store.summary(runs[1]).replayed <= last


def test_stored_games_take_no_time(store: Store) -> None:
    play_tournament(FIVE, LISTS, range(20), store=store)
    assert play_tournament(FIVE, LISTS, range(20), store=store).seconds == (0.0,) * len(LISTS)


def test_every_list_is_replayed_at_least_once(store: Store) -> None:
    play_tournament(FIVE, LISTS, range(30), store=store)
    for run in store.runs("tournament-aces-up-five-piles"):
        summary = store.summary(run)
        assert summary.n == 30
        assert 1 <= summary.replayed <= 30
        if not has_twin(FIVE):
            assert summary.replayed == 30


def test_what_is_missing_is_told_and_nothing_is_stored_for_it(store: Store) -> None:
    planned = plan_tournament(store, FIVE, LISTS[:2], range(30))
    assert planned.count_missing() == [30, 30]
    assert planned.estimate(1, trial=0.01) > 0
    assert store.studies() == []
    play_tournament(FIVE, LISTS[:1], range(20), store=store)
    assert planned.count_missing() == [10, 30]
    planned.play()
    assert planned.count_missing() == [0, 0]
    assert planned.estimate(1, trial=0.01) == 0


def test_what_was_asked_for_is_kept_with_the_results(store: Store) -> None:
    play_tournament(FIVE, ["rules:1,20", "rules:3"], range(10), store=store)
    [batch] = store.batches("tournament-aces-up-five-piles")
    wins = sum(games.wins for games in play_tournament(FIVE, ["rules:1,20", "rules:3"], range(10)).simulations)
    assert (batch.game, batch.variant, batch.state) == ("aces-up", "five-piles", "finished")
    assert (batch.games, batch.wins) == (20, wins)
    assert dict(batch.settings) == {"generator": "unshuffle", "seeds": "0..9"}
    assert [(entry.policy, strategy.reduced) for entry, strategy in store.entries(batch)] == [
        ("rules:1,20", "1,20"),
        ("rules:3", "3"),
    ]


# Decks by their ids.


def decks_of(seeds: range) -> list[Any]:
    return [FIVE.deck(Source(seed)) for seed in seeds]


def test_decks_of_the_store_are_played_by_their_ids(store: Store) -> None:
    ids = store.add_decks("aces-up", decks_of(range(8)))
    asked = [ids[6], ids[1], ids[2], ids[4], ids[1]]
    tournament = play_tournament(FIVE, LISTS, decks=asked, store=store)
    seeds = [1, 2, 4, 6]
    assert together(tournament) == alone(seeds)
    assert [tournament.simulations[0].deal_name(place) for place in range(4)] == [f"deck {ids[seed]}" for seed in seeds]
    # The same decks are there now; others beside them are played.
    more = play_tournament(FIVE, LISTS, decks=ids, store=store)
    assert together(more) == alone(range(8))
    [run, *_] = store.runs("tournament-aces-up-five-piles-decks")
    assert (run.generator, store.summary(run).n) == ("deck", 8)


def test_a_deck_that_is_not_there_is_an_error_that_names_it(store: Store) -> None:
    ids = store.add_decks("aces-up", decks_of(range(3)))
    with pytest.raises(un.UsageError, match=f"no deck {ids[-1] + 5}, {ids[-1] + 7} of aces-up"):
        play_tournament(FIVE, LISTS, decks=[ids[0], ids[-1] + 5, ids[-1] + 7], store=store)
    assert store.studies() == []


def test_the_chance_of_a_stored_deck_hangs_on_its_id_alone(store: Store) -> None:
    ids = store.add_decks("aces-up", decks_of(range(12)))
    whole = play_tournament(FIVE, ["random"], decks=ids, store=store, study="whole").simulations[0]
    part = play_tournament(FIVE, ["random"], decks=ids[5:9], store=store, study="part").simulations[0]
    assert part.packed[0] == whole.packed[0][5:9]
    assert part.packed_moves == whole.packed_moves[5:9]  # type: ignore[index] # Aces Up counts them


def test_states_without_a_store() -> None:
    states = [FIVE.deal(seed) for seed in (3, 9)]
    assert together(play_tournament(FIVE, LISTS, states=states)) == alone([3, 9])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "one of the three"),
        ({"seeds": range(3), "decks": [1]}, "one of the three"),
        ({"decks": [1]}, "none is given"),
    ],
)
def test_wrong_requests(options: dict[str, Any], message: str) -> None:
    with pytest.raises(un.UsageError, match=message):
        play_tournament(FIVE, LISTS, **options)


def test_a_list_that_cannot_play_is_refused(store: Store) -> None:
    with pytest.raises(un.UsageError, match="rules:1 may find no card"):
        play_tournament(un.game("aces-up", "must-fill"), ["rules:1"], range(3), store=store)
    assert store.studies() == []


def test_ctrl_c_keeps_the_blocks_that_all_lists_have_played(store: Store) -> None:
    def stop(done: int, games: int) -> None:
        if done > 40:
            raise KeyboardInterrupt

    with pytest.raises(TournamentInterrupted) as caught:
        play_tournament(FIVE, LISTS, range(500), store=store, progress=stop)
    kept = caught.value.tournament
    assert 0 < len(kept) < 500
    assert together(kept) == alone(range(len(kept)))
    with pytest.raises(TournamentInterrupted) as again:
        play_tournament(FIVE, LISTS, range(500), progress=stop)
    assert 0 < len(again.value.tournament) < 500
    assert together(again.value.tournament) == alone(range(len(again.value.tournament)))
