"""A picture of a table of piles: places for single cards above, the piles, words below. It knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unshuffle.cards import Card
from unshuffle.envs import sprites
from unshuffle.envs.drawing import HEIGHT, MARGIN, NUMBERS, SHELF, WIDTH, WORDS, draw_pile, write_centred
from unshuffle.envs.sprites import CARD_WIDTH


@dataclass(frozen=True, slots=True)
class Place:
    """A place above the piles, with a word beneath it."""

    label: str
    card: Card | None = None
    is_back: bool = False
    """A card lies there face down."""


def draw_board(places: Sequence[Place], piles: Sequence[Sequence[Card | None]], words: str) -> NDArray[np.uint8]:
    """The table as an array of `(480, 640, 3)` bytes, a new one on every call."""
    canvas = sprites.felt(HEIGHT, WIDTH).copy()
    for number, place in enumerate(places):
        left = MARGIN + number * (CARD_WIDTH + 20)
        sprite = sprites.back() if place.is_back else sprites.place()
        sprites.paste(canvas, sprite if place.card is None else sprites.face(place.card), left, SHELF)
        write_centred(canvas, place.label, left + CARD_WIDTH // 2, NUMBERS)
    pitch = WIDTH // max(len(piles), 7)
    first = (WIDTH - pitch * len(piles)) // 2
    for number, pile in enumerate(piles):
        draw_pile(canvas, pile, first + pitch * number + (pitch - CARD_WIDTH) // 2)
    sprites.write(canvas, words, MARGIN, WORDS, scale=2)
    return canvas
