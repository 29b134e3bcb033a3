"""A picture of any table, from its places: the places above the table, the piles, fans or cells, and a line of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from unshuffle.cards import Card, Suit
from unshuffle.envs import sprites
from unshuffle.envs.drawing import HEIGHT, MARGIN, NUMBERS, SHELF, WIDTH, WORDS, draw_pile, write_centred
from unshuffle.envs.font import lettering
from unshuffle.envs.sprites import CARD_HEIGHT, CARD_WIDTH, INDEX_HEIGHT, YELLOW, Pixels
from unshuffle.places import Area, Board, Pile
from unshuffle.places.grid import Grid

SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
"""The order of the suits in pictures and observations."""

_TOP, _BOTTOM = 96, 455
_IN_ROW, _MOST_IN_ROW = 9, 18
"""Fans per row without overlap, and the most with which all ranks and suits can still be read."""
_TALL = 10
"""Fans longer than this need the height of two rows."""
_WIDEST, _WIDEST_NAMED = 66, CARD_WIDTH + 20
"""The greatest distance between places, and between places with words beneath."""
_PITCH, _ROW = 48, 106
"""The greatest distance between cells. Thirteen cards are too wide: each covers the edge of the one on its left."""
_CELLS_TOP, _BAR_BELOW, _BAR = 26, 5, 4
_SIGNS = (WIDTH - 2 * MARGIN) // lettering("-", 2).shape[1]
"""The number of characters that fit below the table."""


def draw(board: Board, left: str, right: str = "", settled: Sequence[Card] = ()) -> NDArray[np.uint8]:
    """Return the table as a new array of `(480, 640, 3)` bytes. `settled` cards of a row get a bar."""
    canvas = sprites.felt(HEIGHT, WIDTH).copy()
    areas = [area for area in board.places.areas if area.kind not in ("redeal", "discards")]
    _draw_shelf(canvas, board, sorted((a for a in areas if a.is_above), key=lambda area: area.kind != "foundation"))
    piles = [pile for area in areas if area.arrange == "columns" for pile in board.drawn(area.name)]
    for pile, x in zip(piles, _columns(len(piles)), strict=True):
        draw_pile(canvas, pile, x)
    for area in areas:
        if isinstance(area, Grid):
            _draw_cells(canvas, board.piles[area.name], area.columns, settled)
        elif area.arrange == "flow":
            _draw_fans(canvas, board.drawn(area.name))
    sprites.write(canvas, left, MARGIN, WORDS, scale=2)
    right = right[: max(0, _SIGNS - len(left))]
    sprites.write(canvas, right, WIDTH - MARGIN - lettering(right, 2).shape[1], WORDS, scale=2)
    return canvas


def _draw_shelf(canvas: Pixels, board: Board, areas: Iterable[Area]) -> None:
    places = [(area, *place) for area in areas for place in _named(area, board.drawn(area.name))]
    is_named = any(area.kind != "foundation" for area, _, _ in places)
    widest = _WIDEST_NAMED if is_named else _WIDEST
    pitch = min(widest, (WIDTH - 2 * MARGIN - CARD_WIDTH) / max(1, len(places) - 1))
    for number, (area, word, pile) in enumerate(places):
        left = MARGIN + round(pitch * number)
        # A stock is drawn face down even if its cards are known.
        top = pile[-1] if pile and area.kind != "stock" else None
        sprite = sprites.face(top) if top is not None else sprites.back() if pile else sprites.place()
        sprites.paste(canvas, sprite, left, SHELF)
        if is_named and lettering(word).shape[1] <= pitch:
            write_centred(canvas, word, left + CARD_WIDTH // 2, NUMBERS)


def _named(area: Area, piles: Sequence[Pile]) -> list[tuple[str, Pile]]:
    """Return the places of an area with the words beneath them; places with suits in the order of `SUITS`."""
    if area.suits:
        places = sorted(zip(area.suits, piles, strict=True), key=lambda place: SUITS.index(place[0]))
        return [(suit.word, pile) for suit, pile in places]
    # Only the top card of a single place is visible, so its size is written.
    is_counted = area.is_alone and area.kind != "cell"
    return [(f"{area.kind} {len(pile)}" if is_counted else area.kind, pile) for pile in piles]


def _columns(count: int) -> list[int]:
    """Return the left edges of so many piles."""
    pitch = WIDTH // max(count, 7)
    if pitch < CARD_WIDTH:  # they overlap; only their indices stay visible
        return [round((WIDTH - CARD_WIDTH) / (count - 1) * number) for number in range(count)]
    first = (WIDTH - pitch * count) // 2
    return [first + pitch * number + (pitch - CARD_WIDTH) // 2 for number in range(count)]


def _draw_fans(canvas: Pixels, fans: Sequence[Pile]) -> None:
    is_tall = any(len(fan) > _TALL for fan in fans)
    rows = min(3, max(1, -(-len(fans) // (_MOST_IN_ROW if is_tall else _IN_ROW))))
    in_row = max(1, -(-len(fans) // rows))
    pitch = min(_WIDEST, (WIDTH - 2 * MARGIN - CARD_WIDTH) / max(1, in_row - 1))
    room = (_BOTTOM - _TOP) // rows
    for number, fan in enumerate(fans):
        row, column = divmod(number, in_row)
        _draw_fan(canvas, fan, MARGIN + round(pitch * column), _TOP + room * row, room - 6)


def _draw_fan(canvas: Pixels, fan: Pile, left: int, top: int, room: int) -> None:
    if not fan:
        sprites.paste(canvas, sprites.place(), left, top)
        return
    step = min(INDEX_HEIGHT, (room - CARD_HEIGHT) / max(1, len(fan) - 1))
    is_tall = step < INDEX_HEIGHT - 3
    for place, card in enumerate(fan):
        is_covered = place < len(fan) - 1
        sprite = sprites.back() if card is None else sprites.face(card, small_index=is_tall and is_covered)
        seen = math.ceil(step) if is_covered else CARD_HEIGHT
        sprites.paste(canvas, sprite, left, top + round(step * place), seen)


def _draw_cells(canvas: Pixels, cells: Sequence[Pile], columns: int, settled: Sequence[Card]) -> None:
    """Draw rows of cells with the column numbers above, and a bar below the settled cards at the left of a row."""
    rows = -(-len(cells) // columns)
    pitch = min(_PITCH, (WIDTH - 3 - CARD_WIDTH) // max(1, columns - 1))
    high = min(_ROW, (_BOTTOM - _CELLS_TOP - CARD_HEIGHT - _BAR_BELOW - _BAR) // max(1, rows - 1))
    lefts = [3 + pitch * column for column in range(columns)]
    for column, left in enumerate(lefts, 1):
        write_centred(canvas, str(column), left + CARD_WIDTH // 2, 12)
    for number, start in enumerate(range(0, len(cells), columns)):
        top, row = _CELLS_TOP + high * number, cells[start : start + columns]
        # Gaps first, so that their outlines are not drawn over a card.
        for left, cell in sorted(zip(lefts, row, strict=True), key=lambda place: bool(place[1])):
            card = cell[-1] if cell else None
            sprites.paste(canvas, sprites.place() if card is None else sprites.face(card), left, top)
        locked = next((place for place, cell in enumerate(row) if not cell or cell[0] not in settled), columns)
        if locked:
            bar = top + CARD_HEIGHT + _BAR_BELOW
            canvas[bar : bar + _BAR, lefts[0] : lefts[locked - 1] + pitch] = YELLOW
