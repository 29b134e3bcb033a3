"""Aces Up: what a player sees. The faces of the stock are not in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import PACK, Card
from unshuffle.games.aces_up.moves import Deal, Move
from unshuffle.views import HiddenView, Shown, miscounted

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

    def __str__(self) -> str:
        from unshuffle.games.aces_up.notation import write_table  # it reads views itself

        return write_table(self)

    @property
    def spaces(self) -> tuple[int, ...]:
        """The empty piles, counted from 1."""
        return self._any().spaces

    @property
    def score(self) -> int:
        """Cards discarded."""
        return len(self.discarded)

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards in the stock, sorted: nobody sees their order."""
        seen = {self.reserve, *self.discarded, *(card for pile in self.piles for card in pile)}
        return tuple(card for card in PACK if card not in seen)

    def _lay(self, cards: Sequence[Card]) -> State:
        from unshuffle.games.aces_up.rules import State  # it makes views itself

        return State(self.rules, self.piles, tuple(cards), self.reserve, self.discarded)

    # Playing on.

    def dealt_by(self, move: Move) -> int:
        """A card for each pile that is served."""
        return len(self.served()) if isinstance(move, Deal) else 0

    def served(self) -> tuple[int, ...]:
        """The piles that the next deal gives a card to, in its order."""
        return self._any().served()

    def laid_for(self, shown: Shown[Move]) -> State:
        """The state whose stock begins with these cards."""
        return self.laid((*shown.cards, *(card for card in self.unseen if card not in shown.cards)))

    def refusal(self, shown: Shown[Move]) -> str:
        """Another number of cards, or a card that is not in the stock."""
        count, unseen = self.turned_by(shown.move), self.unseen
        if len(shown.cards) != count:
            return miscounted("turns up", count, len(shown.cards))
        if len(set(shown.cards)) < count:
            return "a card is told twice"
        seen = next((card for card in shown.cards if card not in unseen), None)
        return f"{seen} is not in the stock: it lies on the table, or is discarded" if seen is not None else ""
