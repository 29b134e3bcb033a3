"""Players inside an environment: a policy of `simulate`, or the line that the solver finds, as actions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import gymnasium as gym

from unshuffle.envs import DEFAULT, register_environment
from unshuffle.envs.placed import PatienceEnv, places_of
from unshuffle.envs.single import MoveEnv
from unshuffle.envs.stepped import Stepped
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.simulate import Luck, Policy, Sitting, policy_of
from unshuffle.solve import Status, solve


def describe_environment(game: AnyGame) -> tuple[str, dict[str, Any]]:
    """The id and the arguments by which `gymnasium.make` makes the environment of this game with its rules."""
    environment: type[MoveEnv] | None = game.own("environment")
    if environment is not None:
        return register_environment(game), environment.arguments_of(game)
    places_of(game)
    return DEFAULT, PatienceEnv.arguments_of(game)


def actions_of(stepped: Stepped[Any, Any], state: Any, moves: Iterable[Any]) -> Iterator[int]:
    """The actions of a line of play from this state on."""
    for move in moves:
        yield from stepped.encode_whole(state, move)
        state = state.play(move)


def solve_actions(env: gym.Env[Any, Any], **limits: Any) -> list[int] | None:
    """The actions that win from the table as it lies, by the solver, who sees all cards; None if it finds no win.

    `limits` are those of `unshuffle.solve`.
    """
    table = _table(env)
    result = solve(table.state, **limits)
    return list(actions_of(table.stepped, table.state, result.moves)) if result.status is Status.SOLVED else None


class Seat:
    """A policy of `simulate` at the table of an environment. It sees what a player sees, and answers with actions.

    `sit` after every reset; then `act` before every step.
    """

    def __init__(self, env: gym.Env[Any, Any], policy: str | Policy) -> None:
        self._table = _table(env)
        self.policy = policy_of(self._table.stepped.game, policy)
        self._sitting: Sitting | None = None
        self._begun: deque[int] = deque()
        """The rest of a move that takes more than one action."""

    def sit(self) -> None:
        """Begin the episode that `reset` has laid out."""
        # As in a simulation of this one deal, so that play is the same.
        self._sitting = Sitting(self.policy, Luck(self._table.state.id or "typed 0", self.policy.seed))
        self._begun.clear()

    def act(self) -> int | None:
        """The next action; None if it plays no further: the game is over, or it gives up."""
        if self._sitting is None:
            raise UsageError("a policy sits down to an episode with sit(), after reset()")
        if not self._begun:
            state = self._table.state
            move = self._sitting.next_move(state)
            if move is None:
                return None
            self._begun.extend(self._table.stepped.encode_whole(state, move))
        return self._begun.popleft()


def _table(env: gym.Env[Any, Any]) -> MoveEnv:
    table = env.unwrapped
    if not isinstance(table, MoveEnv):
        raise UsageError(f"{table} is not an environment of whole moves, and no policy can play in it")
    return table
