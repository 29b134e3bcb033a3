"""The programs of studies/, as tests call them."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

from unshuffle.store import Store


def load_page(program: Path) -> Callable[[Store], str]:
    """What makes the page; a program looks for its neighbours, which nobody else should find."""
    path = list(sys.path)
    try:
        made: Callable[[Store], str] = runpy.run_path(str(program))["write_page"]
        return made
    finally:
        sys.path[:] = path
