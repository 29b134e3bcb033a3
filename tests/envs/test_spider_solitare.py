"""SpiderSolitare-v0: the recorded episodes, actions and ends, arguments, and Gymnasium's own demands."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import unshuffle as un
from tests.envs.solitare import ID, Table, episode, episodes, layout, make, numbers, random_actions, same, valid

# The reference.


@pytest.mark.parametrize("reward", ["score", "delta"])
@pytest.mark.parametrize("name", [found["name"] for found in episodes()])
def test_the_reference_is_met_in_every_field(name: str, reward: str) -> None:
    expected = episode(name)
    env = gym.make(
        ID,
        num_suits=expected["num_suits"],
        strict_hand=expected["strict_hand"],
        max_episode_steps=expected["max_episode_steps"],
        reward=reward,
    )
    _, info = env.reset(options={"deal": "Deck: " + expected["deck"]})
    assert valid(info) == expected["initial_valid"]
    assert info["score"] == expected["initial_score"]
    before = info["score"]
    count = len(expected["actions"])
    for number, action in enumerate(expected["actions"]):
        was_valid = valid(info)
        observation, given, terminated, truncated, info = env.step(action)
        assert type(given) is float
        assert given == expected["rewards"][number] - (before if reward == "delta" else 0)
        before = expected["rewards"][number]
        assert info["score"] == before
        assert info["num_moves"] == expected["num_moves"][number]
        assert info["completed"] == expected["completed"][number]
        assert valid(info) == expected["valid_after"][number]
        assert info["invalid"] == (action not in was_valid)
        assert info["won"] == (info["completed"] == 8)
        is_last = number == count - 1
        assert (terminated, truncated) == (
            (expected["terminated"], expected["truncated"]) if is_last else (False, False)
        )
    piles = [pile.split() for pile in expected["final_piles"]]
    shown = [[[0, 0, 0] if text[0] == "[" else numbers(un.Card.parse(text)) for text in pile] for pile in piles]
    assert [observation["piles"][f"pile_{number}"].tolist() for number in range(1, 11)] == shown
    assert [card.tolist() for card in observation["hand"]] == [
        numbers(un.Card.parse(text)) for text in expected["final_hand"].split()
    ]
    assert observation["bank"].shape == (expected["final_bank"], 3)


def test_the_deals_of_the_recorded_episodes_are_those_of_the_generator_python() -> None:
    for found in episodes()[:10]:
        name = f"{found['num_suits']}-suit{'s' * (found['num_suits'] > 1)}"
        dealt = un.game("spider", name).deal("python:" + found["name"].rsplit("-", 1)[1])
        assert dealt == un.game("spider", name).parse("Deck: " + found["deck"])


# Actions.


@pytest.mark.parametrize("num_suits", [1, 2, 4])
@pytest.mark.parametrize("strict_hand", [False, True])
def test_the_mask_is_what_the_rules_allow(num_suits: int, strict_hand: bool) -> None:
    """Law: on all tables of random play, valid actions, numbers and ends are those of the rules."""
    env = make(num_suits=num_suits, strict_hand=strict_hand)
    steps = ended = 0
    for seed in range(300 if strict_hand else 3):
        _, info = env.reset(seed=seed)
        table = Table(env._present)
        for action, (_, reward, terminated, truncated, info) in random_actions(env, seed, 600):
            table.act(action)
            steps += 1
            assert valid(info) == table.valid(strict_hand)
            assert env.action_masks().dtype == bool
            assert (env.action_masks() == info["action_mask"]).all()
            assert info["action_mask"].dtype == np.int8
            assert reward == info["score"] == table.state.score
            assert info["num_moves"] == table.state.moves
            assert info["completed"] == len(table.state.completed)
            assert not truncated
            assert not info["invalid"]
            over = not valid(info) if strict_hand else not table.held and table.state.outcome is not None
            assert terminated == over
            ended += terminated
    assert steps > 800
    assert ended > 200 or not strict_hand


def test_an_invalid_action_ends_the_episode_and_changes_nothing() -> None:
    env = make()
    observation, info = env.reset(seed=5)
    for action in range(21):
        if action in valid(info):
            continue
        after, reward, terminated, truncated, told = env.step(action)
        assert (reward, terminated, truncated) == (0.0, True, False)
        assert same(after, observation)
        assert told.pop("invalid") is True
        assert same(told, {key: value for key, value in info.items() if key != "invalid"})


@pytest.mark.parametrize("action", [21, -1, 3.5, "1", None, np.array([1])])
def test_what_is_no_action_is_an_error(action: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"is not an action; actions are 0\.\.20"):
        env.step(action)


@pytest.mark.parametrize("action", [np.int64(1), np.array(1), np.uint8(1)])
def test_numpy_numbers_are_actions(action: Any) -> None:
    env = make()
    env.reset(seed=1)
    assert env.step(action)[0]["pickup_pile_index"] == 1


def test_a_step_needs_a_reset() -> None:
    env = make(render_mode="ansi")
    for method in (lambda: env.step(0), env.render, env.action_masks):
        with pytest.raises(gym.error.ResetNeeded):
            method()


def test_put_back_is_no_move() -> None:
    env = make(num_suits=1)
    start, info = env.reset(seed=2)
    observation, reward, terminated, _, told = env.step(4)
    assert not same(observation, start)
    assert 14 in valid(told)
    observation, reward, terminated, _, told = env.step(14)
    assert (reward, terminated) == (0.0, False)
    assert same(observation, start)
    assert same(told, info)


def test_put_back_of_several_cards_after_moves() -> None:
    env = make(num_suits=1)
    _, info = env.reset(options={"deal": "Deck: " + episode("hidden-king-1s")["deck"]})
    for action in episode("hidden-king-1s")["actions"][:22]:
        before, _, _, _, info = env.step(action)
    for held in range(1, 13):
        observation, reward, terminated, _, told = env.step(1)
        assert len(observation["hand"]) == held
        assert [int(card[0]) for card in observation["hand"]] == list(range(1, held + 1))
        assert (reward, terminated, told["score"], told["num_moves"]) == (121.0, False, 121, 11)
    # The next card is a king that lies face down: it does not follow, and is not turned.
    assert observation["piles"]["pile_1"][-1].tolist() == [0, 0, 0]
    assert 1 not in valid(told)
    observation, *_, told = env.step(11)
    assert same(observation, before)
    assert same(told, info)


def test_a_strict_hand_cannot_put_back() -> None:
    env = make(strict_hand=True)
    _, info = env.reset(options={"deal": "spider/4-suits@python:0"})
    _, reward, terminated, _, info = env.step(6)
    assert valid(info) == []
    assert (reward, terminated, info["invalid"], info["won"]) == (0.0, True, False, False)


def test_the_hand_goes_to_an_empty_pile_and_a_whole_pile_may() -> None:
    won_but_one = layout({1: "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", 3: "AS"}, "S S S S S S S", moves=100)
    env = make(num_suits=1)
    _, info = env.reset(options={"deal": won_but_one})
    assert (info["num_moves"], info["completed"]) == (100, 7)
    for _ in range(12):
        observation, *_, info = env.step(1)
    assert observation["piles"]["pile_1"].shape == (0, 3)
    assert valid(info) == [11, 12, *range(14, 21)]
    _, reward, *_, info = env.step(15)
    # All turned, all piles cleared, eleven joins, seven runs, less the moves.
    assert (reward, info["num_moves"]) == (440 + 150 + 22 + 350 - 101, 101)
    env.step(3)
    _, reward, terminated, _, info = env.step(15)
    assert (reward, terminated, info["won"]) == (990.0 - 102, True, True)
    assert not info["action_mask"].any()
