"""`unshuffle values build` with little work in small pieces and a rest after each: long enough to be caught."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import sleep

from unshuffle.cli.main import main
from unshuffle.cli.progress import ProgressLine
from unshuffle.games.aces_up.values import building as aces_up
from unshuffle.games.belle_lucie.values import building as belle_lucie
from unshuffle.games.gaps.hidden.values import SHAPES
from unshuffle.games.gaps.values import building as gaps
from unshuffle.games.gaps.values import fitting

LATE = tuple(shape for shape in SHAPES if 40 <= sum(shape) < 48)[::3]


class Resting(ProgressLine):
    def text(self, text: str) -> None:
        super().text(text)
        sleep(0.05)


def work_little(patch: Callable[[object, str, object], None]) -> None:
    """Build values of few shapes of Gaps, from a fit that tries few settings."""
    patch(gaps, "shapes_to_value", lambda: LATE)
    patch(fitting, "GRID", {"missed": (0.1, 0.2)})


if __name__ == "__main__":
    from unshuffle.cli import values

    for module in (aces_up, belle_lucie, gaps):
        assert module._PIECE_SECONDS == 1.0
        setattr(module, "_PIECE_SECONDS", 0.03)  # noqa: B010 # mypy takes it for a constant
    setattr(gaps, "_MOST", 20)  # noqa: B010
    setattr(values, "ProgressLine", Resting)  # noqa: B010
    work_little(setattr)
    sys.exit(main(["values", "build", *sys.argv[1:]]))
