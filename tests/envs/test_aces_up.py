"""AcesUp-v0: the numbers of its page, ends of games, and what has no room."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import unshuffle.envs  # noqa: F401 # it registers the environments
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.games.aces_up.envs import AcesUpEnv
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, ToReserve, ToSpace

pytestmark = pytest.mark.both_engines

NEARLY_WON = "Pile 1: AC AD\nPile 2: 2S AH\nPile 3: AS\nPile 4:\nStock: -\n"
"""The ace of hearts goes to the space, and the two is beaten."""
WINNING = 1 + 5 * 1 + 3


def make(**arguments: Any) -> AcesUpEnv:
    env = gym.make("unshuffle/AcesUp-v0", **arguments).unwrapped
    assert isinstance(env, AcesUpEnv)
    return env


def test_the_spaces_are_those_of_the_page() -> None:
    env = make()
    assert env.action_space == gym.spaces.Discrete(41)
    space = env.observation_space
    assert isinstance(space, gym.spaces.Dict)
    shapes = {name: (part.shape, int(part.high.max())) for name, part in space.items()}  # type: ignore[attr-defined]
    assert shapes == {
        "discarded": ((52,), 1),
        "height": ((5,), 13),
        "reserve": ((1,), 52),
        "stock": ((1,), 52),
        "tableau": ((5, 13), 52),
    }
    assert make(obs="flat").observation_space.shape == (124,)


def test_a_table_is_shown_as_it_lies() -> None:
    env = make(reserve=1, discards="optional")
    text = "Pile 1: AS 2H\nPile 2: KH\nPile 3:\nPile 4: KC\nReserve: QD\nStock: 3C 4C 5C 6C\n"
    observation, info = env.reset(options={"deal": text})
    # 13*(suit-1) + rank with the suits S H D C.
    assert observation["tableau"][:, :3].tolist() == [[1, 15, 0], [26, 0, 0], [0, 0, 0], [52, 0, 0], [0, 0, 0]]
    assert observation["height"].tolist() == [2, 1, 0, 1, 0]
    assert (observation["reserve"].tolist(), observation["stock"].tolist()) == ([38], [4])
    # AS, 2H, KH, QD, KC and four low clubs are in play.
    left = np.flatnonzero(observation["discarded"] == 0) + 1
    assert left.tolist() == [1, 15, 26, 38, 42, 43, 44, 45, 52]
    assert info["score"] == 43
    legal = {env.decode(action).token: action for action in np.flatnonzero(info["action_mask"]).tolist()}
    assert legal == {"d": 0, "1-3": 1 + 2, "1x": 26, "r-3": 36 + 2}


@pytest.mark.parametrize(
    ("action", "move"),
    [(0, Deal()), (1 + 5 * 2 + 3, ToSpace(3, 4)), (27, Discard(2)), (33, ToReserve(3)), (40, FromReserve(5))],
)
def test_the_numbers_of_actions_are_those_of_the_page(action: int, move: Any) -> None:
    steps = make().stepped
    state = steps.game.deal(1)
    assert (steps.move(state, action), steps.number(state, move)) == (move, action)


@pytest.mark.parametrize(("reward", "worth"), [("delta", 1), ("win", 1.0), ("shaped", 1 - 47 / 48)])
def test_a_win(reward: str, worth: float) -> None:
    env = make(reward=reward, gamma=0.5)
    env.reset(options={"deal": NEARLY_WON})
    observation, found, terminated, truncated, info = env.step(WINNING)
    assert found == pytest.approx(worth)
    assert (terminated, truncated, info["won"], info["score"], info["completed"]) == (True, False, True, 48, 4)
    assert observation["discarded"].sum() == 48
    # In a won game aces could be moved still; the episode is over, and so is the mask.
    assert env.state.legal_moves()
    assert not info["action_mask"].any()


def test_stuck_is_the_end() -> None:
    env = make(reward="shaped")
    env.reset(options={"deal": "Pile 1: 2D KC AH\nPile 2: KD AS\nPile 3: QD\nPile 4:\nStock: -\n"})
    potential = env._stepped.potential(env.state)
    _, reward, terminated, _, info = env.step(1 + 3)
    assert (terminated, info["won"], reward) == (True, False, -potential)


def test_what_has_no_room_is_refused() -> None:
    pile = " ".join(f"{rank}{suit}" for suit in "CD" for rank in "23456789TJQKA")
    with pytest.raises(UsageError, match="no deal leads to this position: pile 1 has 26 cards; it has at most 13"):
        make().reset(options={"deal": f"Pile 1: {pile}\nPile 2:\nPile 3:\nPile 4:\nStock: -\n"})


def test_an_illegal_action_says_why() -> None:
    env = make(on_invalid="raise")
    env.reset(seed=1)
    for action, reason in [(30, "there is no pile 5"), (26, "discards are no moves"), (31, "pile 1 is empty")]:
        with pytest.raises(IllegalMoveError, match=reason):
            env.step(action)
