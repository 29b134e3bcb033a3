"""The trace of a search: a line of JSON for every position that it visits."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from typing import Any

Write = Callable[[str], object]
"""Takes one or more whole lines of text, as `file.write` does."""

# Characters to buffer before they are written.
_CHUNK = 1 << 16


class Trace:
    """The trace of one search by the Python side; the engine writes the same keys by itself."""

    def __init__(self, write: Write, layout: Callable[[Any], str]) -> None:
        self._write = write
        self._layout = layout
        self._lines: list[str] = []
        self._size = 0
        self._token: str | None = None
        self._is_forced = False
        self._numbers: dict[Hashable, int] = {}
        """The number of each distinct key, in the order of the first visits."""

    def play(self, move: Any, is_forced: bool) -> None:
        """Record the move that leads to the next position."""
        self._token = move.token
        self._is_forced = is_forced

    def come_to(self, state: Any, key: Hashable, depth: int, cut: str | None) -> None:
        """Record a position; `cut` is why the search does not expand it, None if it does."""
        number = self._numbers.setdefault(key, len(self._numbers))
        line = json.dumps(
            {
                "position": self._layout(state),
                "move": self._token,
                "depth": depth,
                "cut": cut,
                "forced": self._is_forced,
                "key": f"p{number:09}",
            }
        )
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _CHUNK:
            self.finish()

    def finish(self) -> None:
        """Write the buffered lines."""
        if self._lines:
            text = "".join(f"{line}\n" for line in self._lines)
            self._lines.clear()
            self._size = 0
            self._write(text)
