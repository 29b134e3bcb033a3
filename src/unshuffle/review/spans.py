"""The parts of a line that are reviewed separately."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.game import AnyGame
from unshuffle.solve import Line


def split(game: AnyGame, line: Line) -> Iterator[tuple[int, Line]]:
    """Yield the parts of a line, each with the number of its first position.

    Within a part, a position before a winnable one is winnable. A random redeal ends a part, since its result says
    nothing about the play before it.
    """
    first = 0
    for place, move in enumerate(line.moves):
        if game.is_told_redeal(move) or (game.solves_phases and game.is_redeal(move)):
            yield first, Line(line.states[first : place + 1], line.moves[first:place])
            first = place + 1
    yield first, Line(line.states[first:], line.moves[first:])
