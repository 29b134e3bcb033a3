"""Agnes-v0: the numbers of its page, ends of games, and rules that have no environment."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import unshuffle.envs  # noqa: F401 # it registers the environments
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.games.agnes.envs import AgnesEnv
from unshuffle.games.agnes.moves import Deal, ToFoundation, ToPile

pytestmark = pytest.mark.both_engines

EMPTY = "".join(f"{number}: -\n" for number in range(3, 8))
NEARLY_WON = f"Base: 7\nFoundations: 6C 6D 5S 5H\n1: 6S\n2: 6H\n{EMPTY}Stock: -\n"
RUN = f"Base: 2\nFoundations: AC AD JS TH\n1: KS QS\n2: [AS] JH\n3: AH KH QH\n{EMPTY[5:]}Stock: -\n"
"""Base 2, so the ace is high: KS QS is a run, and so is AH KH QH, round the king."""


def make(**arguments: Any) -> AgnesEnv:
    env = gym.make("unshuffle/Agnes-v0", **arguments).unwrapped
    assert isinstance(env, AgnesEnv)
    return env


def test_the_spaces_are_those_of_the_page() -> None:
    env = make()
    assert env.action_space == gym.spaces.Discrete(645)
    space = env.observation_space
    assert isinstance(space, gym.spaces.Dict)
    shapes = {name: (part.shape, int(part.high.max())) for name, part in space.items()}  # type: ignore[attr-defined]
    assert shapes == {
        "base": ((1,), 13),
        "face_down": ((7,), 6),
        "foundations": ((4,), 13),
        "height": ((7,), 51),
        "stock": ((1,), 23),
        "tableau": ((7, 51), 53),
    }
    assert make(obs="flat").observation_space.shape == (377,)


def test_a_table_is_shown_as_it_lies() -> None:
    env = make(move_to_empty_pile="any-run")
    observation, info = env.reset(options={"deal": RUN})
    assert observation["base"].tolist() == [2]
    # S H D C.
    assert observation["foundations"].tolist() == [10, 9, 13, 13]
    assert observation["face_down"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert observation["height"].tolist() == [2, 2, 3, 0, 0, 0, 0]
    assert observation["tableau"][:3, :4].tolist() == [[13, 12, 0, 0], [53, 24, 0, 0], [14, 26, 25, 0]]
    assert (info["score"], info["completed"]) == (45, 2)


def test_the_numbers_of_actions_are_those_of_the_page() -> None:
    env = make(move_to_empty_pile="any-run")
    _, info = env.reset(options={"deal": RUN})
    wanted = {
        1: ToFoundation(1),
        2: ToFoundation(2),
        8 + 7 * 1 + 2: ToPile(2, 3),  # JH onto QH
        8 + 7 * 0 + 3: ToPile(1, 4, 2),
        8 + 7 * 2 + 6: ToPile(3, 7, 3),
        57 + 84 * 0 + 12 * 3: ToPile(1, 4, 1),
        57 + 84 * 2 + 12 * 6 + 1: ToPile(3, 7, 2),
    }
    for action, move in wanted.items():
        assert (env.decode(action), env.encode(move)) == (move, action)
        assert info["action_mask"][action] == 1
    refused = {
        0: "stock is empty",
        8: "lie",
        57 + 84 * 0 + 12 * 3 + 1: "a split leaves a card of the run behind, and pile 1 has a run of 2",
        57 + 84 * 2 + 12 * 0: "a split goes to an empty pile, and pile 1 is not empty",
    }
    for action, reason in refused.items():
        with pytest.raises(IllegalMoveError, match=reason):
            env.decode(action)
    env.reset(seed=1)
    assert env.decode(0) == Deal()


def test_a_turned_card_is_shown() -> None:
    env = make()
    env.reset(options={"deal": RUN})
    observation = env.step(8 + 7 * 1 + 2)[0]
    assert observation["face_down"].tolist() == [0] * 7
    assert observation["tableau"][1, :2].tolist() == [1, 0]
    assert observation["tableau"][2, :5].tolist() == [14, 26, 25, 24, 0]


@pytest.mark.parametrize(("reward", "worth"), [("delta", 1), ("win", 1.0), ("shaped", 1 - 51 / 52)])
def test_a_win(reward: str, worth: float) -> None:
    env = make(reward=reward, gamma=0.5)
    env.reset(options={"deal": NEARLY_WON})
    assert env.step(2)[2] is False
    observation, found, terminated, truncated, info = env.step(1)
    assert found == pytest.approx(worth)
    assert (terminated, truncated, info["won"], info["score"], info["completed"]) == (True, False, True, 52, 4)
    assert observation["foundations"].tolist() == [13] * 4
    assert not observation["tableau"].any()
    assert not info["action_mask"].any()


def test_small_games_have_no_environment() -> None:
    for make_it in (make, lambda **rules: gym.make_vec("unshuffle/Agnes-v0", num_envs=2, **rules)):
        with pytest.raises(UsageError, match="the environment of agnes is for ranks=13 and piles=7"):
            make_it(ranks=5, piles=4)


def test_a_deal_fits_where_it_lays_the_same_table() -> None:
    env = make(variant="up-suit-none")
    assert env.reset(options={"deal": "agnes/up-color-anyrun@7"})[1]["deal"] == "agnes/up-suit-none@7"
    with pytest.raises(UsageError, match="does not fit: this environment plays agnes/up-suit-none"):
        env.reset(options={"deal": "agnes/down-suit-none@7"})
    assert np.count_nonzero(env.action_masks())
