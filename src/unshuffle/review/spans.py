"""A line of play, cut where one question ends and another begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unshuffle.game import AnyGame
from unshuffle.solve import Line


def is_redeal(move: Any) -> bool:
    """In every game with redeals these are its tokens: r, and r= with the cards."""
    return bool(move.token == "r" or move.token.startswith("r="))


def split(game: AnyGame, line: Line) -> Iterator[tuple[int, Line]]:
    """Parts in which a win later is a win before, each with the number of its first position.

    A redeal that was chance ends a part: what it brought says nothing about the play before it.
    """
    first = 0
    for place, move in enumerate(line.moves):
        is_chance = game.solves_phases or move.token.startswith("r=")
        if is_redeal(move) and is_chance:
            yield first, Line(line.states[first : place + 1], line.moves[first:place])
            first = place + 1
    yield first, Line(line.states[first:], line.moves[first:])
