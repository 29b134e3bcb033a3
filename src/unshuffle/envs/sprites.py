"""Cards, backs, empty places and text as small pictures, and the cloth below them. Uses numpy only.

Every picture is made once and cached; a table is drawn by pasting them. Nothing here depends on a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from unshuffle.cards import RANKS, Card, Suit
from unshuffle.envs.font import lettering

CARD_WIDTH, CARD_HEIGHT = 58, 80
INDEX_HEIGHT = 19
"""How many pixels of a covered card must be visible for its rank and suit to be read."""
SMALL_INDEX_HEIGHT = 10
"""The same for a card with a small index."""

Pixels = NDArray[np.uint8]
Ink = NDArray[np.float64]
"""The share of each pixel that is covered, 0..1."""
Colour = tuple[int, int, int]

WHITE: Colour = (252, 252, 248)
RED: Colour = (200, 22, 36)
BLACK: Colour = (22, 24, 30)
YELLOW: Colour = (250, 214, 80)
PALE: Colour = (222, 236, 224)
_EDGE: Colour = (120, 126, 124)
_BLUE: Colour = (36, 66, 138)
_LIGHT_BLUE: Colour = (118, 150, 214)
_GREEN: Colour = (18, 104, 62)
_DARK_GREEN: Colour = (12, 78, 46)

# Shapes are drawn this many times larger and then averaged, which smooths their edges.
_FINE = 8
_RADIUS = 6


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture of the size of a card, and its mask (for each colour): the round corners are transparent."""

    pixels: Pixels
    there: NDArray[np.bool_]


def paste(canvas: Pixels, sprite: Sprite, left: int, top: int, seen: int = CARD_HEIGHT) -> None:
    """Paste the sprite onto the canvas. Of a card that will be covered only the upper `seen` pixels need be drawn."""
    # The corners of the card above are round, and show some more.
    height = min(seen + _RADIUS, CARD_HEIGHT)
    spot = canvas[top : top + height, left : left + CARD_WIDTH]
    np.copyto(spot, sprite.pixels[:height], where=sprite.there[:height])


def write(canvas: Pixels, text: str, left: int, top: int, colour: Colour = PALE, scale: int = 1) -> int:
    """Write a line of text and return its right end."""
    dots = lettering(text, scale)
    height, width = dots.shape
    canvas[top : top + height, left : left + width][dots] = colour
    return left + int(width)


