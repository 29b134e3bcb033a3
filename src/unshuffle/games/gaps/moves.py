"""Gaps: the kinds of move. A card 3..K can go to one cell at the most; only a 2 needs its cell to be named."""

from __future__ import annotations

from dataclasses import dataclass

from unshuffle.cards import Card

GAP = "--"


@dataclass(frozen=True, slots=True)
class ToGap:
    """A card goes into a gap; rows and columns count from 1."""

    card: Card
    row: int
    column: int

    @property
    def token(self) -> str:
        """`6H>r2c5`."""
        return f"{self.card}>r{self.row}c{self.column}"


@dataclass(frozen=True, slots=True)
class Redeal:
    """The loose cards and the gaps are dealt again: in the known order, or with these contents of the free cells."""

    cards: tuple[Card | None, ...] | None = None
    """All free cells row by row; None is a gap."""

    @property
    def token(self) -> str:
        """`r`, or `r=7H,--,2C`."""
        return "r" if self.cards is None else f"r={','.join(write_cell(card) for card in self.cards)}"


Move = ToGap | Redeal


def write_cell(card: Card | None) -> str:
    """Return the token of a card, or `--` for a gap."""
    return GAP if card is None else str(card)
