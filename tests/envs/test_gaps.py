"""Gaps-v0: what is its own. `test_contract` holds it to what all games have in common."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

import unshuffle as un
import unshuffle.envs  # it registers the environments
from tests.envs.comparing import assert_same
from unshuffle.cards import Card
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import Outcome
from unshuffle.games.gaps.moves import Redeal, ToGap
from unshuffle.games.gaps.rules import State

pytestmark = pytest.mark.both_engines

ID = "unshuffle/Gaps-v0"
COUNT = 3
NEARLY_WON = (
    "Redeals used: 3\n"
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --\n"
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --\n"
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --\n"
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS -- KS\n"
)
WINNING = 1 + 10
"""The king of spades goes right of the queen."""
# Every gap is right of a king or of a gap: only a redeal is left.
STUCK = (
    "3C 2C 5C 4C 7C 6C 9C 8C JC TC QC KC --\n"
    "3D 2D 5D 4D 7D 6D 9D 8D JD TD QD KD --\n"
    "3H 2H 5H 4H 7H 6H 9H 8H JH TH QH KH --\n"
    "3S 2S 5S 4S 7S 6S 9S 8S JS TS QS KS --\n"
)


def make(**arguments: Any) -> Any:
    return gym.make(ID, **arguments).unwrapped


def test_the_spaces_are_those_of_the_page() -> None:
    env = make()
    assert env.action_space == gym.spaces.Discrete(61)
    found = {name: (part.shape, int(part.high.max())) for name, part in env.observation_space.items()}
    assert found == {"cells": ((4, 13), 52), "locked": ((4,), 12), "redeals": ((1,), 99)}
    assert make(obs="flat").observation_space.shape == (57,)
    assert gym.spec(ID).max_episode_steps == 1000


def test_a_board_is_shown_as_it_lies() -> None:
    observation, info = make().reset(options={"deal": NEARLY_WON})
    # Spades 1..13, hearts 14..26, diamonds 27..39, clubs 40..52: the page says so.
    rows = [[*range(first + 1, first + 13), 0] for first in (40, 27, 14)]
    assert observation["cells"].tolist() == [*rows, [*range(2, 13), 0, 13]]
    assert observation["locked"].tolist() == [12, 12, 12, 11]
    assert observation["redeals"].tolist() == [0]
    assert (info["score"], info["completed"], info["num_moves"], info["deal"]) == (47, 3, 0, None)
    assert np.flatnonzero(info["action_mask"]).tolist() == [WINNING]


def test_the_numbers_of_actions_are_those_of_the_page() -> None:
    env = make(variant="spaces")
    env.reset(options={"deal": "gaps/spaces@3"})
    state: State = env.state
    assert env.decode(0) == Redeal()
    assert env.encode(Redeal()) == 0
    numbers = set()
    for card in un.game("gaps").pack:
        suit = "SHDC".index(card.suit.letter)
        if card.rank > 2:
            numbers.add(1 + 11 * suit + card.rank - 3)
        elif card.rank == 2:
            numbers |= {45 + 4 * suit + row for row in range(4)}
    assert numbers == set(range(1, 61))
    for move in state.card_moves():
        suit = "SHDC".index(move.card.suit.letter)
        number = 45 + 4 * suit + move.row - 1 if move.card.rank == 2 else 1 + 11 * suit + move.card.rank - 3
        assert env.encode(move) == number


def test_an_action_that_is_not_legal_says_why() -> None:
    env = make(on_invalid="raise")
    env.reset(options={"deal": NEARLY_WON})
    before = env.state
    for action, reason in (
        (0, "no redeal is left"),
        (1, "r4c2 is no gap: 3S stands there"),
        (45, "r1c1 is no gap: 2C stands there"),
    ):
        with pytest.raises(IllegalMoveError, match=reason):
            env.step(action)
    assert env.state == before
    env.reset(options={"deal": STUCK.replace("QS KS --", "KS -- QS")})
    with pytest.raises(IllegalMoveError, match="there is no such cell"):
        env.decode(WINNING)  # the queen stands in the last column
    with pytest.raises(IllegalMoveError, match="r1c2"):
        env.encode(ToGap(Card.parse("4C"), 1, 2))


@pytest.mark.parametrize(("reward", "worth"), [("delta", 1.0), ("win", 1.0), ("shaped", 1 - 47 / 48)])
def test_a_win(reward: str, worth: float) -> None:
    env = make(reward=reward)
    env.reset(options={"deal": NEARLY_WON})
    _, found, terminated, truncated, info = env.step(WINNING)
    assert found == worth
    assert (terminated, truncated, info["won"], info["completed"], info["score"]) == (True, False, True, 4, 48)
    assert not info["action_mask"].any()


def test_where_no_card_can_move_the_redeal_is_left_or_the_game_is_over() -> None:
    env = make()
    _, info = env.reset(seed=1, options={"deal": STUCK})
    assert np.flatnonzero(info["action_mask"]).tolist() == [0]
    observation, _, _, _, info = env.step(0)
    assert observation["redeals"].tolist() == [2]
    with pytest.raises(UsageError, match="this game is over: it is stuck"):
        env.reset(options={"deal": "Redeals used: 3\n" + STUCK})
    assert env.state.outcome is None
    # Without early redeals they come last, with them at any time.
    for variant, early in (("addiction", False), ("addiction-early", True)):
        _, info = make(variant=variant).reset(seed=2)
        assert info["action_mask"].sum() > 1
        assert bool(info["action_mask"][0]) is early


def test_a_game_may_end_stuck_after_its_redeals() -> None:
    env = make(variant="addiction")
    _, info = env.reset(seed=8)
    redeals = 0
    for _ in range(2000):
        action = int(np.flatnonzero(info["action_mask"])[-1])
        redeals += action == 0
        _, _, terminated, _, info = env.step(action)
        if terminated:
            break
    assert (redeals, env.state.outcome) == (3, Outcome.STUCK)
    assert not info["action_mask"].any()


def test_redeals_are_those_of_the_deal_or_drawn() -> None:
    env = make()
    env.reset(seed=4, options={"deal": "gaps/addiction@17"})
    assert env.state.redeals == un.deal("gaps/addiction@17").redeals
    # A typed board: one number is drawn, and redeal k has the order of its deck k.
    env.reset(seed=4, options={"deal": STUCK})
    rng, _ = gym.utils.seeding.np_random(4)
    decks = un.game("gaps").decks(int(rng.integers(2**63)))
    drawn = tuple(next(decks) for _ in range(3))
    assert env.state.redeals == drawn
    # What is typed stays, and what is used is not dealt again.
    typed = " ".join(map(str, un.game("gaps").pack))
    env.reset(seed=4, options={"deal": f"Redeals used: 1\nRedeal 1: {typed}\n{STUCK}"})
    assert env.state.redeals == (un.game("gaps").pack, drawn[2])
    # A game whose redeals are all known draws nothing.
    env.reset(seed=4, options={"deal": NEARLY_WON})
    assert env.reset()[1]["deal"] == f"gaps/addiction@{gym.utils.seeding.np_random(4)[0].integers(2**63)}"


def test_the_batch_draws_redeals_as_single_environments_do() -> None:
    native = gym.make_vec(ID, num_envs=COUNT)
    sync = SyncVectorEnv([lambda: gym.make(ID)] * COUNT)
    for env in (native, sync):
        env.reset(seed=6, options={"deal": STUCK})
    for _ in range(3):
        left, right = (env.step(np.zeros(COUNT, np.int64)) for env in (native, sync))
        for one, other in zip(left, right, strict=True):
            assert_same(one, other)
    assert len({cells.tobytes() for cells in left[0]["cells"]}) == COUNT


def test_pictures_show_the_board() -> None:
    env = make(render_mode="ansi")
    env.reset(options={"deal": NEARLY_WON})
    text = env.render()
    assert "[K♠]" in text
    assert "Deal 4 of 4, locked: 47" in text
    env = make(render_mode="rgb_array")
    env.reset(options={"deal": NEARLY_WON})
    before = env.render()
    assert (before.shape, before.dtype) == ((480, 640, 3), np.uint8)
    env.step(WINNING)
    changed = np.argwhere((env.render() != before).any(axis=2))
    # The last row, and the words below.
    assert changed[:, 0].min() >= 26 + 3 * 106


def test_rules_are_arguments_and_every_wrong_one_is_named() -> None:
    _, info = make(variant="montana", redeals=5).reset(seed=1)
    assert info["deal"].startswith("gaps/montana+redeals=5@")
    assert un.deal(info["deal"]).redeals_left == 5
    with pytest.raises(ValueError, match="redeals=100") as caught:
        gym.make(ID, redeals=100, redeal_gaps="here", obs="box")
    assert "redeal_gaps=here is not allowed" in str(caught.value)
    assert "obs='box' is not allowed" in str(caught.value)
    with pytest.raises(ValueError, match="unknown variant of gaps 'montanna'"):
        gym.make(ID, variant="montanna")


def test_of_an_unknown_variant_no_rule_is_blamed_that_another_variant_has() -> None:
    """Free 2s do not go with the redeals of the usual variant, but with those of some."""
    with pytest.raises(ValueError, match="twos_locked=no require early_redeal=yes"):
        gym.make("unshuffle/Gaps-v0", twos_locked=False)
    with pytest.raises(ValueError, match="unknown variant of gaps 'montanna'") as caught:
        gym.make("unshuffle/Gaps-v0", variant="montanna", twos_locked=False)
    assert "twos_locked" not in str(caught.value)
    with pytest.raises(ValueError, match=r"variant=3 is not allowed.*; redeals=100 is not allowed"):
        gym.make("unshuffle/Gaps-v0", variant=3, twos_locked=False, redeals=100)
