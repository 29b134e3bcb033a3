"""The progress line on stderr."""

from __future__ import annotations

import shutil
import sys
from time import monotonic

from unshuffle.cli.show import duration, plural, speed
from unshuffle.solve import Progress
from unshuffle.terminal import as_is

_PATIENCE = 0.5
_PAUSE = 0.1


class ProgressLine:
    """A line on the terminal that is overwritten and finally erased. Writes nothing if stderr is a pipe."""

    def __init__(self) -> None:
        self.is_seen = sys.stderr.isatty()
        self.done = 0
        """The number of finished deals at the last update."""
        self._begun = self._drawn_at = monotonic()
        self._is_drawn = False

    def search(self, now: Progress) -> None:
        """Show the progress of a search."""
        count = f"{plural(now.nodes, 'node')}{speed(now.nodes, now.seconds, 'nodes')}"
        self._draw(f"{count}, best {now.score}, bound {now.bound}, {duration(now.seconds)}")

    def deals(self, done: int, of: int) -> None:
        """Show the progress of a run over many deals."""
        self.done = done
        seconds = monotonic() - self._begun
        text = f"{done:,} of {of:,} deals{speed(done, seconds, 'deals')}, {duration(seconds)}"
        # In the first second the estimate is unstable.
        left = f", about {seconds / done * (of - done):,.0f} s left" if done and seconds > 1 else ""
        self._draw(text + left)

    def text(self, text: str) -> None:
        """Show any other text."""
        self._draw(text)

    def _draw(self, text: str) -> None:
        now = monotonic()
        if not self.is_seen or now - self._begun < _PATIENCE or now - self._drawn_at < _PAUSE:
            return
        self._drawn_at = now
        self._is_drawn = True
        self._write(text[: shutil.get_terminal_size().columns - 1])

    def clear(self) -> None:
        """Erase the line, so that other output can be written there."""
        if self._is_drawn:
            self._is_drawn = False
            self._write("")

    def _write(self, text: str) -> None:
        begin, end = as_is(sys.stderr, "\r"), as_is(sys.stderr, "\x1b[K")
        sys.stderr.write(f"{begin}{text}{end}")
        sys.stderr.flush()
