"""The contract between the engine's tables and those of the Python rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.envs.comparing import assert_same, some_action
from tests.envs.spiders import NEARLY_WON, WINNING
from tests.laws import for_each
from unshuffle import _engine
from unshuffle.envs.tables import PythonTables, Tables, Terms
from unshuffle.envs.vector import Arrays
from unshuffle.games.spider.envs import SpiderSteps
from unshuffle.rulebook import write_rules

pytestmark = pytest.mark.one_engine("asks the tables of the engine and of the Python rules itself")

COUNT = 3


def twins(suits: int, deal_on_empty: bool, **terms: Any) -> tuple[SpiderSteps, list[Tables]]:
    stepped = SpiderSteps(suits, deal_on_empty)
    native: Tables = _engine.Tables("spider", write_rules(stepped.game.rules), count=COUNT, **terms)
    return stepped, [native, PythonTables(stepped, Terms(count=COUNT, **terms))]


def told(stepped: SpiderSteps, tables: Tables, places: list[int] | None = None) -> dict[str, Any]:
    arrays = Arrays(COUNT if places is None else len(places), stepped)
    arrays.fill(tables, places)
    return vars(arrays)


@pytest.mark.parametrize("reward", ["delta", "shaped", "win"])
@pytest.mark.parametrize("when_invalid", ["noop", "terminate"])
@given(seed=st.integers(0, 2**64 - 1), suits=st.sampled_from([1, 2, 4]), deal_on_empty=st.booleans())
@for_each
def test_the_twins_tell_the_same(reward: str, when_invalid: str, seed: int, suits: int, deal_on_empty: bool) -> None:
    """Law: deals, observations, masks, rewards, numbers, ends and lots are equal along any play."""
    stepped, both = twins(suits, deal_on_empty, reward=reward, gamma=0.97, when_invalid=when_invalid, limit=25)
    rng = np.random.default_rng(seed)
    for tables in both:
        tables.deal(list(range(COUNT)), [seed, (seed + 1) % 2**64, 7])
        tables.seed(seed)
    skip = np.zeros(COUNT, np.uint8)
    for _ in range(30):
        one, other = (told(stepped, tables) for tables in both)
        assert_same(one, other)
        drawn = [np.empty(COUNT, np.int64) for _ in both]
        for tables, lots in zip(both, drawn, strict=True):
            tables.sample(lots)
        np.testing.assert_array_equal(drawn[0], drawn[1])
        actions = np.array([some_action(rng, mask) for mask in one["masks"]])
        assert both[0].first_illegal(actions, skip) == both[1].first_illegal(actions, skip)
        for tables in both:
            tables.step(actions, skip)
        skip = (one["flags"][0] | one["flags"][1]).copy()
    for place in range(COUNT):
        assert both[0].text(place) == both[1].text(place)
    assert_same(told(stepped, both[0], [2, 0]), told(stepped, both[1], [2, 0]))


@given(seed=st.integers(0, 2**32), suits=st.sampled_from([1, 2, 4]))
def test_what_a_player_does_not_see_is_in_no_observation(seed: int, suits: int) -> None:
    """Law: tables that differ in hidden cards only look the same, in bytes, masks and pictures."""
    stepped, both = twins(suits, True)
    rng = random.Random(seed)
    state = stepped.game.deal(seed)
    for _ in range(20):
        moves = state.legal_moves()
        if moves:  # a game may be over before that
            state = state.play(rng.choice(moves))
    other = state.view().sample(rng)
    assert other.piles != state.piles
    for tables in both:
        tables.lay(0, stepped.game.wire(state))
        tables.lay(1, stepped.game.wire(other))
        found = told(stepped, tables)
        for name in ("observations", "masks"):
            np.testing.assert_array_equal(found[name][0], found[name][1])
        np.testing.assert_array_equal(found["numbers"][:, 0], found["numbers"][:, 1])
    assert stepped.write(stepped.shown(state)) == stepped.write(stepped.shown(other))
    np.testing.assert_array_equal(stepped.draw(stepped.shown(state)), stepped.draw(stepped.shown(other)))


def test_what_one_saves_the_other_takes_up() -> None:
    stepped, both = twins(4, True, reward="shaped", limit=9)
    for tables in both:
        tables.deal([0, 1], [3, 4])
        tables.lay(2, NEARLY_WON)
        tables.step(np.array([0, 1, WINNING]))
    saved = [tables.save() for tables in both]
    assert saved[0] == saved[1]
    _, fresh = twins(4, True, reward="shaped", limit=9)
    fresh[0].restore(saved[1])
    fresh[1].restore(saved[0])
    assert_same(told(stepped, fresh[0]), told(stepped, both[0]))
    assert_same(told(stepped, fresh[1]), told(stepped, both[0]))


def test_the_engine_refuses_what_makes_no_sense() -> None:
    _, (native, _) = twins(4, True)
    room = np.empty(855, np.uint8), np.empty(211, np.int8)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: native.deal([3], [1]), "there is no table 3; there are 3"),
        (lambda: native.deal([1], [1, 2]), "1 tables, but 2 seeds"),
        (lambda: native.text(9), "there is no table 9"),
        (lambda: native.lay(0, "1: nonsense"), "nonsense"),
        (lambda: native.step(np.array([0, 211, 0])), "action 211 of table 1 is not one of 0..210"),
        (lambda: native.step_one(0, *room), "step_one is for one table"),
        (lambda: native.restore((0, [])), "0 tables were saved, and there are 3"),
        (lambda: _engine.Tables("golf", {}, count=1), 'the engine has no game "golf"; it has aces-up, '),
        (lambda: _engine.Tables("spider", {"ranks": "5", "table": "10"}, count=1), "is for piles=10, ranks=13"),
        (lambda: _engine.Tables("spider", {}, count=0), "count=0 is not allowed"),
        (lambda: _engine.Tables("spider", {}, count=1, threads=0), "threads=0 is not allowed"),
        (lambda: _engine.Tables("spider", {}, count=1, reward="score"), 'reward="score" is not allowed'),
        (lambda: _engine.Tables("spider", {}, count=1, when_invalid="raise"), 'when_invalid="raise" is not allowed'),
    ]
    for call, message in calls:
        with pytest.raises(ValueError, match=message.replace("(", r"\(").replace("..", r"\.\.")):
            call()
    with pytest.raises(BufferError):
        native.step(np.zeros(2, np.int64))
    with pytest.raises(BufferError):
        native.sample(np.zeros(COUNT, np.int32))
