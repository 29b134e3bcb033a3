"""What a game has beside its rules, said by text: so a game names parts of later rooms and imports none of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple


class Seat(NamedTuple):
    """A player at the table of a panel, and how many games it plays."""

    policy: str
    games: int = 1
    """Game k, from 0, has the luck of the policy's seed k."""
    slips: int = 0
    """One move in so many is a slip; 0: none."""

    def __str__(self) -> str:
        times = f" x{self.games}" if self.games > 1 else ""
        return f"{self.policy}{f';slips={self.slips}' if self.slips else ''}{times}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The parts of a game. Each text is `module:name`; an empty one says that the game has no such part of its own.

    A file of `--load` names its own parts with `__name__`: `adviser=f"{__name__}:GolfAdviser"`.
    """

    adviser: str = ""
    """An `advise.adviser.Adviser`, made with the game: it plans, and makes the parts that talk about tables."""
    coach: str = ""
    """An `advise.coach.Coach`, made with the seconds of a look; without it a coach is made of the adviser."""
    policies: str = ""
    """The names of policies with what makes each: the same mapping as `hidden.policy.register_policy` fills."""
    reduce: str = ""
    """Of a policy that is a list of rules: the list as stores keep it, without those that never move, and its dialect.
    A function of the policy's text; None for any other policy."""
    usual: str = "rollout:5"
    """The policy that estimates a chance to win where none is named."""
    panel: tuple[Seat, ...] = (Seat("rollout:5", 10),)
    """Who measures how difficult a deal is. On most deals that can be won some of the games should be won and some
    lost, and one deal should take well under a second of the engine's time."""
    environment: str = ""
    """An `envs.single.MoveEnv` whose name ends in `Env`; beside it stands the `VectorEnv`: `AgnesEnv`,
    `AgnesVectorEnv`. A game with places that names none is played in `unshuffle/Patience-v0`."""
    environment_id: str = ""
    """The id by which `gymnasium.make` finds it: `unshuffle/Agnes-v0`."""
    steps: int = 1000
    """Steps after which its episodes are cut off."""
    more_environments: tuple[tuple[str, str, int], ...] = ()
    """Environments of another kind, such as another program's: id, class, steps."""
    options: str = ""
    """Options that the game adds to commands: the name of a command with a dataclass (`options.GameOptions`)."""
    values: str = ""
    """What `unshuffle values` builds and shows: an `values.building.Values`."""
    without: str = ""
    """The engine's search with some of the game's `techniques` switched off: it is called with the engine, a state, the
    game, `solve.limits.Limits`, whether to maximise, what watches it and the names; `solve.reference.Found`. Without it
    such a search is the generic one."""
    results: str = ""
    """The module that reads and writes the results file of another program (`study.importing`)."""
    engine: str = ""
    """The engine's name for these rules; without it that is the id of the game."""


def part(text: str) -> Any:
    """What a text names: an attribute of a module, or a module."""
    module, _, name = text.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found
