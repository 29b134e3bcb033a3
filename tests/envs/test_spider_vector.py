"""Many Spiders in one call, beside SyncVectorEnv over as many single ones."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import partial
from itertools import cycle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from tests.envs.comparing import assert_same, some_action
from tests.envs.spiders import ID, NEARLY_WON, WINNING
from tests.laws import IS_LONG
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.games.spider.envs import SpiderVectorEnv

pytestmark = pytest.mark.both_engines

COUNT = 5
MODES = list(AutoresetMode)
ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"num_suits": 1, "reward": "shaped", "gamma": 0.9, "on_invalid": "terminate"},
    {"num_suits": 2, "obs": "flat", "reward": "win", "deal_on_empty": False},
    {"obs": "flat", "mask_in_obs": True, "on_invalid": "terminate"},
    {"mask_in_obs": True, "reward": "shaped"},
]


def batch(**arguments: Any) -> SpiderVectorEnv:
    made = gym.make_vec(ID, num_envs=COUNT, **arguments).unwrapped
    assert isinstance(made, SpiderVectorEnv)
    return made


def one_by_one(mode: AutoresetMode, **arguments: Any) -> SyncVectorEnv[Any, Any]:
    return SyncVectorEnv([partial(gym.make, ID, **arguments)] * COUNT, autoreset_mode=mode)


def some_actions(rng: np.random.Generator, info: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([some_action(rng, mask) for mask in info["action_mask"]])


@pytest.mark.parametrize(
    ("mode", "arguments"),
    [(mode, each) for mode in MODES for each in ARGUMENTS] if IS_LONG else list(zip(cycle(MODES), ARGUMENTS)),
    ids=str,
)
def test_the_batch_returns_what_single_environments_return(mode: AutoresetMode, arguments: dict[str, Any]) -> None:
    """Law: equal seeds and actions give equal arrays, rewards, ends, masks and infos, across all resets."""
    native = batch(autoreset_mode=mode, max_episode_steps=9, **arguments)
    sync, rng, ended = one_by_one(mode, max_episode_steps=9, **arguments), np.random.default_rng(7), 0
    assert native.observation_space == sync.observation_space
    assert native.action_space == sync.action_space
    assert native.metadata["autoreset_mode"] is mode
    one, other = native.reset(seed=11), sync.reset(seed=11)
    assert_same(one[0], other[0])
    assert_same(one[1], other[1])
    info = one[1]
    for _ in range(40):
        actions = some_actions(rng, info)
        left, right = native.step(actions), sync.step(actions)
        for place in range(5):
            assert_same(left[place], right[place], f"value {place}")
        assert left[0] in native.observation_space
        info, done = left[4], left[2] | left[3]
        ended += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            with pytest.raises(gym.error.ResetNeeded, match=f"environments \\[{np.flatnonzero(done)[0]}"):
                native.step(actions)
            one, other = (env.reset(options={"reset_mask": done.copy()}) for env in (native, sync))
            assert_same(one[0], other[0])
            assert_same(one[1], other[1])
            info = {"action_mask": native.action_masks()}
    assert ended >= 15


def test_winning_ends_and_begins_anew_as_with_single_environments() -> None:
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        native, sync = batch(autoreset_mode=mode), one_by_one(mode)
        for env in (native, sync):
            env.reset(seed=1, options={"deal": NEARLY_WON})
        for actions in ([WINNING, 3, WINNING, 0, 1], [0] * COUNT, [1] * COUNT):
            left, right = native.step(np.array(actions)), sync.step(np.array(actions))
            for one, other in zip(left, right, strict=True):
                assert_same(one, other)
            if actions[0] == WINNING:
                assert left[2].tolist() == [True, False, True, False, False]


def test_the_default_mode_and_what_make_vec_passes_on() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = batch()
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    other = batch(autoreset_mode="SameStep")
    assert other.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert "autoreset_mode" not in gym.make(ID).metadata
    # 500 steps are the registered limit; -1 is none.
    env.reset(seed=1)
    other = batch(max_episode_steps=-1)
    other.reset(seed=1)
    noops = np.ones(COUNT, np.int64)
    for _ in range(500):
        truncated, never = env.step(noops)[3], other.step(noops)[3]
    assert truncated.all()
    assert not never.any()


def test_sampled_actions_are_legal_and_repeatable() -> None:
    env = batch(num_suits=1, max_episode_steps=30)
    lines = []
    for _ in range(2):
        _, info = env.reset(seed=4)
        line = []
        for _ in range(70):
            actions = env.sample_actions()
            ended = ~info["action_mask"].any(axis=1)
            assert (info["action_mask"][np.arange(COUNT), actions] == 1)[~ended].all()
            line.append(actions.tolist())
            info = env.step(actions)[4]
            assert not info["invalid"].any()
        lines.append(line)
    assert lines[0] == lines[1]
    assert len({tuple(actions) for actions in lines[0]}) > 30


def test_every_legal_action_is_sampled_equally_often() -> None:
    env = batch()
    _, info = env.reset(seed=9)
    drawn = np.array([env.sample_actions() for _ in range(4000)])
    for place, mask in enumerate(info["action_mask"]):
        counts = np.bincount(drawn[:, place], minlength=211)
        legal = np.flatnonzero(mask)
        assert counts[legal].sum() == 4000
        expected = 4000 / len(legal)
        assert (abs(counts[legal] - expected) < 6 * expected**0.5).all()


def test_arrays_are_new_unless_two_are_reused() -> None:
    for copied in (True, False):
        env = batch(copy=copied, obs="flat")
        first, _ = env.reset(seed=2)
        kept = first.copy()
        second, *_ = env.step(np.zeros(COUNT, np.int64))
        # The last ones are never written to.
        assert_same(first, kept)
        third, *_ = env.step(np.zeros(COUNT, np.int64))
        assert not np.shares_memory(first, second)
        assert np.shares_memory(first, third) is not copied


def test_reused_arrays_say_the_same() -> None:
    one, other, rng = batch(), batch(copy=False), np.random.default_rng(1)
    assert_same(one.reset(seed=6)[0], other.reset(seed=6)[0])
    info = one.reset(seed=6)[1]
    other.reset(seed=6)
    for _ in range(30):
        actions = some_actions(rng, info)
        left, right = one.step(actions), other.step(actions)
        for mine, theirs in zip(left, right, strict=True):
            assert_same(mine, theirs)
        info = left[4]


@pytest.mark.one_engine("only the tables of the engine have threads")
def test_threads_change_nothing() -> None:
    one, two = (SpiderVectorEnv(150, threads=threads, max_episode_steps=20) for threads in (1, 2))
    one.reset(seed=3)
    two.reset(seed=3)
    for _ in range(30):
        actions = one.sample_actions()
        np.testing.assert_array_equal(actions, two.sample_actions())
        for mine, theirs in zip(one.step(actions), two.step(actions), strict=True):
            assert_same(mine, theirs)


def test_each_environment_may_have_its_deal() -> None:
    env = batch()
    deals = [f"spider/4-suits@{number}" for number in range(COUNT)]
    env.reset(options={"deal": deals})
    single = gym.make(ID)
    for place, deal in enumerate(deals):
        single.reset(options={"deal": deal})
        assert env.state(place) == single.unwrapped.state  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="3 deals are given for 5 environments"):
        env.reset(options={"deal": deals[:3]})
    with pytest.raises(UsageError) as caught:
        env.reset(options={"deal": ["spider/2-suits@1", *deals[1:4], "gaps/addiction@7"]})
    assert "environment 0: 'spider/2-suits@1' does not fit" in str(caught.value)
    assert "environment 4: 'gaps/addiction@7' is a deal of 'gaps'" in str(caught.value)
    # Nothing was dealt.
    assert env.state(3).id is None
    single.reset(options={"deal": deals[3]})
    assert env.state(3) == single.unwrapped.state  # type: ignore[attr-defined]


def test_seeds_may_be_a_list() -> None:
    env, other = batch(), batch()
    assert_same(env.reset(seed=[5, 6, 7, 8, 9])[0], other.reset(seed=5)[0])
    assert env.np_random_seed == (5, 6, 7, 8, 9)
    assert len(env.np_random) == COUNT
    with pytest.raises(UsageError, match="2 seeds are given for 5 environments"):
        env.reset(seed=[1, 2])


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(COUNT), r"actions of float64 with the shape \(5,\) are not allowed"),
        (np.zeros(4, np.int64), r"with the shape \(4,\) are not allowed; they are whole numbers with the shape \(5,\)"),
        (np.array([0, 211, 0, -1, 0]), r"not an action: 211 of environment 1, -1 of environment 3; .* 0\.\.210"),
    ],
)
def test_wrong_actions_are_refused_and_nothing_is_done(actions: Any, message: str) -> None:
    env = batch()
    env.reset(seed=1)
    before = [env.state(place) for place in range(COUNT)]
    with pytest.raises(UsageError, match=message):
        env.step(actions)
    assert [env.state(place) for place in range(COUNT)] == before


def test_one_illegal_action_may_be_an_error_for_all() -> None:
    env = batch(on_invalid="raise")
    env.reset(seed=1)
    before = [env.state(place) for place in range(COUNT)]
    with pytest.raises(IllegalMoveError, match="lie on pile 1 already"):
        env.step(np.array([0, 0, 1, 0, 0]))
    assert [env.state(place) for place in range(COUNT)] == before
    env.step(np.zeros(COUNT, np.int8))


def test_every_wrong_argument_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        SpiderVectorEnv(0, max_episode_steps=0, threads=0, copy=1, render_mode="human")  # type: ignore[arg-type]
    for name in ("num_envs=0", "max_episode_steps=0", "threads=0", "copy=1", "render_mode='human'"):
        assert f"{name} is not allowed" in str(caught.value)
    with pytest.raises(UsageError, match="autoreset_mode='later' is not allowed; it may be 'NextStep'"):
        SpiderVectorEnv(1, autoreset_mode="later")
    with pytest.raises(UsageError, match=r"num_suits=3.*obs='box'"):
        SpiderVectorEnv(1, num_suits=3, obs="box")


@pytest.mark.parametrize("mask", [[True] * COUNT, np.ones(COUNT), np.ones(4, bool), np.zeros(COUNT, bool)], ids=str)
def test_a_wrong_reset_mask_is_refused(mask: Any) -> None:
    env = batch()
    env.reset(seed=1)
    with pytest.raises(UsageError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})


def test_nothing_goes_before_reset() -> None:
    env = batch(render_mode="ansi")
    for call in (lambda: env.step(np.zeros(COUNT, np.int64)), env.render, env.action_masks, env.sample_actions):
        with pytest.raises(gym.error.ResetNeeded):
            call()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP], ids=lambda mode: mode.name)
def test_a_copy_goes_on_alone_as_the_original_would(copied: Any, mode: AutoresetMode) -> None:
    env = batch(max_episode_steps=8, autoreset_mode=mode, num_suits=2)
    env.reset(seed=2)
    # The eighth step ends all episodes: what has ended is copied too.
    for _ in range(8):
        env.step(env.sample_actions())
    other = copied(env)
    for _ in range(20):
        actions = env.sample_actions()
        np.testing.assert_array_equal(actions, other.sample_actions())
        for mine, theirs in zip(env.step(actions), other.step(actions), strict=True):
            assert_same(mine, theirs)


def test_pictures_of_all_tables() -> None:
    env = batch(render_mode="ansi")
    env.reset(seed=1)
    texts = env.render()
    assert texts is not None
    assert len(set(texts)) == COUNT
    env = batch(render_mode="rgb_array")
    env.reset(seed=1)
    pictures = env.render()
    assert pictures is not None
    assert [picture.shape for picture in pictures] == [(480, 640, 3)] * COUNT
    env = batch()
    env.reset(seed=1)
    assert env.render() is None
