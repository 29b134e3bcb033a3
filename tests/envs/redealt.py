"""What the tests of the environments with redeals share."""

from __future__ import annotations

import doctest
import re
from typing import Any

import gymnasium as gym
import numpy as np

from tests.envs.spiders import some_action
from tests.laws import ROOT
from unshuffle import _engine
from unshuffle.envs.single import GameEnv
from unshuffle.envs.stepped import Stepped
from unshuffle.envs.tables import PythonTables, Tables, Terms
from unshuffle.envs.vector import Arrays
from unshuffle.rulebook import write_rules

COUNT = 3


def make(name: str, **arguments: Any) -> GameEnv:
    """The environment without wrappers."""
    env = gym.make(name, **arguments).unwrapped
    assert isinstance(env, GameEnv)
    return env


def twins(stepped: Stepped[Any, Any], **terms: Any) -> list[Tables]:
    """Tables in the engine, and as many by the Python rules."""
    rules = write_rules(stepped.game.rules)
    native: Tables = _engine.Tables(stepped.game_id, rules, count=COUNT, **terms)
    return [native, PythonTables(stepped, Terms(count=COUNT, **terms))]


def told(stepped: Stepped[Any, Any], tables: Tables) -> dict[str, Any]:
    """All that is told of the tables."""
    arrays = Arrays(COUNT, stepped)
    arrays.fill(tables)
    return vars(arrays)


def check_mask(env: GameEnv, seed: int, steps: int) -> None:
    """Law: the legal actions are the legal moves, one for each and back, and a step plays the move of its action."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        state, legal = env.state, np.flatnonzero(info["action_mask"]).tolist()
        moves = [env.decode(action) for action in legal]
        assert [env.encode(move) for move in moves] == legal
        assert len(set(moves)) == len(moves)
        assert set(moves) == set(state.legal_moves())
        assert bool(moves) is (state.outcome is None)
        if not moves:
            _, info = env.reset()
            continue
        action = some_action(rng, info["action_mask"], invalid=0)
        observation, reward, terminated, _, info = env.step(action)
        after = state.play(env._stepped.decode(state, action))
        assert env.state == after
        assert observation in env.observation_space
        assert (reward, info["score"]) == (after.score - state.score, after.score)
        assert terminated is (after.outcome is not None)


def check_hidden(stepped: Stepped[Any, Any], seed: int, steps: int) -> None:
    """Law: tables that differ in the redeals to come look the same: bytes, masks, numbers, text and picture."""
    rng = np.random.default_rng(seed)
    state = stepped.game.deal(seed)
    for _ in range(steps):
        # Action 0 is the redeal, with which they come to light.
        moves = [stepped.decode(state, action) for action in stepped.legal(state) if action]
        if not moves:
            break
        state = state.play(moves[rng.integers(len(moves))])
    other = stepped.complete(state.view().table, rng)
    assert state.redeals
    assert other.redeals != state.redeals
    for tables in twins(stepped):
        tables.lay(0, stepped.game.wire(state))
        tables.lay(1, stepped.game.wire(other))
        found = told(stepped, tables)
        for name in ("observations", "masks"):
            np.testing.assert_array_equal(found[name][0], found[name][1])
        np.testing.assert_array_equal(found["numbers"][:, 0], found["numbers"][:, 1])
    one, two = stepped.shown(state), stepped.shown(other)
    assert stepped.write(one) == stepped.write(two)
    np.testing.assert_array_equal(stepped.draw(one), stepped.draw(two))


def run_page(name: str) -> tuple[int, int]:
    """How many prompts of a page fail, and how many there are."""
    [block] = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs" / "envs" / name).read_text("utf-8"), re.DOTALL)
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(block, {}, name, name, 0))
    return found.failed, found.attempted
