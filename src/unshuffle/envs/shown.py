"""What a picture of a Spider table may show: no more than a player sees."""

from __future__ import annotations

from dataclasses import dataclass

from unshuffle.cards import Card, Suit


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A Spider table as a player sees it. No hidden face can be reached from it."""

    piles: tuple[tuple[Card | None, ...], ...]
    """The bottom card first, None for a card that lies face down; without the cards in hand."""
    bank: int
    """Cards left in the bank."""
    completed: tuple[Suit, ...]
    """The suits of the runs that have left the table, in their order."""
    slots: int
    """Runs in the deck: so many places are kept for them."""
    score: int
    moves: int
    hand: tuple[Card, ...] = ()
    """The cards in hand in the order in which they were picked up: the lowest rank first."""
    source: int = 0
    """The pile that the hand comes from, counted from 1; 0 for an empty hand."""
    ranks: int = 13
    """Cards in a run: its highest card shows where it lies."""

    @property
    def rows(self) -> int:
        """Rows that can still be dealt."""
        return self.bank // len(self.piles)
