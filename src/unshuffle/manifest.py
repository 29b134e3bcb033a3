"""The parts of a game beside its rules, named by text, so that a game names later packages without importing them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple


class Seat(NamedTuple):
    """A player of a panel, and how many games it plays."""

    policy: str
    games: int = 1
    """The number of games; game k, from 0, has the policy's seed k."""
    slips: int = 0
    """One move in so many is random; 0: none."""

    def __str__(self) -> str:
        times = f" x{self.games}" if self.games > 1 else ""
        return f"{self.policy}{f';slips={self.slips}' if self.slips else ''}{times}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The parts of a game. Each text is `module:name`; an empty one means that the game has no such part of its own.

    A file of `--load` names its own parts with `__name__`: `adviser=f"{__name__}:GolfAdviser"`.
    """

    adviser: str = ""
    """An `advise.adviser.Adviser`, constructed with the game: it plans, and has the parts that deal with tables."""
    coach: str = ""
    """An `advise.coach.Coach`, constructed with the seconds for one move; by default one is made from the adviser."""
    policies: str = ""
    """The factories of policies by name: the same mapping as `hidden.policy.register_policy` fills."""
    reduce: str = ""
    """A function of a policy's text. For a list of rules it returns the list as stores keep it, without rules that
    never move, and its dialect; for any other policy None."""
    usual: str = "rollout:5"
    """The default policy for estimating a chance to win."""
    panel: tuple[Seat, ...] = (Seat("rollout:5", 10),)
    """The players that measure how difficult a deal is. On most deals that can be won some of the games should be won
    and some lost, and one deal should take well under a second of the engine's time."""
    environment: str = ""
    """An `envs.single.MoveEnv` whose name ends in `Env`; its module also has the `VectorEnv`: `AgnesEnv`,
    `AgnesVectorEnv`. A game with places that names none is played in `unshuffle/Patience-v0`."""
    environment_id: str = ""
    """The id of the environment for `gymnasium.make`: `unshuffle/Agnes-v0`."""
    steps: int = 1000
    """Steps after which its episodes are truncated."""
    more_environments: tuple[tuple[str, str, int], ...] = ()
    """Further environments, such as another program's: id, class, steps."""
    options: str = ""
    """Options that the game adds to commands: a dataclass (`options.GameOptions`) by the name of each command."""
    values: str = ""
    """The value tables of the game (`values.building.Values`) for `unshuffle values`."""
    without: str = ""
    """The engine's search with some `techniques` switched off. Its arguments: the engine, a state, the game,
    `solve.limits.Limits`, whether to maximise, the watcher and the names. It returns `solve.reference.Found`. By
    default such a search is the generic one."""
    results: str = ""
    """The module that reads and writes the results file of another program (`study.importing`)."""
    engine: str = ""
    """The engine's name for these rules; by default the id of the game."""


def part(text: str) -> Any:
    """Return the object that a text names: an attribute of a module, or a module."""
    module, _, name = text.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found
