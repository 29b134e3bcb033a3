"""The common part of all pictures of tables: their size, the positions on them, and drawing a pile."""

from __future__ import annotations

import math
from collections.abc import Sequence

from unshuffle.cards import Card
from unshuffle.envs import sprites
from unshuffle.envs.font import lettering
from unshuffle.envs.sprites import CARD_HEIGHT, INDEX_HEIGHT, PALE, Pixels

HEIGHT, WIDTH = 480, 640

MARGIN = 8
SHELF = 6
"""The top of the upper row."""
NUMBERS = 90
"""The top of the numbers of the piles."""
_TABLE = 100
WORDS = 461
_UP_STEP, _DOWN_STEP = INDEX_HEIGHT, 7
"""How many pixels of a covered card are visible, face up and face down, if there is room."""
_LEAST_DOWN_STEP = 3


def write_centred(canvas: Pixels, text: str, middle: int, top: int, colour: sprites.Colour = PALE) -> None:
    """Write a line of text centred on `middle`."""
    sprites.write(canvas, text, middle - lettering(text).shape[1] // 2, top, colour)


def draw_pile(canvas: Pixels, pile: Sequence[Card | None], left: int) -> None:
    """Draw a pile downwards, bottom card first, with its cards moved together if room is short."""
    if not pile:
        sprites.paste(canvas, sprites.place(), left, _TABLE)
        return
    step_up, step_down = _steps(pile)
    is_tall = step_up < INDEX_HEIGHT - 3
    top = float(_TABLE)
    for card in pile[:-1]:
        step = step_down if card is None else step_up
        sprite = sprites.back() if card is None else sprites.face(card, small_index=is_tall)
        sprites.paste(canvas, sprite, left, round(top), seen=math.ceil(step))
        top += step
    last = pile[-1]
    sprites.paste(canvas, sprites.back() if last is None else sprites.face(last), left, round(top))


def _steps(pile: Sequence[Card | None]) -> tuple[float, float]:
    """Return how many pixels of each covered card of the pile are visible, face up and face down."""
    down = sum(card is None for card in pile[:-1])
    up = len(pile) - 1 - down
    room = WORDS - 6 - _TABLE - CARD_HEIGHT
    if _UP_STEP * up + _DOWN_STEP * down <= room:
        return _UP_STEP, _DOWN_STEP
    # All backs look alike, so they shrink first.
    left_over = (room - _LEAST_DOWN_STEP * down) / max(up, 1)
    if up and left_over <= _UP_STEP:
        return left_over, _LEAST_DOWN_STEP
    return _UP_STEP, (room - _UP_STEP * up) / down
