"""A picture of the board of Gaps: four rows of thirteen cells, and a bar below what is locked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unshuffle.envs import sprites
from unshuffle.envs.drawing import HEIGHT, MARGIN, WIDTH, WORDS, write_centred
from unshuffle.envs.font import lettering
from unshuffle.envs.sprites import CARD_HEIGHT, CARD_WIDTH, YELLOW, Pixels
from unshuffle.games.gaps.rules import COLUMNS, Cells, State, rows_of

_PITCH = 48
"""Thirteen cards side by side are too wide: each covers the edge of the one on its left, but not its index."""
_LEFTS = tuple(3 + _PITCH * column for column in range(COLUMNS))
_NUMBERS, _TOP, _ROW = 12, 26, 106
_BAR_BELOW, _BAR = 5, 4


def draw_rows(state: State) -> NDArray[np.uint8]:
    """The board as an array of `(480, 640, 3)` bytes, a new one on every call."""
    canvas = sprites.felt(HEIGHT, WIDTH).copy()
    for column, left in enumerate(_LEFTS, 1):
        write_centred(canvas, str(column), left + CARD_WIDTH // 2, _NUMBERS)
    for number, (row, (_, locked)) in enumerate(zip(rows_of(state.cells), state.locks, strict=True)):
        _draw_row(canvas, row, locked, _TOP + _ROW * number)
    sprites.write(canvas, f"score {state.score}", MARGIN, WORDS, scale=2)
    if state.rules.redeals:
        words = f"{state.redeals_left} redeal{'' if state.redeals_left == 1 else 's'} left"
        sprites.write(canvas, words, WIDTH - MARGIN - lettering(words, 2).shape[1], WORDS, scale=2)
    return canvas


def _draw_row(canvas: Pixels, row: Cells, locked: int, top: int) -> None:
    # Gaps first: their lines must not be drawn over a card.
    for left, card in zip(_LEFTS, row, strict=True):
        if card is None:
            sprites.paste(canvas, sprites.place(), left, top)
    for left, card in zip(_LEFTS, row, strict=True):
        if card is not None:
            sprites.paste(canvas, sprites.face(card), left, top)
    if locked:
        bar = top + CARD_HEIGHT + _BAR_BELOW
        canvas[bar : bar + _BAR, _LEFTS[0] : _LEFTS[locked - 1] + _PITCH] = YELLOW
