"""What every environment of whole moves is held to: a game earns all of it with a line in `families.FAMILY`."""

from __future__ import annotations

import copy
import pickle
import random
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import load_env_creator
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import unshuffle as un
import unshuffle.envs
from tests.envs.comparing import assert_same, some_action
from tests.envs.families import (
    COUNT,
    DEFAULTS,
    FAMILY,
    FORMS,
    Family,
    each_form,
    each_game,
    each_twin,
    each_variant,
    make,
    some_variants,
    told,
    twins,
)
from tests.laws import IS_LONG
from unshuffle.envs.vector import MoveVectorEnv
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.registry import games_with
from unshuffle.views import OpenView

pytestmark = pytest.mark.both_engines
asks_both = pytest.mark.one_engine("asks the tables of the engine and of the Python rules itself")
wrapper = pytest.mark.one_engine("checks the wrapper, which is the same with either tables")

REGISTERED = [name for name in gym.registry if name.startswith(("unshuffle/", "spider_solitare/"))]


BASES = {f"unshuffle.envs.placed:Patience{kind}": {"game": "ladder"} for kind in ("Env", "VectorEnv")}
"""What an environment of many games has to be told."""


def entries(name: str) -> list[Any]:
    """The classes by which an environment and a batch of it are made."""
    spec = gym.spec(name)
    return [entry for entry in (spec.entry_point, spec.vector_entry_point) if entry is not None]


def test_every_game_with_an_environment_is_held_to_the_contract() -> None:
    has = {game: un.game(game).has for game in games_with("environment")}
    assert {family.game: (family.id, family.limit) for family in FAMILY} == {
        game: (each.environment_id, each.steps) for game, each in has.items()
    }


@each_game
def test_the_limit_is_registered_and_a_batch_is_native(family: Family) -> None:
    spec = gym.spec(family.id)
    assert spec.max_episode_steps == family.limit
    assert isinstance(gym.make_vec(family.id, num_envs=2, **family.base), MoveVectorEnv)


