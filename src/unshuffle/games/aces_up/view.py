"""Aces Up: what a player sees. The faces of the stock are not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card
from unshuffle.games.aces_up.moves import Move
from unshuffle.views import HiddenView, Shown

if TYPE_CHECKING:
    from unshuffle.games.aces_up.rules import Rules, State


@dataclass(frozen=True, slots=True)
class View(HiddenView["State", Move]):
    """The piles, the cell, the discards, and how many cards are in the stock."""

    game_id: ClassVar[str] = "aces-up"

    rules: Rules
    piles: tuple[tuple[Card, ...], ...]
    """Bottom to top."""
    stock: int
    """Cards left in the stock."""
    reserve: Card | None = None
    discarded: tuple[Card, ...] = ()

    @property
    def spaces(self) -> tuple[int, ...]:
        """The empty piles, counted from 1."""
        return self._any().spaces

    @property
    def score(self) -> int:
        """Cards discarded."""
        return len(self.discarded)

    def served(self) -> tuple[int, ...]:
        """Return the piles that the next deal gives a card to, in its order."""
        return self._any().served()

    def laid_for(self, shown: Shown[Move]) -> State:
        """Return the state whose stock begins with the shown cards."""
        return self.laid((*shown.cards, *(card for card in self.unseen if card not in shown.cards)))

    def not_hidden(self, card: Card) -> str:
        """Return the words for a card that cannot be turned up."""
        return f"{card} is not in the stock: it lies on the table, or is discarded"
