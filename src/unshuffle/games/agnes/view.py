"""Agnes Sorel: what a player sees. The faces of face-down cards and of the stock are not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card
from unshuffle.games.agnes.moves import Move
from unshuffle.views import HiddenView

if TYPE_CHECKING:
    from unshuffle.games.agnes.rules import Rules, State  # noqa: F401 # the base class below names State as text


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

    @property
    def score(self) -> int:
        """Cards on the foundations."""
        return sum(self.foundations)

    def not_hidden(self, card: Card) -> str:
        """Return the words for a card that cannot be turned up."""
        return f"{card.glyph} lies face up already, or is on its foundation"
