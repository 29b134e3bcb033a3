"""The common part of single environments and batches: their arguments, and the form of their observations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from inspect import Parameter, signature
from math import prod
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from unshuffle.envs.stepped import Bytes, Mask, Stepped
from unshuffle.errors import UnknownKeywordError, UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.registry import game, games
from unshuffle.rulebook import is_among

RENDER_MODES = ("ansi", "rgb_array", "human")
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}

_ALLOWED = {
    "obs": ("dict", "flat"),
    "mask_in_obs": (False, True),
    "reward": ("delta", "shaped", "win"),
    "on_invalid": ("noop", "terminate", "raise"),
    "render_mode": (None, *RENDER_MODES),
}
# A larger batch is a typing error: it would fill the memory.
_BATCH = {"num_envs": range(1, (1 << 22) + 1), "threads": range(1, 1025), "copy": (True, False)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The arguments that every environment of whole moves has."""

    obs: str = "dict"
    mask_in_obs: bool = False
    reward: str = "delta"
    gamma: float = 0.99
    """The discount factor of the potential in shaped rewards."""
    on_invalid: str = "noop"
    render_mode: str | None = None

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in _ALLOWED}
        read_all(lambda: check_arguments(given, _ALLOWED), self._check_gamma)

    def _check_gamma(self) -> None:
        is_number = isinstance(self.gamma, (int, float, np.floating)) and not isinstance(self.gamma, bool)
        if not is_number or not 0 <= self.gamma <= 1:
            raise UsageError(f"gamma={self.gamma!r} is not allowed; it may be a number from 0 to 1")

    @property
    def when_invalid(self) -> str:
        """The tables' setting for illegal actions; with 'raise' they never reach the tables."""
        return "noop" if self.on_invalid == "raise" else self.on_invalid


SETTINGS = tuple(field.name for field in fields(Settings))
"""The names of these arguments."""


def check_arguments(given: Mapping[str, object], allowed: Mapping[str, Iterable[object]]) -> None:
    """Raise UsageError that names every argument with a forbidden value and the values it may have."""
    faults = [
        f"{name}={value!r} is not allowed; it may be {_list(allowed[name])}"
        for name, value in given.items()
        if not is_among(value, allowed[name])
    ]
    if faults:
        raise UsageError("; ".join(faults))


def _list(values: Iterable[object]) -> str:
    if isinstance(values, range):
        return f"{values[0]}..{values[-1]}"
    return ", ".join(map(repr, values))


def read_all(*readers: Callable[[], Any]) -> list[Any]:
    """Return the results of all readers. One UsageError has all faults; an unknown keyword decides its class."""
    faults: list[UsageError] = []
    found = []
    for read in readers:
        try:
            found.append(read())
        except UsageError as error:
            faults.append(error)
    if faults:
        is_keyword = any(isinstance(fault, UnknownKeywordError) for fault in faults)
        raise (UnknownKeywordError if is_keyword else UsageError)("; ".join(map(str, faults)))
    return found


def refuse_unknown(environment: type, given: Iterable[str], more: Iterable[str] = ()) -> None:
    """Raise UnknownKeywordError for keywords that are neither in the class's signature nor in `more`.

    The message has Python's own wording: TorchRL and others try keywords of their own and parse it to drop them.
    """
    named = signature(environment).parameters.values()
    known = [*(one.name for one in named if one.kind is not Parameter.VAR_KEYWORD), *more]
    unknown = [f"an unexpected keyword argument {quote(name)}" for name in given if name not in known]
    if unknown:
        said = ", ".join(dict.fromkeys(known))
        raise UnknownKeywordError(f"{environment.__name__}.__init__() got {' and '.join(unknown)} (known: {said})")


def read_arguments(
    environment: type, steps: type[Stepped[Any, Any]], variant: object, arguments: Mapping[str, Any]
) -> tuple[Stepped[Any, Any], Settings]:
    """Return the game and the settings of these arguments, which may include rule fields. UsageError names all faults.

    The other arguments of the environment are in its signature.
    """
    settings = {name: value for name, value in arguments.items() if name in SETTINGS}
    try:
        game_id, slug = _find_game(steps, variant, arguments)
    except UsageError:
        read_all(lambda: _find_game(steps, variant, arguments), lambda: Settings(**settings))
        raise
    own = [] if steps.game_id else ["game"]
    names = [field.name for field in fields(game(game_id).rules) if field.name not in own]
    rules = {name: value for name, value in arguments.items() if name in names}
    stepped, made, _ = read_all(
        lambda: steps(_read_game(game_id, slug, rules)),
        lambda: Settings(**settings),
        lambda: refuse_unknown(environment, arguments, [*own, *SETTINGS, *names]),
    )
    return stepped, made


