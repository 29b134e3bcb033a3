"""`unshuffle values build` as it is, but in small pieces with a rest after each: long enough to be caught."""

from __future__ import annotations

import sys
from time import sleep

from unshuffle.cli.main import main
from unshuffle.cli.progress import ProgressLine
from unshuffle.games.aces_up.values import building as aces_up
from unshuffle.games.belle_lucie.values import building as belle_lucie
from unshuffle.games.gaps.values import building as gaps


class Resting(ProgressLine):
    def text(self, text: str) -> None:
        super().text(text)
        sleep(0.05)


if __name__ == "__main__":
    from unshuffle.cli import values

    for module in (aces_up, belle_lucie, gaps):
        assert module._PIECE_SECONDS == 1.0
        setattr(module, "_PIECE_SECONDS", 0.03)  # noqa: B010 # mypy takes it for a constant
    setattr(values, "ProgressLine", Resting)  # noqa: B010
    sys.exit(main(["values", "build", *sys.argv[1:]]))
