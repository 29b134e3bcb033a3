"""`unshuffle values build` as it is, but for its pieces: so small that something is kept many times a second."""

from __future__ import annotations

import sys

from unshuffle.advise.aces_up import building as aces_up
from unshuffle.advise.belle_lucie import building as belle_lucie
from unshuffle.advise.gaps import building as gaps
from unshuffle.cli.main import main

for module in (aces_up, belle_lucie, gaps):
    assert module._PIECE_SECONDS == 1.0
    setattr(module, "_PIECE_SECONDS", 0.03)  # noqa: B010 # mypy takes it for a constant

if __name__ == "__main__":
    sys.exit(main(["values", "build", *sys.argv[1:]]))
