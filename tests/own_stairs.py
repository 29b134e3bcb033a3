"""A file for `--load` whose game brings every part that a game may have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import unshuffle as un
from tests.stairs import Stairs, State, Up
from unshuffle.advise.adviser import Advice, Adviser
from unshuffle.advise.coach import Coach, Judgement
from unshuffle.hidden.chance import Chance
from unshuffle.hidden.playing import Luck, Player
from unshuffle.manifest import Manifest, Seat
from unshuffle.options import GameOptions, option
from unshuffle.values.building import Building, Shown, Values


class StairsAdviser(Adviser):
    """A plan is all that an adviser must have."""

    def advise(self, view: Any) -> Advice:
        return Advice((Up(),), "next", Chance(0.5, 0.0), (f"Go up. {dict(self.effort)}",), "", (), {"chance": "even"})


class StairsCoach(Coach):
    def __init__(self, seconds: float) -> None:
        super().__init__()

    def judge(self, state: Any, move: Any) -> Judgement:
        return Judgement(("Coach: mind the step.",))


class Careful(un.Policy):
    name = "careful"

    def player(self, luck: Luck) -> Player:
        return lambda view, moves: moves[0]


POLICIES = {"careful": lambda game, text: Careful()}


@dataclass(frozen=True, kw_only=True)
class SolveOptions(GameOptions):
    shoes: bool = option("With shoes.", default=False)

    def notes(self, game: Any, table: Any = None) -> list[str]:
        return ["With shoes." if self.shoes else "Barefoot."]

    def game(self, game: Any, given: Collection[str]) -> Any:
        return game


@dataclass(frozen=True, kw_only=True)
class BuildOptions(GameOptions):
    samples: int | None = option("Stairs that are tried.", "N")


OPTIONS: dict[str, type[GameOptions]] = {"solve": SolveOptions, "values build": BuildOptions}


class StairsValues(Values):
    out = "stairs.txt"
    heights = "the stairs"

    def building(self, given: dict[str, Any], out: Path | None) -> Building:
        path = out or Path(self.out)

        def run(threads: int | None, tell: Callable[[str], object]) -> Sequence[str]:
            path.write_text(f"{given['samples']}\n")
            return ("every stair was tried",)

        return Building(path, "stairs", run)

    def show(self, game: Any, words: list[str]) -> Shown:
        return Shown({"words": words}, [f"{game}: {' '.join(words)}"])


class OwnStairs(Stairs):
    has = Manifest(
        adviser=f"{__name__}:StairsAdviser",
        coach=f"{__name__}:StairsCoach",
        policies=f"{__name__}:POLICIES",
        usual="careful",
        panel=(Seat("careful", 4),),
        environment=f"{__name__}:StairsEnv",
        environment_id="stairs/Own-v3",
        steps=7,
        options=f"{__name__}:OPTIONS",
        values=f"{__name__}:StairsValues",
    )


un.register(OwnStairs("own-stairs", 3))

from unshuffle.envs.single import GameEnv  # noqa: E402 # they ask for the game when they are made
from unshuffle.envs.stepped import Stepped  # noqa: E402
from unshuffle.envs.vector import GameVectorEnv  # noqa: E402


class StairsSteps(Stepped[State, Up]):
    game_id = "own-stairs"
    actions = 1
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]] = {"left": ((1,), 3)}

    def observe(self, state: State) -> NDArray[np.uint8]:
        return np.array([state.left], np.uint8)

    def draw(self, shown: Any) -> NDArray[np.uint8]:
        return np.zeros((8, 8, 3), np.uint8)

    def number(self, state: State, move: Up) -> int:
        return 0

    def move(self, state: State, action: int) -> Up:
        return Up()

    def completed(self, state: State) -> int:
        return 3 - state.left

    def potential(self, state: State) -> float:
        return 1 - state.left / 3


class StairsEnv(GameEnv):
    """Stairs, one by one."""

    steps = StairsSteps


class StairsVectorEnv(GameVectorEnv):
    """Many stairs."""

    steps = StairsSteps
