"""Layout text of a board, written from its places.

A game with lines of its own overrides the method that writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from unshuffle.cards import PACK, Card, format_cards
from unshuffle.layout import UNSEEN
from unshuffle.places import Area, Board, Mark, Pile, Places
from unshuffle.places.grid import Grid

EMPTY = "-"
"""An empty place."""
GAP = "--"
"""An empty cell in a row of cells."""

_TEXTS: Mapping[Card | None, str] = {None: UNSEEN, **{card: str(card) for card in PACK}}


def join(cards: Iterable[Card | None]) -> str:
    """Return the cards of a place, `##` for an unknown card."""
    return " ".join([_TEXTS[card] for card in cards])


def entry_words(places: Places, *, hides_cards: bool = False) -> str:
    """Return a sentence that says which lines the text of a table has, for people who type one."""
    backs = ", face-down cards in brackets" if hides_cards else ""
    parts = []
    for part in places.parts:
        name = "Redeal 1" if part is None else part.name.capitalize()
        if not isinstance(part, Area):
            parts.append(f"'{name}:'" if part is not None or (places.coming and places.coming.redeals) else "")
            continue
        order = f" in the order {' '.join(suit.letter for suit in part.suits)}" if part.suits else ""
        each = f"a line for each {part.kind}"
        match part.form:
            case _ if part.count == 0:
                parts.append("")
            case "rows":
                parts.append(f"{each} (bottom card first)")
            case "numbered":
                parts.append(f"{each} ('1:' and so on, bottom card first{backs})")
            case "each":
                parts.append(f"{each} ('{part.kind.capitalize()} 1:' and so on, bottom card first)")
            case "tops" | "follows":
                omitted = "; may be left out" if part.form == "follows" and not hides_cards else ""
                parts.append(f"'{name}:' (top cards{order}{omitted})")
            case "labelled":
                parts.append(f"'{name}:'{' (next card first)' * (part.kind == 'stock')}")
    text = ", ".join(filter(None, parts))
    return f"{text[:1].upper()}{text[1:]}; '{EMPTY}' is an empty place."


class Writer:
    """A writer of the text of one board."""

    empty: ClassVar[str] = EMPTY
    """The text of an empty place."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def text(self, deal: str | None = None) -> str:
        """Return all parts in their order. A deal id with redeals is written instead of their orders."""
        board = self.board
        coming = board.places.coming
        knows_redeals = deal is not None and coming is not None and coming.redeals > 0
        lines = [f"Id: {deal}"] if knows_redeals else []
        for part in board.places.parts:
            if isinstance(part, Area):
                lines += self.area(part)
            elif part is not None:
                lines += self.mark(part, board.marks[part.name])
            elif not knows_redeals:
                lines += [f"Redeal {number}: {format_cards(order)}" for number, order in enumerate(board.coming, 1)]
        return "\n".join(lines) + "\n"

    def mark(self, mark: Mark, value: int) -> list[str]:
        """Return the line of a mark; none if the value is that at the start."""
        is_told = mark.is_always_written or (value != mark.start and len(mark.values) > 0)
        return [f"{mark.name.capitalize()}: {value}"] if is_told else []

    def area(self, area: Area) -> list[str]:
        """Return the lines of an area."""
        if isinstance(area, Grid):
            cells = [str(pile[0]) if pile else GAP for pile in self.board.piles[area.name]]
            return [" ".join(cells[start : start + area.columns]) for start in range(0, len(cells), area.columns)]
        piles, label = self.board.piles[area.name], f"{area.name.capitalize()}:"
        match area.form:
            case "rows":
                return [join(pile) or EMPTY for pile in piles]
            case "numbered":
                downs = self.board.down.get(area.name, (0,) * len(piles))
                shown = [self.pile(pile, down) for pile, down in zip(piles, downs, strict=True)]
                return [f"{number}: {pile}".rstrip() for number, pile in enumerate(shown, 1)]
            case "each":
                kind = area.kind.capitalize()
                return [f"{kind} {number}: {join(pile) or self.empty}".rstrip() for number, pile in enumerate(piles, 1)]
            case "follows" if not self.board.is_seen:
                tops = [pile[-1] for pile in piles if pile]
                return [f"{label} {join(tops)}"] if tops else []
            case "tops" | "follows":
                return [f"{label} {' '.join([str(pile[-1]) if pile else EMPTY for pile in piles])}"]
            case "labelled" if piles:
                return [f"{label} {self.labelled(area, piles)}".rstrip()]
        return []

    def pile(self, pile: Pile, down: int) -> str:
        """Return a pile from its bottom, the face-down cards in brackets."""
        if not down:
            return join(pile) or self.empty
        return f"[{join(pile[:down])}] {join(pile[down:])}".rstrip()

    def labelled(self, area: Area, piles: Sequence[Pile]) -> str:
        """Return the places of an area in one line; of a stock without known cards its size."""
        if area.kind == "stock" and self.board.is_seen and not any(piles[0]):
            return str(len(piles[0]))
        return " ".join([join(pile) or self.empty for pile in piles])
