"""`unshuffle values build` with little work in small pieces and a rest after each: long enough to be caught."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from time import sleep

from unshuffle.cli.main import main
from unshuffle.cli.progress import ProgressLine


class Resting(ProgressLine):
    def text(self, text: str) -> None:
        super().text(text)
        sleep(0.05)


def work_little(patch: Callable[[object, str, object], None]) -> None:
    """Build values of few shapes of Gaps, from a fit that tries few settings."""
    from unshuffle.games.gaps.hidden.values import SHAPES
    from unshuffle.games.gaps.values import building, fitting  # slow to import

    late = tuple(shape for shape in SHAPES if 40 <= sum(shape) < 48)[::3]
    patch(building, "shapes_to_value", lambda: late)
    patch(fitting, "GRID", {"missed": (0.1, 0.2)})


if __name__ == "__main__":
    from unshuffle.cli import values

    game = sys.argv[1]
    module = import_module(f"unshuffle.games.{game.replace('-', '_')}.values.building")
    assert module._PIECE_SECONDS == 1.0
    setattr(module, "_PIECE_SECONDS", 0.03)  # noqa: B010 # mypy takes it for a constant
    setattr(values, "ProgressLine", Resting)  # noqa: B010
    if game == "gaps":
        setattr(module, "_MOST", 20)  # noqa: B010
        work_little(setattr)
    sys.exit(main(["values", "build", *sys.argv[1:]]))
