"""The peer's fourteen defects, each with our answer: docs/envs/spider-solitare.md has the table."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import pairwise
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import unshuffle as un
from tests.envs.solitare import episode, layout, make, random_actions, same, valid
from tests.laws import ROOT
from unshuffle.games.spider.envs.solitare import SpiderSolitareEnv


def play(name: str, **arguments: Any) -> list[tuple[float, dict[str, Any], dict[str, Any]]]:
    """Reward, observation and info of every step of a recorded episode."""
    found = episode(name)
    env = make(num_suits=found["num_suits"], strict_hand=found["strict_hand"], **arguments)
    env.reset(options={"deal": "Deck: " + found["deck"]})
    steps = []
    for action in found["actions"]:
        observation, reward, _, _, info = env.step(action)
        steps.append((reward, observation, info))
    return steps


def begin(text: str, num_suits: int = 1) -> tuple[SpiderSolitareEnv, dict[str, Any]]:
    env = make(num_suits=num_suits)
    _, info = env.reset(options={"deal": text})
    return env, info


def test_1_the_level_is_paid_by_default_and_the_change_on_request() -> None:
    """Idling pays a level again and again, and nothing at all under delta, whose sum is the final score."""
    idle = [1, 11] * 5
    for reward, expected in (("score", [158.0] * 10), ("delta", [0.0] * 10)):
        env = make(num_suits=1, reward=reward)
        env.reset(options={"deal": "Deck: " + episode("deal-completes-1s")["deck"]})
        for action in episode("deal-completes-1s")["actions"]:
            env.step(action)
        assert [env.step(action)[1] for action in idle] == expected
    for name in ("beam-win-1s-100", "put-back-walk-4s"):
        assert sum(reward for reward, *_ in play(name, reward="delta")) == episode(name)["rewards"][-1]
    page = (ROOT / "docs" / "envs" / "spider-solitare.md").read_text(encoding="utf-8")
    assert "**This is a level: it pays for idling.**" in page
    assert '**Learners want `reward="delta"`.**' in page


def test_2_piles_without_a_face_down_card_earn_fifteen() -> None:
    # One card is left face down, in pile 2; it stays. Then the pile is cleared.
    piles = {1: "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", 3: "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", 4: "AS"}
    _, covered = begin(layout(piles | {2: "[2S] AS"}, "S S S S S S"))
    assert covered["score"] == 10 * 43 + 15 * 9 + 2 * (11 + 10) + 50 * 6
    _, cleared = begin(layout(piles | {2: "2S", 5: "AS"}, "S S S S S S"))
    assert cleared["score"] - covered["score"] == 10 + 15


def test_3_joins_descend_and_are_of_one_suit() -> None:
    def score(third: str, fourth: str) -> int:
        piles = {1: "KS QS JS TS 9S 8S 7S 6S", 2: "KH QH JH TH 9H 8H 7H 6H", 3: third, 4: fourth}
        return int(begin(layout(piles, "S S S H H H"), num_suits=2)[1]["score"])

    # All turned, all piles cleared, six runs, and the joins of the first two piles.
    rest = 440 + 150 + 300 + 2 * 14
    # Ascending, and descending in two suits by turns: no join.
    assert score("AS 2S 3S 4S 5S", "AH 2H 3H 4H 5H") == rest
    assert score("5S 4H 3S 2H AS", "5H 4S 3H 2S AH") == rest
    # Descending in suit: one for each pair.
    assert score("5S 4S 3S 2S AS", "5H 4H 3H 2H AH") == rest + 2 * 8


def test_4_there_is_no_late_bonus_and_a_won_game_scores_990_less_its_moves() -> None:
    for name in ("beam-win-1s-100", "beam-win-1s-102", "beam-win-1s-104"):
        steps = play(name)
        reward, _, info = steps[-1]
        assert info["won"]
        assert reward == 990 - info["num_moves"]
        # Nor before the win: a run that completes pays 26, less the move, and what it joins, turns or clears.
        for (before, _, was), (after, _, now) in pairwise(steps):
            if now["completed"] > was["completed"] >= 6:
                assert after - before in {25 + 2 * joins + more for joins in (0, 1) for more in (0, 10, 20, 25, 35)}


def test_5_a_row_is_one_move() -> None:
    env = make()
    env.reset(seed=1)
    for count in range(1, 6):
        observation, *_, info = env.step(0)
        assert info["num_moves"] == observation["num_moves"] == count


def test_6_a_run_through_a_face_down_card_is_not_complete() -> None:
    steps = play("hidden-king-1s")
    # After eleven moves queen to ace lie on a king, which is face down.
    assert steps[21][2]["completed"] == 0
    assert len(steps[21][1]["piles"]["pile_1"]) > 13
    # The queen is brought to a king that lies face up.
    assert steps[34][2]["completed"] == 1


def test_7_after_an_invalid_action_nothing_shows_that_did_not_before() -> None:
    env = make()
    before, _ = env.reset(seed=9)
    after, _, terminated, _, info = env.step(12)
    assert terminated
    assert info["invalid"]
    assert same(after, before)
    assert not after["bank"].any()
    assert all(not pile[:-1].any() for pile in after["piles"].values())


def test_8_only_its_own_generator_is_used() -> None:
    ours, numpys = random.getstate(), np.random.get_state(legacy=False)
    env = make(render_mode="rgb_array")
    env.reset(seed=3)
    for _ in random_actions(env, 3, 60):
        env.render()
    assert random.getstate() == ours
    assert str(np.random.get_state(legacy=False)) == str(numpys)
    # And the seed is heeded, whatever the others are at.
    random.seed(1)
    np.random.seed(1)
    first, _ = env.reset(seed=3)
    random.seed(2)
    np.random.seed(2)
    assert same(first, env.reset(seed=3)[0])
    assert not same(first, env.reset(seed=4)[0])


def test_9_every_pick_up_has_a_way_on_unless_the_hand_is_strict() -> None:
    dead = {False: 0, True: 0}
    for strict_hand in dead:
        env = make(strict_hand=strict_hand)
        for seed in range(20):
            for pile in range(1, 11):
                env.reset(seed=seed)
                *_, terminated, _, info = env.step(pile)
                assert terminated == (not valid(info))
                dead[strict_hand] += terminated
    assert dead[False] == 0
    # Half of all first pick-ups, as the page says.
    assert 80 < dead[True] < 120


def test_10_nothing_is_printed_and_render_returns(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "system", refuse)
    for mode, kind in ((None, type(None)), ("ansi", str), ("rgb_array", np.ndarray)):
        env = make(render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)
        for _ in random_actions(env, 1, 30):
            assert isinstance(env.render(), kind)
        env.close()
    assert capfd.readouterr() == ("", "")


def test_11_counts_stay_in_their_spaces_and_info_is_exact() -> None:
    text = str(un.game("spider", "1-suit").deal(4)).replace("Moves: 0", "Moves: 2000")
    env = make(num_suits=1)
    observation, info = env.reset(options={"deal": text})
    assert (observation["num_moves"], observation["score"]) == (599, -999)
    assert (info["num_moves"], info["score"]) == (2000, -2000)
    assert observation in env.observation_space


def test_12_it_offers_nothing_that_does_not_work() -> None:
    public = {name for name in dir(SpiderSolitareEnv) if not name.startswith("_")}
    assert public - set(dir(gym.Env)) == {"action_masks"}


def test_13_it_draws_without_pygame_and_has_masks() -> None:
    code = (
        "import sys; sys.modules['pygame'] = None\n"
        "import gymnasium, unshuffle.envs\n"
        "env = gymnasium.make('unshuffle/SpiderSolitare-v0', render_mode='rgb_array')\n"
        "_, info = env.reset(seed=0)\n"
        "assert env.render().shape == (480, 640, 3)\n"
        "assert (env.get_wrapper_attr('action_masks')() == info['action_mask']).all()\n"
        "env.step(env.action_space.sample(info['action_mask']))\n"
    )
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_14_every_deal_is_seeded_by_its_number() -> None:
    """Seed 0 is a seed, and environments side by side do not share their luck."""
    envs = gym.make_vec("unshuffle/SpiderSolitare-v0", num_envs=3, vectorization_mode="sync")
    assert isinstance(envs, gym.vector.SyncVectorEnv)
    envs.reset(seed=0)
    states = [env.unwrapped._present for env in envs.envs]  # type: ignore[attr-defined]
    assert len(set(states)) == 3
    for seed, state in enumerate(states):
        env = make()
        env.reset(seed=seed)
        assert env._present == state
