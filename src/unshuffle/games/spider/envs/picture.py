"""A picture of a Spider table: completed runs, hand and bank above, then the piles, score and moves below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unshuffle.cards import Card
from unshuffle.envs import sprites
from unshuffle.envs.drawing import HEIGHT, MARGIN, NUMBERS, SHELF, WIDTH, WORDS, draw_pile, write_centred
from unshuffle.envs.font import lettering
from unshuffle.envs.sprites import CARD_HEIGHT, CARD_WIDTH, PALE, YELLOW, Pixels
from unshuffle.games.spider.envs.shown import Shown

_SLOTS_WIDTH = 234
_HAND_LEFT, _HAND_WIDTH = 258, 214
_BANK_WIDTH = 130


def draw(shown: Shown) -> NDArray[np.uint8]:
    """Return the table as a new array of `(480, 640, 3)` bytes."""
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
    end = sprites.write(canvas, f"score {shown.score}", MARGIN, WORDS, scale=2)
    sprites.write(canvas, f"moves {shown.moves}", max(end + 24, 200), WORDS, scale=2)
    rows = f"{shown.rows} row{'' if shown.rows == 1 else 's'} left"
    sprites.write(canvas, rows, WIDTH - MARGIN - lettering(rows, 2).shape[1], WORDS, scale=2)
    return canvas


def _step(count: int, width: int, widest: int) -> float:
    """Return the distance of `count` cards side by side, so that they fit into the width."""
    return min(widest, (width - CARD_WIDTH) / max(count - 1, 1))


def _draw_slots(canvas: Pixels, shown: Shown) -> None:
    step = _step(shown.slots, _SLOTS_WIDTH, 26)
    kings = [sprites.face(Card(shown.ranks, suit)) for suit in shown.completed]
    # The empty places first, so that they do not cover a king.
    for number in range(len(kings), shown.slots):
        sprites.paste(canvas, sprites.place(), MARGIN + round(step * number), SHELF)
    for number, king in enumerate(kings):
        sprites.paste(canvas, king, MARGIN + round(step * number), SHELF)


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
    right = WIDTH - MARGIN - CARD_WIDTH
    if not shown.rows:
        sprites.paste(canvas, sprites.place(), right, SHELF)
        write_centred(canvas, "bank", right + CARD_WIDTH // 2, SHELF + CARD_HEIGHT // 2 - 3)
    step = _step(shown.rows, _BANK_WIDTH, 12)
    for number in range(shown.rows):
        sprites.paste(canvas, sprites.back(), right - round(step * (shown.rows - 1 - number)), SHELF)
