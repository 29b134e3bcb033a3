"""Batches of environments of whole moves: the base class for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from unshuffle.envs.common import METADATA, Batch, Form, Settings, read_all, read_arguments
from unshuffle.envs.dealing import read_options
from unshuffle.envs.single import refuse
from unshuffle.envs.stepped import Stepped
from unshuffle.envs.tables import Tables, Terms, lay_tables
from unshuffle.errors import UsageError

_NUMBERS = ("num_moves", "score", "completed")
_FLAGS = ("won", "invalid")


class Arrays:
    """The values of some tables as arrays; observations and infos are views of them."""

    def __init__(self, count: int, stepped: Stepped[Any, Any]) -> None:
        self.observations = np.empty((count, stepped.bytes), np.uint8)
        self.masks = np.empty((count, stepped.actions), np.int8)
        self.rewards = np.empty(count, np.float64)
        self.numbers = np.empty((len(_NUMBERS), count), np.int64)
        # Terminated and truncated, then `_FLAGS`.
        self.flags = np.empty((2 + len(_FLAGS), count), np.uint8)

    def fill(self, tables: Tables, places: list[int] | None = None) -> None:
        """Read all tables, or these."""
        tables.read(self.observations, self.masks, self.rewards, self.numbers, self.flags, places)

    def put(self, places: NDArray[np.intp], other: Arrays) -> None:
        """Copy what another object holds of these tables, except rewards, terminated and truncated."""
        self.observations[places] = other.observations
        self.masks[places] = other.masks
        self.numbers[:, places] = other.numbers
        self.flags[2:, places] = other.flags[2:]

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Which episodes are terminated."""
        ends: NDArray[np.bool_] = self.flags[0].view(np.bool_)
        return ends

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Which episodes are truncated."""
        ends: NDArray[np.bool_] = self.flags[1].view(np.bool_)
        return ends

    def info(self, present: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Return the infos of all tables, or of those that are present; the others have zeros."""
        info: dict[str, Any] = {"action_mask": self.masks}
        info.update(zip(_NUMBERS, self.numbers, strict=True))
        info.update(zip(_FLAGS, self.flags[2:].view(np.bool_), strict=True))
        for name, values in list(info.items()):
            if present is None:
                info[f"_{name}"] = np.ones(len(self.rewards), np.bool_)
            else:
                info[name] = np.where(present[:, None] if values.ndim > 1 else present, values, 0).astype(values.dtype)
                info[f"_{name}"] = present.copy()
        return info


class MoveVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Many tables of a game, stepped in one call. Each game has a subclass with the manual page."""

    def __init__(
        self,
        stepped: Stepped[Any, Any],
        settings: Settings,
        batch: Batch,
    ) -> None:
        self._stepped, self._settings = stepped, settings
        self.num_envs = num_envs = batch.num_envs
        self.render_mode = settings.render_mode
        self.autoreset_mode = batch.autoreset_mode
        # A copy: another batch may have another mode.
        self.metadata = METADATA | {"autoreset_mode": self.autoreset_mode, "render_modes": ["ansi", "rgb_array"]}
        self._form = Form(stepped, settings)
        self.single_action_space = spaces.Discrete(stepped.actions)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = self._form.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._terms = Terms(
            count=num_envs,
            threads=batch.threads,
            reward=settings.reward,
            gamma=float(settings.gamma),
            when_invalid=settings.when_invalid,
            limit=None if batch.max_episode_steps == -1 else batch.max_episode_steps,
        )
        self._tables = lay_tables(stepped, self._terms)
        self._tables.seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int] = [-1] * num_envs
        self._has_begun = np.zeros(num_envs, np.bool_)
        self._ended = np.zeros(num_envs, np.bool_)
        """Environments whose episode ended in the last step and that have not been reset."""
        self._reused = None if batch.copy else [Arrays(num_envs, stepped) for _ in range(2)]

    # Gymnasium's methods.

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in all environments, or in those that `options["reset_mask"]` selects.

        Environment i gets the seed `seed + i`. `options={"deal": [...]}` has a text for each environment.
        """
        options = dict(options or {})
        chosen = self._read_mask(options.pop("reset_mask", None))
        seeds = self._read_seeds(seed)
        states = self._read_deals(options, chosen)
        if seed is not None:
            known = [number for number in seeds if number is not None]
            self._tables.seed(int(np.random.SeedSequence(known).generate_state(1, np.uint64)[0]))
        places: list[int] = np.flatnonzero(chosen).tolist()
        for place in places:
            number = seeds[place]
            if number is not None:
                self._generators[place], self._seeds[place] = seeding.np_random(number)
        dealt = [place for place in places if states[place] is None]
        self._deal(dealt)
        for place, state in enumerate(states):
            if state is not None:
                whole = self._stepped.complete(state, self._generator(place))
                self._tables.lay(place, self._stepped.game.wire(whole))
        self._has_begun |= chosen
        self._ended &= ~chosen
        arrays = self._read()
        self._pass_over(arrays, dealt)
        present = None if chosen.all() else chosen
        return self._form.give_all(arrays.observations, arrays.masks), arrays.info(present)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make a move in all environments; with the mode NEXT_STEP, deal again where an episode has ended."""
        self._check_begun()
        numbers = self._read_actions(actions)
        skip = None
        if self._ended.any():
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise gym.error.ResetNeeded(
                    f"the episodes of the environments {np.flatnonzero(self._ended).tolist()} have ended; "
                    'they begin anew with reset(options={"reset_mask": ...})'
                )
            skip = self._ended.view(np.uint8)
        if self._settings.on_invalid == "raise":
            self._refuse_illegal(numbers, skip)
        dealt: list[int] = [] if skip is None else np.flatnonzero(skip).tolist()
        self._deal(dealt)
        self._tables.step(numbers, skip)
        arrays = self._read()
        self._pass_over(arrays, dealt)
        terminated, truncated = arrays.terminated, arrays.truncated
        self._ended = terminated | truncated
        final = self._begin_anew(arrays) if self.autoreset_mode is AutoresetMode.SAME_STEP else {}
        info = arrays.info() | final
        return self._form.give_all(arrays.observations, arrays.masks), arrays.rewards, terminated, truncated, info

    def render(self) -> tuple[Any, ...] | None:
        """Return every table as a player sees it: texts or pictures; None without a mode."""
        self._check_begun()
        if self.render_mode is None:
            return None
        show = self._stepped.write if self.render_mode == "ansi" else self._stepped.draw
        return tuple(show(self._stepped.shown(self.state(place))) for place in range(self.num_envs))

    # Methods beside Gymnasium's.

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, a row for each environment."""
        self._check_begun()
        arrays = Arrays(self.num_envs, self._stepped)
        arrays.fill(self._tables)
        return arrays.masks.view(np.bool_)

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a uniformly random legal action for each environment; 0 where an episode has ended."""
        self._check_begun()
        actions = np.empty(self.num_envs, np.int64)
        self._tables.sample(actions)
        return actions

    def state(self, place: int) -> Any:
        """Return the whole state of an environment, hidden cards included: for analysis, not for players."""
        return self._stepped.game.parse(self._tables.text(place))

    @property  # type: ignore[misc] # nobody sets them one by one
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override] # as SyncVectorEnv has them
        """The generators of the environments."""
        return tuple(map(self._generator, range(self.num_envs)))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override] # as SyncVectorEnv has them
        """The seeds of the environments."""
        return tuple(self._seeds[place] for place in range(self.num_envs) if self._generator(place))

    # Implementation.

    def _generator(self, place: int) -> np.random.Generator:
        generator = self._generators[place]
        if generator is None:
            generator, self._seeds[place] = seeding.np_random()
            self._generators[place] = generator
        return generator

    def _deal(self, places: list[int]) -> None:
        """Deal new games, each with a number from the environment's own generator."""
        if places:
            self._tables.deal(places, [int(self._generator(place).integers(2**63)) for place in places])

    def _pass_over(self, arrays: Arrays, dealt: list[int]) -> None:
        """Deal again where no move is legal: every episode has at least one step."""
        places = np.array(dealt, np.intp)
        while len(places):
            has_move: NDArray[np.bool_] = np.any(arrays.masks[places], axis=1)
            places = places[~has_move]
            if len(places):
                self._deal(places.tolist())
                again = Arrays(len(places), self._stepped)
                again.fill(self._tables, places.tolist())
                arrays.put(places, again)

    def _read(self) -> Arrays:
        if self._reused is None:
            arrays = Arrays(self.num_envs, self._stepped)
        else:
            # The arrays returned last stay unchanged until the next call but one.
            self._reused.reverse()
            arrays = self._reused[0]
        arrays.fill(self._tables)
        return arrays

    def _begin_anew(self, arrays: Arrays) -> dict[str, Any]:
        """Deal again where episodes ended (mode SAME_STEP), and return their final observations and infos."""
        if not self._ended.any():
            return {}
        present = self._ended.copy()
        places = np.flatnonzero(present)
        ends = self._form.give_all(arrays.observations[places], arrays.masks[places])
        shown = np.full(self.num_envs, None, object)
        for row, place in enumerate(places):
            shown[place] = {name: part[row] for name, part in ends.items()} if isinstance(ends, dict) else ends[row]
        final = {
            "final_obs": shown,
            "_final_obs": present,
            "final_info": arrays.info(present),
            "_final_info": present.copy(),
        }
        self._deal(places.tolist())
        self._ended[:] = False
        begun = Arrays(len(places), self._stepped)
        begun.fill(self._tables, places.tolist())
        arrays.put(places, begun)
        self._pass_over(arrays, places.tolist())
        return final

    def _check_begun(self) -> None:
        if not self._has_begun.all():
            raise gym.error.ResetNeeded("an episode begins with reset()")

    def _refuse_illegal(self, actions: NDArray[np.int64], skip: NDArray[np.uint8] | None) -> None:
        # Checked before any step: one illegal action leaves all tables unchanged.
        place = self._tables.first_illegal(actions, skip)
        if place is not None:
            refuse(self._stepped, self.state(place), int(actions[place]))

    def _read_actions(self, actions: Any) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
            raise UsageError(
                f"actions of {given.dtype} with the shape {given.shape} are not allowed; "
                f"they are whole numbers with the shape ({self.num_envs},)"
            )
        numbers = np.ascontiguousarray(given, np.int64)
        # Read as unsigned, a negative number is greater than any action.
        wrong = numbers.view(np.uint64) >= self._stepped.actions
        if wrong.any():
            named = ", ".join(f"{given[place]} of environment {place}" for place in np.flatnonzero(wrong)[:10])
            raise UsageError(f"not an action: {named}; actions are 0..{self._stepped.actions - 1}")
        return numbers

    def _read_seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + place for place in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise UsageError(f"{len(seed)} seeds are given for {self.num_envs} environments")
        return [None if number is None else int(number) for number in seed]

    def _read_mask(self, mask: object) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise UsageError(f'options["reset_mask"] is not allowed; it is an array of {self.num_envs} bools')
        if not mask.any():
            raise UsageError('options["reset_mask"] names no environment')
        return mask.copy()

    def _read_deals(self, options: dict[str, Any], chosen: NDArray[np.bool_]) -> list[Any]:
        """Return the state of each chosen environment for which the options have a deal, None for the others."""
        deals = options.get("deal")
        each = [deals] * self.num_envs if deals is None or isinstance(deals, str) else list(deals)
        if len(each) != self.num_envs:
            raise UsageError(f"{len(each)} deals are given for {self.num_envs} environments")
        faults: list[str] = []
        states: list[Any] = []
        for place, text in enumerate(each):
            states.append(None)
            if not chosen[place]:
                continue
            try:
                states[place] = read_options(self._stepped.game, options if text is None else options | {"deal": text})
                if states[place] is not None:
                    self._stepped.check_fit(states[place])
            except ValueError as error:
                faults.append(f"environment {place}: {error}")
        if faults:
            raise UsageError("; ".join(faults))
        return states

    # The engine's tables cannot be pickled or copied; their saved states can.

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_tables": self._tables.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tables = lay_tables(self._stepped, self._terms)
        self._tables.restore(state["_tables"])


class GameVectorEnv(MoveVectorEnv):
    """Many tables of a game whose variants and rule fields are arguments."""

    steps: ClassVar[type[Stepped[Any, Any]]]

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        threads: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        variant: str | None = None,
        **arguments: Any,
    ) -> None:
        (stepped, settings), batch = read_all(
            lambda: read_arguments(type(self), self.steps, variant, arguments),
            lambda: Batch.read(
                autoreset_mode,
                arguments.get("render_mode"),
                num_envs=num_envs,
                max_episode_steps=max_episode_steps,
                threads=threads,
                copy=copy,
            ),
        )
        super().__init__(stepped, settings, batch)