@some_variants
def test_the_checker_has_nothing_to_say(
    family: Family, arguments: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form in FORMS:
            check_env(gym.make(family.id, **arguments, **form).unwrapped, skip_render_check=True)
    assert capfd.readouterr() == ("", "")


@each_variant
def test_the_mask_is_what_the_rules_allow(family: Family, arguments: dict[str, Any]) -> None:
    """Law: legal actions and legal moves are the same things; a live table has one; a step plays its move."""
    env, rng = make(family, **arguments), np.random.default_rng(3)
    _, info = env.reset(seed=3)
    for _ in range(60):
        state, legal = env.state, np.flatnonzero(info["action_mask"]).tolist()
        assert legal
        moves = [env.decode(action) for action in legal]
        assert [env.encode(move) for move in moves] == legal
        assert len(set(moves)) == len(moves)
        if family.acts_on_all:
            assert set(moves) == set(state.legal_moves())
        else:
            assert set(moves) <= set(state.legal_moves())
        action = some_action(rng, info["action_mask"], invalid=0)
        _, reward, terminated, _, info = env.step(action)
        assert env.state == state.play(env._stepped.decode(state, action))
        assert reward == env.state.score - state.score
        assert info["score"] == env.state.score
        assert terminated == (env.state.outcome is not None)
        if terminated:
            assert not info["action_mask"].any()
            _, info = env.reset()


@asks_both
@each_twin
def test_the_twins_tell_the_same(family: Family, arguments: dict[str, Any], terms: tuple[str, str]) -> None:
    """Law: deals, observations, masks, rewards, numbers, ends and lots are equal along any play."""
    reward, when_invalid = terms
    options = {"reward": reward, "gamma": 0.97, "limit": 40, "when_invalid": when_invalid}
    stepped, both = twins(family, arguments, **options)
    rng = np.random.default_rng(5)
    for tables in both:
        tables.deal(list(range(COUNT)), [1, 2, 3, 2**63 - 1])
        tables.seed(8)
    for _ in range(50):
        one, other = (told(stepped, tables) for tables in both)
        assert_same(one, other)
        assert [both[0].text(place) for place in range(COUNT)] == [both[1].text(place) for place in range(COUNT)]
        drawn = [np.empty(COUNT, np.int64) for _ in both]
        for tables, lots in zip(both, drawn, strict=True):
            tables.sample(lots)
        np.testing.assert_array_equal(drawn[0], drawn[1])
        actions = np.array([some_action(rng, mask) for mask in one["masks"]])
        skip = (one["flags"][0] | one["flags"][1]).copy()
        assert both[0].first_illegal(actions, skip) == both[1].first_illegal(actions, skip)
        for tables in both:
            tables.step(actions, skip)
    saved = [tables.save() for tables in both]
    assert saved[0] == saved[1]
    _, fresh = twins(family, arguments, **options)
    fresh[0].restore(saved[1])
    fresh[1].restore(saved[0])
    assert_same(told(stepped, fresh[0]), told(stepped, both[0]))
    assert_same(told(stepped, fresh[1], [2, 0]), told(stepped, both[0], [2, 0]))


@asks_both
@each_variant
def test_what_a_player_does_not_see_is_told_nowhere(family: Family, arguments: dict[str, Any]) -> None:
    """Law: tables that differ in hidden cards only look the same, in bytes, masks, numbers and pictures."""
    stepped, both = twins(family, arguments)
    rng = random.Random(6)
    state = stepped.game.deal(6)
    hides = not isinstance(state.view(), OpenView)
    differ = 0
    for _ in range(8):
        moves = state.legal_moves()
        if not moves:
            break
        state = state.play(rng.choice(moves))
        other = state.view().sample(rng)
        differ += stepped.game.wire(other) != stepped.game.wire(state)
        for tables in both:
            tables.lay(0, stepped.game.wire(state))
            tables.lay(1, stepped.game.wire(other))
            found = told(stepped, tables)
            for name in ("observations", "masks"):
                np.testing.assert_array_equal(found[name][0], found[name][1])
            np.testing.assert_array_equal(found["numbers"][:, 0], found["numbers"][:, 1])
        assert stepped.write(stepped.shown(state)) == stepped.write(stepped.shown(other))
    assert bool(differ) is hides
    np.testing.assert_array_equal(stepped.draw(stepped.shown(state)), stepped.draw(stepped.shown(other)))


@each_form
def test_the_batch_returns_what_single_environments_return(
    family: Family, arguments: dict[str, Any], form: dict[str, Any], mode: AutoresetMode
) -> None:
    """Law: equal seeds and actions give equal arrays, rewards, ends, masks and infos, across all resets."""
    arguments = {"max_episode_steps": 9, **arguments, **form}
    native = gym.make_vec(family.id, num_envs=COUNT, autoreset_mode=mode, **arguments)
    sync = SyncVectorEnv([partial(gym.make, family.id, **arguments)] * COUNT, autoreset_mode=mode)
    rng, ended = np.random.default_rng(7), 0
    assert native.observation_space == sync.observation_space
    one, other = native.reset(seed=11), sync.reset(seed=11)
    assert_same(one[0], other[0])
    assert_same(one[1], other[1])
    info = one[1]
    for _ in range(25):
        actions = np.array([some_action(rng, mask) for mask in info["action_mask"]])
        left, right = native.step(actions), sync.step(actions)
        for place in range(5):
            assert_same(left[place], right[place], f"value {place}")
        assert left[0] in native.observation_space
        info, done = left[4], left[2] | left[3]
        ended += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            one, other = (env.reset(options={"reset_mask": done.copy()}) for env in (native, sync))
            assert_same(one[0], other[0])
            assert_same(one[1], other[1])
            info = {"action_mask": native.unwrapped.action_masks()}  # type: ignore[attr-defined]
    assert ended >= COUNT


@some_variants
def test_episodes_replay_by_seed_and_draw_one_number(family: Family, arguments: dict[str, Any]) -> None:
    env, other = make(family, **arguments), make(family, **arguments)
    _, info = env.reset(seed=42)
    assert_same(info, other.reset(seed=42)[1])
    rng, _ = gym.utils.seeding.np_random(42)
    first, second = (int(rng.integers(2**63)) for _ in range(2))
    named = str(env._stepped.game)
    assert info["deal"] == f"{named}@{first}"
    # A deal that is given draws none, by its id or by its text.
    assert env.reset(options={"deal": f"{named}@7"})[1]["deal"] == f"{named}@7"
    assert env.state == env._stepped.game.deal(7)
    seven = env.state
    assert env.reset(options={"deal": env._stepped.game.wire(seven)})[1]["deal"] is None
    assert env.state == seven
    assert env.reset()[1]["deal"] == f"{named}@{second}"


@some_variants
def test_the_three_masks_are_equal_and_arrays_are_new(family: Family, arguments: dict[str, Any]) -> None:
    for obs in ("dict", "flat"):
        env, rng = make(family, obs=obs, mask_in_obs=True, **arguments), np.random.default_rng(5)
        observation, info = env.reset(seed=5)
        for _ in range(20):
            mask = info["action_mask"]
            assert mask.dtype == np.int8
            assert env.action_masks().dtype == np.bool_
            np.testing.assert_array_equal(env.action_masks(), mask)
            assert_same(observation["action_mask"], mask)
            assert mask[env.action_space.sample(mask)] == 1
            kept = copy.deepcopy(observation)
            after, _, terminated, _, info = env.step(some_action(rng, mask))
            assert_same(observation, kept)
            assert not any(np.shares_memory(observation[name], after[name]) for name in after)
            observation = after
            if terminated:
                observation, info = env.reset()


@wrapper
@some_variants
def test_flat_is_what_flatten_observation_gives(family: Family, arguments: dict[str, Any]) -> None:
    wrapped = gym.wrappers.FlattenObservation(gym.make(family.id, **arguments))
    flat = gym.make(family.id, obs="flat", **arguments)
    assert wrapped.observation_space == flat.observation_space
    rng = np.random.default_rng(3)
    one, other = wrapped.reset(seed=3), flat.reset(seed=3)
    assert_same(one[0], other[0])
    info = other[1]
    for _ in range(10):
        action = some_action(rng, info["action_mask"])
        left, right = wrapped.step(action), flat.step(action)
        assert_same(left[0], right[0])
        info = wrapped.reset()[1] if right[2] else right[4]
        if right[2]:
            flat.reset()


@some_variants
def test_shaped_rewards_cancel(family: Family, arguments: dict[str, Any]) -> None:
    """Law of potentials: discounted, the differences come to the win less the first potential, whatever is played."""
    env, rng, gamma = make(family, reward="shaped", gamma=0.9, **arguments), np.random.default_rng(1), 0.9
    _, info = env.reset(seed=1)
    total, first, last, won = 0.0, env._stepped.potential(env.state), 0.0, False
    for step in range(40):
        _, reward, terminated, _, info = env.step(some_action(rng, info["action_mask"]))
        total += gamma**step * reward
        last = 0.0 if terminated else gamma ** (step + 1) * env._stepped.potential(env.state)
        won = info["won"]
        if terminated:
            last += won * gamma**step
            break
    assert total == pytest.approx(last - first)


@each_game
def test_an_invalid_action(family: Family) -> None:
    invalid = {}
    for mode in ("noop", "terminate", "raise"):
        env = make(family, on_invalid=mode)
        before, info = env.reset(seed=3)
        wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
        state = env.state
        if mode == "raise":
            with pytest.raises(IllegalMoveError):
                env.step(wrong)
            assert env.state == state
            continue
        after, _, terminated, truncated, found = env.step(wrong)
        assert_same(after, before)
        assert_same(found["action_mask"], info["action_mask"])
        assert not truncated
        invalid[mode] = (terminated, found["num_moves"], found["invalid"])
    assert invalid == {"noop": (False, 1, True), "terminate": (True, 0, True)}


@wrapper
@each_game
@pytest.mark.parametrize("form", ["single", "batch"])
def test_every_wrong_argument_is_named(family: Family, form: str) -> None:
    wrong = {**family.wrong, "obs": "box", "mask_in_obs": 2, "reward": "points", "gamma": 2, "on_invalid": "ignore"}
    if form == "batch":
        make_it: Callable[..., Any] = partial(gym.make_vec, family.id, **family.base)
        wrong |= {"num_envs": 0, "threads": 0, "copy": 3, "autoreset_mode": "never", "max_episode_steps": -2}
        wrong |= {"render_mode": "human"}
    else:
        # `make` itself has something to say of the mode, so the class is asked.
        make_it = partial(type(make(family)), **family.base)
        wrong |= {"render_mode": "web"}
    wrong |= {"colour": "red"}
    if family.game != "spider":
        wrong |= {"variant": "no-such"}
    with pytest.raises(UsageError, match="obs='box' is not allowed; it may be 'dict', 'flat'") as caught:
        make_it(**wrong)
    for name, value in wrong.items():
        said = {
            "variant": f"unknown variant of {family.game} 'no-such'",
            "colour": "got an unexpected keyword argument 'colour'",
        }
        assert said.get(name, f"{name}=") in str(caught.value), (name, value)


@wrapper
@pytest.mark.parametrize(
    "entry",
    sorted({str(entry) for name in REGISTERED for entry in entries(name)}),
    ids=lambda entry: entry.split(":")[1],
)
def test_an_unknown_keyword_is_a_type_error(entry: str) -> None:
    """Law: as of every class in Python, and in its words; what is said to be known is."""
    environment: Any = load_env_creator(entry)
    with pytest.raises(TypeError) as caught:
        environment(**BASES.get(entry, {}), frameskip=1, obs_mode="box")
    assert isinstance(caught.value, UsageError)
    said, _, known = str(caught.value).removesuffix(")").partition(" (known: ")
    assert said == (
        f"{environment.__name__}.__init__() got an unexpected keyword argument 'frameskip'"
        " and an unexpected keyword argument 'obs_mode'"
    )
    names = known.split(", ")
    base = BASES.get(entry, {})
    assert len(names) == len(set(names)) >= 8
    for name in names:
        with pytest.raises(UsageError, match=r".") as wrong:
            environment(**base | {name: "<wrong>"})
        assert not isinstance(wrong.value, TypeError), name
        assert re.search(rf"\b{name}\b.*<wrong>", str(wrong.value)), (name, wrong.value)


@wrapper
@pytest.mark.parametrize("name", REGISTERED)
@pytest.mark.parametrize("how", ["make", "batch", "sync"])
def test_a_library_that_tries_a_keyword_may_drop_it(name: str, how: str) -> None:
    """TorchRL's `GymEnv` tries `frameskip`, and makes the environment without it where a TypeError says this."""
    making: dict[str, Callable[..., Any]] = {
        "make": gym.make,
        "batch": partial(gym.make_vec, num_envs=2),
        "sync": partial(gym.make_vec, num_envs=2, vectorization_mode="sync"),
    }
    if how == "batch" and gym.spec(name).vector_entry_point is None:
        how = "sync"
    base = {"game": "ladder"} if name == unshuffle.envs.DEFAULT else {}
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        making[how](name, frameskip=4, **base)
    making[how](name, **base).close()


@wrapper
@each_game
def test_what_is_no_action_or_no_deal_is_refused(family: Family) -> None:
    env = make(family)
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    for action in (env.action_space.n, -1, 1.5, None):  # type: ignore[attr-defined]
        with pytest.raises(UsageError, match=r"is not an action; actions are 0\.\."):
            env.step(action)
    other = "gaps/addiction@7" if family.game != "gaps" else "spider/4-suits@7"
    for options in ({"deal": other}, {"deal": 17}, {"seed": 17}, {"deal": "nonsense"}):
        with pytest.raises(ValueError, match=r"."):
            env.reset(options=options)


@some_variants
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_goes_on_alone_as_the_original_would(family: Family, arguments: dict[str, Any], copied: Any) -> None:
    env, rng = make(family, reward="shaped", **arguments), np.random.default_rng(2)
    _, info = env.reset(seed=2)
    for _ in range(3):
        info = env.step(some_action(rng, info["action_mask"], invalid=0))[4]
    other = copied(env)
    for _ in range(3):
        action = some_action(rng, info["action_mask"], invalid=0)
        one, two = env.step(action), other.step(action)
        for left, right in zip(one, two, strict=True):
            assert_same(left, right)
        info = one[4]
    assert_same(env.reset()[1], other.reset()[1])
    batch = gym.make_vec(family.id, num_envs=COUNT, max_episode_steps=8, **arguments).unwrapped
    assert isinstance(batch, MoveVectorEnv)
    batch.reset(seed=2)
    for _ in range(8):
        batch.step(batch.sample_actions())
    again = copied(batch)
    for _ in range(10):
        actions = batch.sample_actions()
        np.testing.assert_array_equal(actions, again.sample_actions())
        for left, right in zip(batch.step(actions), again.step(actions), strict=True):
            assert_same(left, right)


@wrapper
@pytest.mark.parametrize("family", FAMILY + DEFAULTS if IS_LONG else (FAMILY[0], DEFAULTS[0]), ids=str)
def test_a_vector_of_processes_says_the_same(family: Family) -> None:
    makers = [partial(gym.make, family.id, max_episode_steps=6, **family.base)] * 2
    sync, processes = SyncVectorEnv(makers), AsyncVectorEnv(makers, shared_memory=True)
    try:
        assert_same(sync.reset(seed=5)[0], processes.reset(seed=5)[0])
        for action in (0, 1, 0, 12, 0, 0, 0, 25):
            actions = np.array([action, action])
            for one, other in zip(sync.step(actions), processes.step(actions), strict=True):
                assert_same(one, other)
    finally:
        processes.close()


@wrapper
@each_game
def test_pictures(family: Family, capsys: pytest.CaptureFixture[str]) -> None:
    plain, drawn, person = (make(family, render_mode=mode) for mode in ("ansi", "rgb_array", "human"))
    texts, pictures = [], []
    for env in (plain, drawn, person):
        env.reset(seed=1)
    for _ in range(2):
        texts.append(plain.render())
        pictures.append(drawn.render())
        action = int(plain.action_masks().argmax())
        for env in (plain, drawn, person):
            env.step(action)
    assert texts[0] != texts[1]
    assert (pictures[0] != pictures[1]).any()
    assert all((picture.shape, picture.dtype) == ((480, 640, 3), np.uint8) for picture in pictures)
    assert capsys.readouterr().out == texts[0] + texts[1] + plain.render()
    batch = gym.make_vec(family.id, num_envs=2, render_mode="rgb_array", **family.base)
    batch.reset(seed=1)
    assert [np.shape(picture) for picture in batch.render() or ()] == [(480, 640, 3)] * 2