def _find_game(steps: type[Stepped[Any, Any]], variant: object, arguments: Mapping[str, Any]) -> tuple[str, object]:
    """Return the id and the variant of the game; a general environment reads them from `game`: "golf", "golf/easy"."""
    if steps.game_id:
        return steps.game_id, variant
    named = arguments.get("game")
    if not isinstance(named, str):
        example = next(iter(games()))
        raise UsageError(f"game={named!r} is not allowed; it is the id of a game, such as {example!r}")
    name, _, slug = named.partition("/")
    game(name)  # raises UsageError with the nearest id
    if slug and variant is not None:
        raise UsageError(f"game={named!r} has a variant already; variant={variant!r} is one too many")
    return name, slug or variant


def _read_game(game_id: str, variant: object, rules: Mapping[str, Any]) -> AnyGame:
    if variant is None:
        return game(game_id, **rules)
    try:
        if not isinstance(variant, str):
            raise UsageError(f"variant={variant!r} is not allowed; it is a text such as {game(game_id).variant!r}")
        game(game_id, variant)
    except UsageError as error:
        wrong = _wrong_rules(game_id, rules)
        raise UsageError("; ".join([str(error), *wrong])) from None
    return game(game_id, variant, **rules)


def _wrong_rules(game_id: str, rules: Mapping[str, Any]) -> list[str]:
    """Return the faults of rule fields given with an unknown variant: only those that every variant has."""
    faults = []
    for slug in game(game_id).variants:
        try:
            game(game_id, slug, **rules)
        except UsageError as error:
            faults.append(str(error))
        else:
            return []
    return faults[:1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The further arguments of a batch."""

    num_envs: int
    max_episode_steps: int | None
    """Steps after which an episode is truncated; None or -1 is no limit."""
    threads: int
    autoreset_mode: AutoresetMode
    copy: bool

    @classmethod
    def read(cls, autoreset_mode: object, render_mode: object, **numbers: Any) -> Batch:
        """Return the arguments of a batch; UsageError names all faults. A batch cannot render in the mode `human`."""
        mode, _, _, _ = read_all(
            lambda: _read_mode(autoreset_mode),
            lambda: check_arguments({name: numbers[name] for name in _BATCH}, _BATCH),
            lambda: _check_limit(numbers["max_episode_steps"]),
            lambda: _check_shown(render_mode),
        )
        return cls(autoreset_mode=mode, **numbers)


def _read_mode(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(repr(known.value) for known in AutoresetMode)
        raise UsageError(f"autoreset_mode={quote(str(mode))} is not allowed; it may be {names}") from None


def _check_limit(steps: object) -> None:
    is_limit = type(steps) is int and (steps >= 1 or steps == -1)
    if steps is not None and not is_limit:
        raise UsageError(f"max_episode_steps={steps!r} is not allowed; it may be 1 or more, or -1 for none")


def _check_shown(mode: object) -> None:
    if mode == "human":
        raise UsageError("render_mode='human' is not allowed with many tables; it may be None, 'ansi', 'rgb_array'")


class Form:
    """The form of observations: parts by name, or one row of bytes; with or without the mask."""

    def __init__(self, stepped: Stepped[Any, Any], settings: Settings) -> None:
        self._is_flat, self._with_mask = settings.obs == "flat", settings.mask_in_obs
        self._parts: list[tuple[str, slice, tuple[int, ...] | None]] = []
        start = 0
        for name, (shape, _) in stepped.parts.items():
            part = slice(start, start + prod(shape))
            # A part with one dimension needs no reshaping.
            self._parts.append((name, part, shape if len(shape) > 1 else None))
            start = part.stop
        mask = spaces.Box(0, 1, (stepped.actions,), np.int8)
        space: spaces.Space[Any] = stepped.space
        if self._is_flat:
            space = spaces.flatten_space(stepped.space)
        if self._with_mask:
            parts: Mapping[str, spaces.Space[Any]] = {"observations": space} if self._is_flat else stepped.space.spaces
            space = spaces.Dict({"action_mask": mask, **parts})
        self.space = space

    def give(self, observation: Bytes, mask: Mask) -> Any:
        """Return the observation of one table: views of its bytes, and a copy of the mask."""
        if self._is_flat:
            return {"action_mask": mask.copy(), "observations": observation} if self._with_mask else observation
        given: dict[str, NDArray[Any]] = {"action_mask": mask.copy()} if self._with_mask else {}
        for name, part, shape in self._parts:
            given[name] = observation[part] if shape is None else observation[part].reshape(shape)
        return given

    def give_all(self, observations: Bytes, masks: Mask) -> Any:
        """Return the observations of many tables, given a row of bytes and of the mask for each."""
        if self._is_flat:
            return {"action_mask": masks.copy(), "observations": observations} if self._with_mask else observations
        given: dict[str, NDArray[Any]] = {"action_mask": masks.copy()} if self._with_mask else {}
        for name, part, shape in self._parts:
            view = observations[:, part]
            given[name] = view if shape is None else view.reshape(len(view), *shape)
        return given


def show_to_person(text: str) -> None:
    """Print the picture of the mode `human`; on a terminal it replaces the one before."""
    home = "\x1b[H\x1b[J" if sys.stdout.isatty() else ""
    sys.stdout.write(home + text)
    sys.stdout.flush()
