"""Players inside an environment: a policy of `simulate`, or the solver's line, as actions."""

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
    """Return the id and the arguments with which `gymnasium.make` makes the environment of this game and its rules."""
    environment: type[MoveEnv] | None = game.own("environment")
    if environment is not None:
        return register_environment(game), environment.arguments_of(game)
    places_of(game)
    return DEFAULT, PatienceEnv.arguments_of(game)


def actions_of(stepped: Stepped[Any, Any], state: Any, moves: Iterable[Any]) -> Iterator[int]:
    """Yield the actions of a line of play from this state."""
    for move in moves:
        yield from stepped.encode_whole(state, move)
        state = state.play(move)


def solve_actions(env: gym.Env[Any, Any], **limits: Any) -> list[int] | None:
    """Return the actions of a win from the current table, found by the solver, who sees all cards; None without a win.

    `limits` are those of `unshuffle.solve`.
    """
    table = _table(env)
    result = solve(table.state, **limits)
    return list(actions_of(table.stepped, table.state, result.moves)) if result.status is Status.SOLVED else None


class Seat:
    """A policy of `simulate` that plays in an environment. It sees what a player sees, and returns actions.

    Call `sit` after every reset, then `act` before every step.
    """

    def __init__(self, env: gym.Env[Any, Any], policy: str | Policy) -> None:
        self._table = _table(env)
        self.policy = policy_of(self._table.stepped.game, policy)
        self._sitting: Sitting | None = None
        self._begun: deque[int] = deque()
        """The remaining actions of a move that takes more than one."""

    def sit(self) -> None:
        """Begin the episode that `reset` has laid out."""
        # The same random stream as in a simulation of this deal alone, so that the play is the same.
        self._sitting = Sitting(self.policy, Luck(self._table.state.id or "typed 0", self.policy.seed))
        self._begun.clear()

    def act(self) -> int | None:
        """Return the next action; None if the game is over or the policy gives up."""
        if self._sitting is None:
            raise UsageError("call sit() after reset(), before the first act()")
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
