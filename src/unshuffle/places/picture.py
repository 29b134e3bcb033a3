"""The terminal's picture of a board, with suit glyphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unshuffle.cards import RANKS, Card, Suit
from unshuffle.layout import UNSEEN
from unshuffle.places import Area, Board, Dress, Pile, Where
from unshuffle.places.grid import Grid

_BLOCKED = "··"
_WIDTH = 4


def glyphs(cards: Iterable[Card | None]) -> str:
    """Return cards with suit glyphs, one blank between them."""
    return " ".join([UNSEEN if card is None else card.glyph for card in cards])


def draw(board: Board, dress: Dress) -> str:
    """Return the picture, in the order of the text; areas above the table follow fans and cells, which are many."""
    order = board.places.written
    areas = [area for name in order for area in board.places.areas if area.name == name]
    areas.sort(key=lambda area: area.arrange not in ("flow", "grid"))
    lines = [line for area in areas for line in _draw_area(area, board, dress)]
    return "\n".join([*lines, dress.status] if dress.status else lines)


def _draw_area(area: Area, board: Board, dress: Dress) -> list[str]:
    piles = board.piles[area.name]
    if isinstance(area, Grid):
        return _draw_grid(area, piles, dress)
    match area.kind:
        case "fan":
            return _draw_fans(piles)
        case "pile":
            downs = board.down.get(area.name, (0,) * len(piles))
            shown = (_draw_pile(pile, down) for pile, down in zip(piles, downs, strict=True))
            return [f"{number:>2}: {pile or '-'}" for number, pile in enumerate(shown, 1)]
        case "foundation":
            tops = [pile[-1] if pile else None for pile in piles]
            if area.form == "follows" and not any(tops) and any(board.cards()):
                return []
            shown = (f"-{suit.glyph}" if top is None else top.glyph for top, suit in zip(tops, area.suits, strict=True))
            return [f"{area.name.capitalize()}: {'  '.join(shown)}"]
        case "stock":
            return [_draw_stock(area, piles[0], is_seen=board.is_seen)]
        case "discards":
            return [f"{area.name.capitalize()} ({len(piles[0])}): {_by_suit(piles[0]) or '-'}"]
        case "completed":
            suits = " ".join(pile[0].suit.glyph for pile in piles if pile and pile[0] is not None)
            return [f"{area.name.capitalize()}: {suits or '-'}"]
        case "redeal":
            return []
    kind = area.kind.capitalize() + "s" * (len(piles) > 1)
    return [f"{kind}: {' '.join(glyphs(pile[-1:]) or '-' for pile in piles)}"] if piles else []


def _draw_pile(pile: Pile, down: int) -> str:
    """Return a pile, the free card last, face-down cards in brackets."""
    return f"[{glyphs(pile[:down])}] {glyphs(pile[down:])}".rstrip() if down else glyphs(pile)


def _draw_stock(area: Area, stock: Pile, *, is_seen: bool) -> str:
    """Return the stock in groups of one deal, which shows the card for each pile; a hidden stock is only counted."""
    if is_seen:
        return f"{area.name.capitalize()}: {len(stock)}"
    step = area.deals or max(1, len(stock))
    deals = [glyphs(stock[start : start + step]) for start in range(0, len(stock), step)]
    return f"{area.name.capitalize()} ({len(stock)}): {' | '.join(deals) or '-'}"


def _by_suit(cards: Pile) -> str:
    ranks = {suit: [RANKS[card.rank - 1] for card in cards if card is not None and card.suit is suit] for suit in Suit}
    return "  ".join(f"{suit.glyph} {' '.join(told)}" for suit, told in ranks.items() if told)


def _draw_fans(fans: Sequence[Pile]) -> list[str]:
    """Return numbered fans in three columns."""
    cells = [f"[{number:>2}] {glyphs(fan) or '-'}" for number, fan in enumerate(fans, 1)]
    width = max(map(len, cells), default=0) + 3
    rows = -(-len(cells) // 3)
    return ["".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)]


def _draw_grid(area: Grid, cells: Sequence[Pile], dress: Dress) -> list[str]:
    """Return numbered rows and columns; a gap that a card can fill shows that card, a blocked gap shows dots."""
    hints = (dress.hints.get(Where(area.name, number)) for number in range(len(cells)))
    shown = [glyphs(cell) or (f"[{hint}]" if hint else _BLOCKED) for cell, hint in zip(cells, hints, strict=True)]
    numbers = map(str, range(1, area.columns + 1))
    rows = [shown[start : start + area.columns] for start in range(0, len(shown), area.columns)]
    lines = ["   " + "".join(number.center(_WIDTH + 1) for number in numbers)]
    lines += [f"{n}  " + "".join(cell.center(_WIDTH + 1) for cell in row) for n, row in enumerate(rows, 1)]
    return [line.rstrip() for line in lines]
