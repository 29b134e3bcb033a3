"""A picture of a Spider table: runs put aside, the hand and the bank above, the piles, and score and moves below."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unshuffle.cards import Card
from unshuffle.envs import sprites
from unshuffle.envs.font import lettering
from unshuffle.envs.shown import Shown
from unshuffle.envs.sprites import CARD_HEIGHT, CARD_WIDTH, INDEX_HEIGHT, PALE, YELLOW, Pixels

HEIGHT, WIDTH = 480, 640

_MARGIN = 8
SHELF = 6
"""Where the upper row begins."""
NUMBERS = 90
"""Where the numbers of the piles stand."""
_TABLE = 100
WORDS = 461
_SLOTS_WIDTH = 234
_HAND_LEFT, _HAND_WIDTH = 258, 214
_BANK_WIDTH = 130
_UP_STEP, _DOWN_STEP = INDEX_HEIGHT, 7
"""How much of a covered card is seen, face up and face down, as long as there is room."""
_LEAST_DOWN_STEP = 3


def draw(shown: Shown) -> NDArray[np.uint8]:
    """The table as an array of `(480, 640, 3)` bytes, a new one on every call."""
    canvas = sprites.felt(HEIGHT, WIDTH).copy()
    _draw_slots(canvas, shown)
    _draw_hand(canvas, shown)
    _draw_bank(canvas, shown)
    pitch = WIDTH // 10
    first = (WIDTH - pitch * len(shown.piles)) // 2
    for number, pile in enumerate(shown.piles, 1):
        left = first + pitch * (number - 1) + (pitch - CARD_WIDTH) // 2
        draw_pile(canvas, pile, left)
        colour = YELLOW if number == shown.source else PALE
        write_centred(canvas, str(number), left + CARD_WIDTH // 2, NUMBERS, colour)
    end = sprites.write(canvas, f"score {shown.score}", _MARGIN, WORDS, scale=2)
    sprites.write(canvas, f"moves {shown.moves}", max(end + 24, 200), WORDS, scale=2)
    rows = f"{shown.rows} row{'' if shown.rows == 1 else 's'} left"
    sprites.write(canvas, rows, WIDTH - _MARGIN - lettering(rows, 2).shape[1], WORDS, scale=2)
    return canvas


def write_centred(canvas: Pixels, text: str, middle: int, top: int, colour: sprites.Colour = PALE) -> None:
    """Write a line of text around the middle."""
    sprites.write(canvas, text, middle - lettering(text).shape[1] // 2, top, colour)


def _step(count: int, width: int, widest: int) -> float:
    """How far apart `count` cards lie side by side, so that they fit into the width."""
    return min(widest, (width - CARD_WIDTH) / max(count - 1, 1))


def _draw_slots(canvas: Pixels, shown: Shown) -> None:
    step = _step(shown.slots, _SLOTS_WIDTH, 26)
    kings = [sprites.face(Card(shown.ranks, suit)) for suit in shown.completed]
    # The empty places first: they must not be drawn over a king.
    for number in range(len(kings), shown.slots):
        sprites.paste(canvas, sprites.place(), _MARGIN + round(step * number), SHELF)
    for number, king in enumerate(kings):
        sprites.paste(canvas, king, _MARGIN + round(step * number), SHELF)


def _draw_hand(canvas: Pixels, shown: Shown) -> None:
    if not shown.hand:
        sprites.paste(canvas, sprites.place(), _HAND_LEFT, SHELF)
        write_centred(canvas, "hand", _HAND_LEFT + CARD_WIDTH // 2, SHELF + CARD_HEIGHT // 2 - 3)
        return
    # The highest card first, as the run lies on its pile.
    step = _step(len(shown.hand), _HAND_WIDTH, 34)
    for number, card in enumerate(reversed(shown.hand)):
        sprites.paste(canvas, sprites.face(card), _HAND_LEFT + round(step * number), SHELF)


def _draw_bank(canvas: Pixels, shown: Shown) -> None:
    right = WIDTH - _MARGIN - CARD_WIDTH
    if not shown.rows:
        sprites.paste(canvas, sprites.place(), right, SHELF)
        write_centred(canvas, "bank", right + CARD_WIDTH // 2, SHELF + CARD_HEIGHT // 2 - 3)
    step = _step(shown.rows, _BANK_WIDTH, 12)
    for number in range(shown.rows):
        sprites.paste(canvas, sprites.back(), right - round(step * (shown.rows - 1 - number)), SHELF)


def draw_pile(canvas: Pixels, pile: Sequence[Card | None], left: int) -> None:
    """Draw a pile downwards, bottom card first, as close as it has to be to find room."""
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
    """How much is seen of each covered card of the pile, face up and face down."""
    down = sum(card is None for card in pile[:-1])
    up = len(pile) - 1 - down
    room = WORDS - 6 - _TABLE - CARD_HEIGHT
    if _UP_STEP * up + _DOWN_STEP * down <= room:
        return _UP_STEP, _DOWN_STEP
    # Backs all look alike, so they make room first.
    left_over = (room - _LEAST_DOWN_STEP * down) / max(up, 1)
    if up and left_over <= _UP_STEP:
        return left_over, _LEAST_DOWN_STEP
    return _UP_STEP, (room - _UP_STEP * up) / down
