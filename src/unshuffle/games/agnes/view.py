"""Agnes Sorel: what a player sees. The faces of face-down cards and of the stock are not in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card
from unshuffle.games.agnes.moves import Deal, Move, ToPile
from unshuffle.views import HiddenView, Shown, miscounted

if TYPE_CHECKING:
    from unshuffle.games.agnes.rules import Rules, State


@dataclass(frozen=True, slots=True)
class View(HiddenView["State", Move]):
    """The face-up cards, the foundations, and how many cards lie face down and in the stock."""

    game_id: ClassVar[str] = "agnes"

    rules: Rules
    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is a card that lies face down."""
    stock: int
    """Cards left in the stock."""
    base: int
    foundations: tuple[int, int, int, int]

    def __str__(self) -> str:
        from unshuffle.games.agnes.notation import write_table  # it reads views itself

        return write_table(self)

    @property
    def score(self) -> int:
        """Cards on the foundations."""
        return sum(self.foundations)

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie face down or in the stock, sorted: nobody sees which is where."""
        seen = {card for pile in self.piles for card in pile}
        rules = self.rules
        height = rules.heights(self.base)
        return tuple(card for card in rules.pack if card not in seen and height[card] >= self.foundations[card.suit])

    def _lay(self, cards: Sequence[Card]) -> State:
        from unshuffle.games.agnes.rules import State  # it makes views itself

        rest = iter(cards)
        piles = tuple(tuple(next(rest) if card is None else card for card in pile) for pile in self.piles)
        return State(self.rules, piles, self.down, tuple(rest), self.base, self.foundations)

    # Playing on.

    def dealt_by(self, move: Move) -> int:
        """A card for each pile, as far as the stock goes."""
        return min(self.stock, len(self.piles)) if isinstance(move, Deal) else 0

    def turns(self, move: Move | Shown[Move]) -> tuple[int, ...]:
        """The pile that is left with face-down cards alone."""
        if isinstance(move, Shown):
            move = move.move
        if isinstance(move, Deal):
            return ()
        number, count = (move.source, move.count) if isinstance(move, ToPile) else (move.pile, 1)
        return (number,) if 0 < len(self.piles[number - 1]) - count == self.down[number - 1] else ()

    def refusal(self, shown: Shown[Move]) -> str:
        """Another number of cards, or a card that was seen before."""
        count, unseen = self.turned_by(shown.move), self.unseen
        if len(shown.cards) != count:
            return miscounted("turns up", count, len(shown.cards))
        if len(set(shown.cards)) < count:
            return "a card is told twice"
        seen = next((card for card in shown.cards if card not in unseen), None)
        return f"{seen.glyph} lies face up already, or is on its foundation" if seen is not None else ""
