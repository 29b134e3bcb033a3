"""Shorter lines of play with the same outcome."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from unshuffle.errors import IllegalMoveError
from unshuffle.solve.replay import Line, replay


def shorten(line: Line, until: float | None = None, *, uncharged: Callable[[Any], Any] | None = None) -> Line:
    """Return the line without loops between equal positions and without single moves that the rest does not need.

    The rules replay every shorter line to the same outcome and no lower score. `until` is a time of `monotonic`;
    `uncharged` is the game's, which makes equal positions compare equal where moves cost points.
    """
    line = _without_loops(line, uncharged)
    # Repeat after a success: without one move another may be needless.
    shorter = True
    while shorter:
        shorter = False
        index = len(line.moves) - 1
        while index >= 0:
            if until is not None and monotonic() > until:
                return line
            dropped = _without(line, index)
            if dropped is not None:
                line, shorter = dropped, True
            index -= 1
    return line


def _without(line: Line, index: int) -> Line | None:
    try:
        rest = replay(line.states[index], line.moves[index + 1 :])
    except IllegalMoveError:
        return None
    if rest.outcome is not line.outcome or rest.score < line.score:
        return None
    return Line(line.states[:index] + rest.states, line.moves[:index] + rest.moves)


def _without_loops(line: Line, uncharged: Callable[[Any], Any] | None) -> Line:
    states: list[Any] = []
    moves: list[Any] = []
    place: dict[Any, int] = {}
    for number, state in enumerate(line.states):
        position = state if uncharged is None else uncharged(state)
        if position in place:
            # The line is back at an earlier position: drop the loop.
            keep = place[position]
            for gone in states[keep + 1 :]:
                del place[gone]
            del states[keep + 1 :], moves[keep:]
        else:
            place[position] = len(states)
            states.append(position)
        if number < len(line.moves):
            moves.append(line.moves[number])
    return line if len(moves) == len(line.moves) else replay(line.states[0], moves)
