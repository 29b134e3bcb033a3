"""What the tests of Spider-v0 share: near ends of games."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

import unshuffle.envs  # noqa: F401 # it registers the environments
from unshuffle.games.spider.envs import SpiderEnv

ID = "unshuffle/Spider-v0"
CLUBS = "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C"
EMPTY = "".join(f"{number}:\n" for number in range(3, 11))
NEARLY_WON = f"1: {CLUBS}\n2: AC\n{EMPTY}Bank:\nCompleted: S S H H D D C\nMoves: 9\n"
"""The ace goes onto the two, action 11, and the last run leaves."""
WINNING = 11


def make(**arguments: Any) -> SpiderEnv:
    """The environment without wrappers."""
    env = gym.make(ID, **arguments).unwrapped
    assert isinstance(env, SpiderEnv)
    return env
