"""The trained values and weights of Aces Up, as `unshuffle values` builds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unshuffle.errors import UsageError, unknown
from unshuffle.numbers import plural
from unshuffle.values.building import Building, Values

if TYPE_CHECKING:
    from unshuffle.games.aces_up.values.building import Buildable


class AcesUpValues(Values):
    """The values of tables before a deal, and the weights of the player `weights`."""

    out = "aces-up-values.json"

    def building(self, given: dict[str, Any], out: Path | None) -> Building:
        """Return the build of either of the two, trained on games."""
        from unshuffle.games.aces_up.values import weighing  # imported here: other games do not need it
        from unshuffle.games.aces_up.values.building import Recipe, build

        table = given.pop("table", "values")
        recipe: Buildable
        if table == "weights":
            recipe, steps = weighing.Recipe(**given), "round"
        elif table == "values":
            if "rounds" in given:
                raise UsageError("--rounds says nothing about the values of aces-up, but about its weights")
            recipe, steps = Recipe(**given), "game"
        else:
            raise unknown("table of aces-up:", table, ("values", "weights"))
        path = out or Path(f"aces-up-{table}.json")

        def run(threads: int | None, tell: Callable[[str], object]) -> Sequence[str]:
            build(recipe, path, threads=threads, progress=lambda done, of: tell(f"{done:,} of {of:,} {steps}s"))
            return ()

        return Building(path, f"learnt from {plural(recipe.steps, steps)}", run)
