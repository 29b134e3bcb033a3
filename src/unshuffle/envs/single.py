"""One environment of whole moves: the base class for every game."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from unshuffle.envs.common import METADATA, Form, Settings, read_arguments, show_to_person
from unshuffle.envs.dealing import read_options
from unshuffle.envs.stepped import Stepped
from unshuffle.envs.tables import Tables, Terms, Told, lay_tables
from unshuffle.errors import InternalError
from unshuffle.game import AnyGame


class MoveEnv(gym.Env[Any, Any]):
    """A game in which every action is a whole move. Each game has a subclass with the manual page."""

    metadata: dict[str, Any] = METADATA

    def __init__(self, stepped: Stepped[Any, Any], settings: Settings) -> None:
        self._stepped, self._settings = stepped, settings
        self.render_mode = settings.render_mode
        self._form = Form(stepped, settings)
        self.action_space = spaces.Discrete(stepped.actions)
        self.observation_space = self._form.space
        self._tables = self._lay()
        self._deal: str | None = None
        self._state: Any = None
        """The table as a state, cached on first use."""
        self._is_over: bool | None = None
        """None before the first episode."""
        # Cached for `step`.
        self._game = str(stepped.game)
        self._refuses = settings.on_invalid == "raise"
        self._bytes, self._actions = stepped.bytes, stepped.actions

    @classmethod
    def arguments_of(cls, game: AnyGame) -> dict[str, Any]:
        """Return the arguments with which `gymnasium.make` makes it for this game and its rules."""
        return {"variant": game.variant}

    def _lay(self) -> Tables:
        settings = self._settings
        terms = Terms(reward=settings.reward, gamma=float(settings.gamma), when_invalid=settings.when_invalid)
        return lay_tables(self._stepped, terms)

    # Gymnasium's methods.

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: a deal drawn from the environment's own generator, or `options={"deal": text}`."""
        super().reset(seed=seed)
        state = read_options(self._stepped.game, options)
        observation, mask = self._room()
        if state is None:
            number, told = self._deal_one(observation, mask)
            self._deal = f"{self._game}@{number}"
        else:
            self._stepped.check_fit(state)
            whole = self._stepped.complete(state, self.np_random)
            self._tables.lay(0, self._stepped.game.wire(whole))
            told = self._tables.read_one(0, observation, mask)
            self._deal = state.id
        self._is_over, self._state = False, None
        info = self._info(told, mask)
        info["deal"] = self._deal
        self._show()
        return self._form.give(observation, mask), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a move."""
        if self._is_over is not False:
            self._check_begun()
            raise gym.error.ResetNeeded("the episode has ended; the next begins with reset()")
        number = self._stepped.read_action(action)
        if self._refuses:
            self._refuse_illegal(number)
        observation, mask = self._room()
        told = self._tables.step_one(number, observation, mask)
        self._is_over, self._state = told[4], None
        if self.render_mode == "human":
            self._show()
        return self._form.give(observation, mask), told[0], told[4], False, self._info(told, mask)

    def render(self) -> Any:
        """Return the table as a player sees it: text, a picture, or None (`human` prints at every step)."""
        self._check_begun()
        if self.render_mode == "ansi":
            return self._stepped.write(self._stepped.shown(self.state))
        return self._stepped.draw(self._stepped.shown(self.state)) if self.render_mode == "rgb_array" else None

    # Members beside Gymnasium's.

    @property
    def stepped(self) -> Stepped[Any, Any]:
        """The game as environments step it: its rules, its actions, the parts of an observation."""
        return self._stepped

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, in the form that sb3-contrib expects."""
        self._check_begun()
        observation, mask = self._room()
        self._tables.read_one(0, observation, mask)
        return mask.view(np.bool_)

    @property
    def state(self) -> Any:
        """The whole state, hidden cards included: for analysis, not for players."""
        self._check_begun()
        if self._state is None:
            game = self._stepped.game
            self._state = game.with_id(game.parse(self._tables.text(0)), self._deal)
        return self._state

    def decode(self, action: int) -> Any:
        """Return the move of an action on this table; IllegalMoveError if it is not legal."""
        return self._stepped.decode(self.state, self._stepped.read_action(action))

    def encode(self, move: Any) -> int:
        """Return the action that makes this move on this table."""
        return self._stepped.encode(self.state, move)

    def encode_whole(self, move: Any) -> tuple[int, ...]:
        """Return the actions that make this move, in their order, for moves that take more than one."""
        return self._stepped.encode_whole(self.state, move)

    # Implementation.

    def _check_begun(self) -> None:
        if self._is_over is None:
            raise gym.error.ResetNeeded("an episode begins with reset()")

    def _room(self) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        # New arrays on every call: those returned belong to the caller.
        return np.empty(self._bytes, np.uint8), np.empty(self._actions, np.int8)

    def _deal_one(self, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> tuple[int, Told]:
        """Draw deal numbers until a deal has a legal move. Return the number, and the values of the table."""
        while True:
            number = int(self.np_random.integers(2**63))
            self._tables.deal([0], [number])
            told = self._tables.read_one(0, observation, mask)
            if 1 in mask.tobytes():  # faster than `mask.any()`
                return number, told

    def _info(self, told: Told, mask: NDArray[np.int8]) -> dict[str, Any]:
        _, moves, score, completed, _, won, invalid = told
        return {
            "action_mask": mask,
            "num_moves": moves,
            "score": score,
            "completed": completed,
            "won": won,
            "invalid": invalid,
        }

    def _refuse_illegal(self, number: int) -> None:
        if self._tables.first_illegal(np.array([number], np.int64)) is not None:
            refuse(self._stepped, self.state, number)

    def _show(self) -> None:
        if self.render_mode == "human":
            show_to_person(self._stepped.write(self._stepped.shown(self.state)))

    # The engine's tables cannot be pickled or copied; their saved states can.

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_tables": self._tables.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tables = self._lay()
        self._tables.restore(state["_tables"])


class GameEnv(MoveEnv):
    """The environment of a game whose variants and rule fields are arguments."""

    steps: ClassVar[type[Stepped[Any, Any]]]

    def __init__(
        self,
        variant: str | None = None,
        *,
        obs: str = "dict",
        mask_in_obs: bool = False,
        reward: str = "delta",
        gamma: float = 0.99,
        on_invalid: str = "noop",
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        settings = {
            "obs": obs,
            "mask_in_obs": mask_in_obs,
            "reward": reward,
            "gamma": gamma,
            "on_invalid": on_invalid,
            "render_mode": render_mode,
        }
        super().__init__(*read_arguments(type(self), self.steps, variant, rules | settings))


def refuse(stepped: Stepped[Any, Any], state: Any, action: int) -> None:
    """Raise the IllegalMoveError of an action that the mask forbids."""
    move = stepped.decode(state, action)
    raise InternalError(
        f"action {action} is not in the mask, but means the legal move {move.token}", f"position:\n{state}"
    )
