"""The measure of difficulty: shares of games that anyone can play again, and labels that follow from them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import ROOT, every_game
from unshuffle.engine import describe_engine
from unshuffle.errors import UsageError
from unshuffle.simulate import Luck, play_game, policy_of
from unshuffle.winnable import Cuts, Difficulty, Panel, Seat, Slipping, cuts_of, has_cuts, name_measure, panel_of
from unshuffle.winnable.labels import THIRDS, fit
from unshuffle.winnable.panels import count_games

SMALL = un.game("belle-lucie", fan_size=2)
ACES = un.game("aces-up")

shares = st.lists(st.integers(0, 20).map(lambda wins: wins / 20), min_size=1, max_size=60)


@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_game_k_of_a_seat_is_the_game_of_the_policy_with_seed_k() -> None:
    """So whoever doubts a measure can play its games by `simulate`."""
    state = ACES.deal(15)
    measured = Panel(ACES, [Seat("rollout:3", 6), Seat("rules:2,1,10")]).measure(state)
    policies = [*(f"rollout:3;seed={seed}" for seed in range(6)), "rules:2,1,10"]
    assert measured.won == tuple(bool(un.simulate(ACES, policy, [15]).wins) for policy in policies)


@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_a_measure_is_the_same_every_time_and_on_any_number_of_threads() -> None:
    state = SMALL.deal(3)
    first, again, other = (
        Panel(SMALL, [Seat("greedy", 4, slips=5)]).measure(state, threads=threads) for threads in (1, 1, 2)
    )
    assert first == again == other
    assert 0 <= first.value <= 1
    assert first.wins == sum(first.won)


@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_the_first_win_can_be_replayed() -> None:
    state = SMALL.deal(8)
    measured = Panel(SMALL, [Seat("random"), Seat("greedy")]).measure(state)
    record = measured.first_win()
    assert measured.won == (False, True)
    assert record is not None
    assert record.policy == "greedy"
    assert un.replay(state, record.moves).outcome is un.Outcome.WON
    assert Panel(SMALL, [Seat("random")]).measure(state).first_win() is None


@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_who_never_slips_plays_as_the_other_and_who_always_slips_by_chance() -> None:
    state = SMALL.deal(8)
    greedy = policy_of(SMALL, "greedy")
    careful = play_game(Slipping(greedy, 1 << 60), state, Luck("x"))
    assert careful.moves == play_game(greedy, state, Luck("x")).moves
    wild = play_game(Slipping(greedy, 1), state, Luck("x"))
    luck = Luck("x")
    for move in wild.moves:
        luck.below(1)
        moves = state.legal_moves()
        assert move == moves[luck.below(len(moves))]
        state = state.play(move)


@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_slips_cost_wins_and_no_rule_is_broken_by_them() -> None:
    wins = [Panel(SMALL, [Seat("greedy", 8, slips)]).measure(SMALL.deal(8)).wins for slips in (1, 1000)]
    assert wins[0] < wins[1] == 8


def test_every_game_has_a_panel_that_can_play_all_its_variants() -> None:
    for game in every_game():
        if game.variant in un.games()[game.id] and game.has.policies:
            assert count_games(game) == sum(seat.games for seat in Panel(game).seats) >= 20


@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_a_panel_that_cannot_play_says_why() -> None:
    with pytest.raises(UsageError, match=r"the difficulty of gaps/basic cannot be measured: .*no redeal values"):
        Panel(un.game("gaps", "basic"), [Seat("value")])


def test_cuts_belong_to_what_they_name() -> None:
    cuts = Cuts(0.25, 0.5)
    labels = [cuts.label(wins / 8) for wins in range(9)]
    assert labels == [Difficulty.HARD] * 3 + [Difficulty.MEDIUM] + [Difficulty.EASY] * 5
    assert all(cuts.can_be(label, 8) for label in Difficulty)
    assert not cuts.can_be(Difficulty.MEDIUM, 4)


@given(values=shares)
def test_no_other_cuts_come_nearer_to_thirds(values: list[float]) -> None:
    found = fit(values)
    if len(set(values)) < 2:
        assert found == THIRDS
        return

    def unevenness(cuts: Cuts) -> float:
        labels = [cuts.label(value) for value in values]
        return sum((labels.count(label) / len(values) - 1 / 3) ** 2 for label in Difficulty)

    others = [Cuts(hard, easy) for hard in values for easy in values if hard < easy]
    assert found.hard < found.easy
    assert unevenness(found) <= min(map(unevenness, others)) + 1e-6


def test_the_stored_cuts_are_of_named_variants_and_fit_their_panels() -> None:
    stored = json.loads((ROOT / "src/unshuffle/winnable/data/cuts.json").read_text(encoding="utf-8"))["cuts"]
    assert stored
    for name, row in stored.items():
        game = un.game(*name.split("/"))
        assert str(game) == name
        assert has_cuts(game)
        games, cuts = count_games(game), cuts_of(game)
        for cut in cuts:
            assert abs(cut * games - round(cut * games)) < 1e-9 or cuts == THIRDS, name
        assert cuts.hard < cuts.easy
        assert sum(row["parts"].values()) == row["n"] >= 30
    assert {game for game in un.games() if has_cuts(un.game(game))} == {
        game for game in un.games() if un.game(game).has.policies
    }


def test_other_rules_are_cut_into_thirds_and_named_so() -> None:
    assert cuts_of(SMALL) == THIRDS
    assert not has_cuts(SMALL)
    assert name_measure(SMALL).endswith("; hard to 0.3333, easy from 0.6667")
    assert panel_of(SMALL) == un.game("belle-lucie").has.panel
    assert name_measure(un.game("spider")).startswith("panel-1: plan:1, .., plan:64; hard to ")


@pytest.mark.skipif(describe_engine() != "native", reason="64 games of Spider take minutes in Python")
@pytest.mark.one_engine("checks lists of deals, not the answers")
def test_a_panel_plays_typed_states_as_it_plays_deals() -> None:
    """The states of a deal that goes to the engine as text and those that it deals itself are the same game."""
    game = un.game("gaps", "addiction")
    seats = [Seat("max-locked:1000"), Seat("max-locked:2000")]
    for seed in range(6):
        won = Panel(game, seats).measure(game.deal(seed)).won
        assert won == tuple(bool(un.simulate(game, seat.policy, [seed]).wins) for seat in seats)
