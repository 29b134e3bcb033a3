"""La Belle Lucie's players over whole games, redeals and all."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import EVERYONE, IS_LONG
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie.moves import Redeal
from unshuffle.games.belle_lucie.rules import lay_out
from unshuffle.simulate import Deals, Luck, play_block, play_game, play_tournament, policies, policy_of, run_policy
from unshuffle.solve import replay
from unshuffle.store import Store

pytestmark = pytest.mark.both_engines

CLASSIC = un.game("belle-lucie", "classic")
NAMES = ("greedy", "value", "thumb")
VARIANTS = ("classic", "merci", "three-shuffles-and-a-draw", "super-flower-garden", "one-deal", "fan")


def endgames(game: un.Game[Any, Any], count: int, most: int = 14) -> list[Any]:
    """Late tables whose redeals are known: to the rules, not to the players."""
    rng = Random(str(game))
    found: list[Any] = []
    while len(found) < count:
        heights = [rng.randint(7, 13) for _ in range(4)]
        left = [card for card in PACK if card.rank > heights[card.suit]]
        if most - 5 <= len(left) <= most:
            rng.shuffle(left)
            found.append(lay_out(game.rules, tuple(left)).view().sample(rng))
    return found


def test_their_names() -> None:
    assert {*EVERYONE, *NAMES} == set(policies(CLASSIC))
    for name in NAMES:
        assert policy_of(CLASSIC, f" {name}: ").name == name
        with pytest.raises(un.UsageError, match="takes no options"):
            policy_of(CLASSIC, f"{name}:seed=3")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", NAMES)
def test_whole_games_replay(variant: str, name: str) -> None:
    """Law: a game goes from deal to deal by the rules, and ends won or with no redeal left."""
    game = un.game("belle-lucie", variant)
    states = endgames(game, 6, 14 if game.rules.build == "suit" and variant != "fan" else 9)
    for state, record in zip(states, un.simulate(game, name, states=states), strict=True):
        line = replay(state, record.moves)
        assert (line.score, line.outcome is un.Outcome.WON) == (record.score, record.won)
        assert record.won or line.states[-1].redeals_left == 0


@pytest.mark.parametrize("name", NAMES)
def test_seeded_games_meet_the_same_redeals(name: str) -> None:
    for record in un.simulate(CLASSIC, name, range(4)):
        line = replay(un.deal(record.deal or ""), record.moves)
        assert (line.score, line.outcome is un.Outcome.WON) == (record.score, record.won)
        redeals = sum(isinstance(move, Redeal) for move in record.moves)
        assert record.won or redeals == 2


def test_a_player_never_sees_what_a_redeal_will_bring() -> None:
    """Law: up to the redeal, the same table is played the same way whatever the redeals will be."""
    rng = Random(5)
    for state in endgames(CLASSIC, 4):
        for name in NAMES:
            lines = set()
            for _ in range(3):
                other = state.view().sample(rng)
                moves = un.simulate(CLASSIC, name, states=[other])[0].moves
                end = moves.index(Redeal()) if Redeal() in moves else len(moves)
                lines.add(moves[:end])
            assert len(lines) == 1


@pytest.mark.one_engine("the games are the same on either engine")
def test_values_win_more_than_cards() -> None:
    """On the same games, which are fixed: the players differ, and better values show."""
    states = endgames(CLASSIC, 200)
    greedy, value, thumb = (un.simulate(CLASSIC, name, states=states).wins for name in NAMES)
    assert value > greedy
    assert thumb > greedy


def test_in_one_deal_all_three_bring_as_many_cards_up() -> None:
    game = un.game("belle-lucie", "one-deal")
    greedy, value, thumb = (un.simulate(game, name, states=endgames(game, 30)) for name in NAMES)
    assert greedy.packed == value.packed == thumb.packed


def test_most_cards_are_most_in_each_deal() -> None:
    alone = un.game("belle-lucie")
    for state in endgames(CLASSIC, 10):
        moves = un.simulate(CLASSIC, "greedy", states=[state])[0].moves
        place = moves.index(Redeal()) if Redeal() in moves else len(moves)
        best = un.solve(alone.parse(str(state.view().table)), maximize=True).score
        assert replay(state, moves[:place]).score == best


@pytest.mark.parametrize("name", NAMES)
def test_a_redeal_that_nobody_knows_is_wrong_usage(name: str) -> None:
    state = CLASSIC.parse("QC JC KC / TC")
    with pytest.raises(un.UsageError, match="redeal whose order is not known"):
        un.simulate(CLASSIC, name, states=[state])


def test_a_tournament_and_a_study_play_them(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        games = play_tournament(CLASSIC, NAMES, range(3), store=store)
    assert len(games) == 3
    scores, won = play_block(CLASSIC, "value", range(3))
    assert (scores, bytes(won)) == games.simulations[1].packed


def by_hand(game: un.Game[Any, Any], name: str, states: list[Any]) -> Iterator[Any]:
    policy = policy_of(game, name)
    for place, state in enumerate(states):
        yield play_game(policy, state, Luck(state.id or f"typed {place}"))


@pytest.mark.one_engine("compares the native engine with the Python rules")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", NAMES)
def test_the_engine_plays_the_same_games(variant: str, name: str) -> None:
    """Law: mass play in the engine and the player of one game make the same moves."""
    game = un.game("belle-lucie", variant)
    policy = policy_of(game, name)
    runs = [Deals(game, states=endgames(game, 20 if IS_LONG else 6, 10))]
    if game.rules.build == "suit" and not game.rules.kings_to_spaces:  # else a whole deal takes long to maximise
        runs.append(Deals(game, numbers=range(40 if IS_LONG else 6)))
    for deals in runs:
        one_by_one = list(by_hand(game, name, [deals.state(place) for place in range(len(deals))]))
        for threads in (1, 2):
            kept = list(policy.play_many(deals, threads=threads))
            assert [game_.moves for game_ in kept] == [game_.moves for game_ in one_by_one]
            mass = run_policy(deals, policy, threads=threads, replay_wins=0)
            scores = array("h", [each.score for each in one_by_one])
            assert mass.packed == (scores, bytes(each.won for each in one_by_one))