@cache
def felt(height: int, width: int) -> Pixels:
    """Return a green cloth, lighter in the middle. It is shared and read-only: copy it to draw on it."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    light = np.clip(1 - 0.45 * (x * x + y * y), 0, 1)[..., None]
    cloth = light * np.array(_GREEN) + (1 - light) * np.array(_DARK_GREEN)
    pixels: Pixels = cloth.astype(np.uint8)
    pixels.flags.writeable = False
    return pixels


@cache
def face(card: Card, *, small_index: bool = False) -> Sprite:
    """Return the card face up: rank and suit in two corners, and the middle.

    With a small index, rank and suit can be read where only SMALL_INDEX_HEIGHT of a card is visible.
    """
    ink = RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else BLACK
    pixels = _blank(WHITE)
    corner = np.zeros((CARD_HEIGHT, CARD_WIDTH))
    rank = _small_rank(card.rank) if small_index else _rank(card.rank)
    top = 2 if small_index else 3
    _put(corner, rank, 4, top)
    _put(corner, pip(card.suit, 7 if small_index else 13), 4 + rank.shape[1] + 2, top)
    # The same upside down, as on a real card.
    _dye(pixels, np.maximum(corner, corner[::-1, ::-1]), ink)
    if card.rank > 10:
        _draw_court(pixels, card, ink)
    else:
        _dye(pixels, _middle(card), ink)
    return _sprite(_edged(pixels), _outline())


@cache
def back() -> Sprite:
    """Return a card face down: a lattice in a white frame."""
    pixels = _blank(WHITE)
    inside = pixels[4:-4, 4:-4]
    y, x = np.mgrid[: inside.shape[0], : inside.shape[1]]
    lattice = ((x + y) % 8 == 0) | ((x - y) % 8 == 0)
    dots = ((x + y) % 8 == 4) & ((x - y) % 8 == 4)
    inside[:] = _BLUE
    inside[lattice | dots] = _LIGHT_BLUE
    return _sprite(_edged(pixels), _outline())


@cache
def place() -> Sprite:
    """Return an empty place: a rounded line on the cloth."""
    line = _outline() & ~_shrunk(2)
    pixels = _blank((70, 146, 104))
    return _sprite(pixels, line)


@cache
def pip(suit: Suit, size: int) -> Ink:
    """Return the sign of a suit, `size` pixels high and wide."""
    grid = (np.arange(size * _FINE) + 0.5) / (size * _FINE) * 2 - 1
    x, y = np.meshgrid(grid, grid)
    shape = {Suit.HEARTS: _heart, Suit.DIAMONDS: _diamond, Suit.SPADES: _spade, Suit.CLUBS: _club}[suit](x, y)
    return _averaged(shape.astype(float))


def _disc(x: Ink, y: Ink, left: float, top: float, radius: float) -> NDArray[np.bool_]:
    return np.asarray((x - left) ** 2 + (y - top) ** 2 < radius**2)


def _heart(x: Ink, y: Ink) -> NDArray[np.bool_]:
    lobes = _disc(x, y, -0.44, -0.4, 0.5) | _disc(x, y, 0.44, -0.4, 0.5)
    # Below the lobes the sides run to the point in a slight curve.
    depth = np.clip((y + 0.28) / 1.24, 0, 1)
    return lobes | ((y > -0.28) & (np.abs(x) < 0.93 * (1 - depth**1.15)))


def _diamond(x: Ink, y: Ink) -> NDArray[np.bool_]:
    return np.asarray((np.abs(x) / 0.76) ** 0.92 + (np.abs(y) / 0.98) ** 0.92 < 1)


def _stem(x: Ink, y: Ink) -> NDArray[np.bool_]:
    # It widens towards its foot.
    return np.asarray((y > 0.2) & (y < 0.96) & (np.abs(x) < 0.09 + 0.36 * np.clip((y - 0.35) / 0.61, 0, 1) ** 2))


def _spade(x: Ink, y: Ink) -> NDArray[np.bool_]:
    return _heart(x, -y * 1.12 - 0.14) | _stem(x, y)


def _club(x: Ink, y: Ink) -> NDArray[np.bool_]:
    leaves = _disc(x, y, 0, -0.5, 0.45) | _disc(x, y, -0.49, 0.16, 0.45) | _disc(x, y, 0.49, 0.16, 0.45)
    return leaves | _disc(x, y, 0, -0.05, 0.25) | _stem(x, y)


def _averaged(fine: Ink) -> Ink:
    height, width = fine.shape
    blocks = fine.reshape(height // _FINE, _FINE, width // _FINE, _FINE)
    return np.asarray(blocks.mean(axis=(1, 3)))


def _rounded(dots: NDArray[np.bool_], scale: int) -> Ink:
    """Return dots of the bitmap font enlarged, with their corners rounded."""
    fine = dots.repeat(scale * _FINE, axis=0).repeat(scale * _FINE, axis=1).astype(float)
    for axis in (0, 1):
        window = np.ones(scale * _FINE) / (scale * _FINE)
        fine = np.apply_along_axis(np.convolve, axis, fine, window, "same")
    return _averaged((fine > 0.42).astype(float))


def _small_rank(rank: int) -> Ink:
    return lettering("10" if rank == 10 else RANKS[rank - 1])[:, :-1].astype(float)


@cache
def _rank(rank: int) -> Ink:
    """Return the rank for the corners of a card."""
    if rank == 10:
        # Two digits, moved together so that they take little more room than one.
        one, nought = (_rounded(lettering(figure)[:, :-1], 2) for figure in "10")
        return np.hstack([one[:, 2:-2], nought])
    return _rounded(lettering(RANKS[rank - 1])[:, :-1], 2)


def _put(ink: Ink, shape: Ink, left: int, top: int) -> None:
    height, width = shape.shape
    spot = ink[top : top + height, left : left + width]
    np.maximum(spot, shape, out=spot)


def _dye(pixels: Pixels, ink: Ink, colour: Colour) -> None:
    covered = ink[..., None]
    pixels[:] = np.rint(covered * np.array(colour) + (1 - covered) * pixels)


# The positions of the pips on number cards: (column, height) in the middle of the card, in percent.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((50, 0), (50, 100)),
    3: ((50, 0), (50, 50), (50, 100)),
    4: ((20, 0), (80, 0), (20, 100), (80, 100)),
    5: ((20, 0), (80, 0), (50, 50), (20, 100), (80, 100)),
    6: ((20, 0), (80, 0), (20, 50), (80, 50), (20, 100), (80, 100)),
    7: ((20, 0), (80, 0), (50, 25), (20, 50), (80, 50), (20, 100), (80, 100)),
    8: ((20, 0), (80, 0), (50, 25), (20, 50), (80, 50), (50, 75), (20, 100), (80, 100)),
    9: ((20, 0), (80, 0), (20, 33), (80, 33), (50, 50), (20, 67), (80, 67), (20, 100), (80, 100)),
    10: ((20, 0), (80, 0), (50, 17), (20, 33), (80, 33), (20, 67), (80, 67), (50, 83), (20, 100), (80, 100)),
}


def _middle(card: Card) -> Ink:
    ink = np.zeros((CARD_HEIGHT, CARD_WIDTH))
    if card.rank == 1:
        _put(ink, pip(card.suit, 30), (CARD_WIDTH - 30) // 2, (CARD_HEIGHT - 30) // 2)
        return ink
    # Between the two corners; pips in the lower half are upside down.
    size = 13 if card.rank < 6 else 11 if card.rank < 9 else 9
    shape = pip(card.suit, size)
    top, bottom = INDEX_HEIGHT + 1, CARD_HEIGHT - INDEX_HEIGHT - 1 - size
    for column, height in _PIPS[card.rank]:
        left = round(6 + (CARD_WIDTH - 12 - size) * column / 100)
        _put(ink, shape[::-1] if height > 50 else shape, left, round(top + (bottom - top) * height / 100))
    return ink


def _draw_court(pixels: Pixels, card: Card, ink: Colour) -> None:
    """Draw a tinted frame, and in it the letter of the court card."""
    frame = pixels[INDEX_HEIGHT + 1 : -INDEX_HEIGHT - 1, 12:-12]
    frame[:] = ink
    frame[1:-1, 1:-1] = (252, 238, 196)
    letter = _rounded(lettering(RANKS[card.rank - 1])[:, :-1], 3)
    shape = np.zeros(frame.shape[:2])
    _put(shape, letter, (frame.shape[1] - letter.shape[1]) // 2, (frame.shape[0] - letter.shape[0]) // 2)
    _dye(frame, shape, ink)


def _sprite(pixels: Pixels, there: NDArray[np.bool_]) -> Sprite:
    # A mask with three channels is pasted twice as fast as one that numpy broadcasts over the colours each time.
    sprite = Sprite(pixels, there[..., None].repeat(3, axis=2))
    sprite.pixels.flags.writeable = sprite.there.flags.writeable = False
    return sprite


def _blank(colour: Colour) -> Pixels:
    return np.full((CARD_HEIGHT, CARD_WIDTH, 3), colour, np.uint8)


@cache
def _shrunk(by: int) -> NDArray[np.bool_]:
    """Return the pixels of a card with round corners, `by` pixels within its edge."""
    y, x = np.mgrid[:CARD_HEIGHT, :CARD_WIDTH] + 0.5
    # The distance of a pixel from the box of the corners' centres.
    dx = np.maximum(np.abs(x - CARD_WIDTH / 2) - (CARD_WIDTH / 2 - _RADIUS), 0)
    dy = np.maximum(np.abs(y - CARD_HEIGHT / 2) - (CARD_HEIGHT / 2 - _RADIUS), 0)
    return np.asarray(np.hypot(dx, dy) <= _RADIUS - by)


def _outline() -> NDArray[np.bool_]:
    return _shrunk(0)


def _edged(pixels: Pixels) -> Pixels:
    pixels[_outline() & ~_shrunk(1)] = _EDGE
    return pixels
