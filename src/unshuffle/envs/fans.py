"""A picture of a table of fans: the foundations above, then the fans side by side, and words below."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unshuffle.cards import Card
from unshuffle.envs import sprites
from unshuffle.envs.drawing import HEIGHT, MARGIN, SHELF, WIDTH, WORDS
from unshuffle.envs.font import lettering
from unshuffle.envs.sprites import CARD_HEIGHT, CARD_WIDTH, INDEX_HEIGHT, Pixels
from unshuffle.envs.stepped import SUITS
from unshuffle.games.belle_lucie.rules import Fan, State

_TOP, _BOTTOM = 96, 455
_IN_ROW, _MOST_IN_ROW = 9, 18
"""Fans that lie side by side without covering each other, and with all their ranks and suits still to be read."""
_TALL = 10
"""Longer fans than this need the room of two rows."""
_WIDEST = 66


def draw_fans(state: State) -> NDArray[np.uint8]:
    """The table as an array of `(480, 640, 3)` bytes, a new one on every call."""
    canvas = sprites.felt(HEIGHT, WIDTH).copy()
    for number, suit in enumerate(SUITS):
        height = state.foundations[suit]
        sprite = sprites.face(Card(height, suit)) if height else sprites.place()
        sprites.paste(canvas, sprite, MARGIN + _WIDEST * number, SHELF)
    is_tall = any(len(fan) > _TALL for fan in state.fans)
    rows = min(3, max(1, -(-len(state.fans) // (_MOST_IN_ROW if is_tall else _IN_ROW))))
    in_row = max(1, -(-len(state.fans) // rows))
    pitch = min(_WIDEST, (WIDTH - 2 * MARGIN - CARD_WIDTH) / max(1, in_row - 1))
    room = (_BOTTOM - _TOP) // rows
    for number, fan in enumerate(state.fans):
        row, column = divmod(number, in_row)
        _draw_fan(canvas, fan, MARGIN + round(pitch * column), _TOP + room * row, room - 6)
    sprites.write(canvas, f"score {state.score}", MARGIN, WORDS, scale=2)
    words = "  ".join(_count(state))
    sprites.write(canvas, words, WIDTH - MARGIN - lettering(words, 2).shape[1], WORDS, scale=2)
    return canvas


def _count(state: State) -> list[str]:
    """What is left in rules that have it."""
    left = []
    if state.rules.merci != "none":
        left.append(f"mercis {state.mercis}")
    if state.rules.redeals:
        left.append(f"redeals {state.redeals_left}")
    return left


def _draw_fan(canvas: Pixels, fan: Fan, left: int, top: int, room: int) -> None:
    if not fan:
        sprites.paste(canvas, sprites.place(), left, top)
        return
    step = min(INDEX_HEIGHT, (room - CARD_HEIGHT) / max(1, len(fan) - 1))
    is_tall = step < INDEX_HEIGHT - 3
    for place, card in enumerate(fan[:-1]):
        sprite = sprites.face(card, small_index=is_tall)
        sprites.paste(canvas, sprite, left, top + round(step * place), seen=math.ceil(step))
    sprites.paste(canvas, sprites.face(fan[-1]), left, top + round(step * (len(fan) - 1)))
