"""Spider: what a player sees. The faces of face-down cards and of the bank are not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card, Suit
from unshuffle.game import Outcome
from unshuffle.games.spider.moves import Move

if TYPE_CHECKING:
    import random

    from unshuffle.games.spider.rules import Rules, State


@dataclass(frozen=True, slots=True)
class View:
    """The face-up cards, the completed runs, and how many cards lie face down and in the bank."""

    game_id: ClassVar[str] = "spider"
    can_redeal: ClassVar[bool] = False
    id: ClassVar[str | None] = None
    """The deal would tell the cards, so a view never knows it."""

    rules: Rules
    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is a card that lies face down."""
    bank: int
    """Cards left in the bank."""
    completed: tuple[Suit, ...] = ()
    moves: int = 0

    def __str__(self) -> str:
        from unshuffle.games.spider.notation import format_view  # it reads views itself

        return format_view(self)

    def view(self) -> View:
        """All that is seen of what is seen."""
        return self

    @property
    def down(self) -> tuple[int, ...]:
        """How many cards of each pile lie face down."""
        return tuple(pile.count(None) for pile in self.piles)

    @property
    def score(self) -> int:
        """The Sun score less the moves made: no hidden card plays a part in it."""
        return self._any().score

    @property
    def outcome(self) -> Outcome | None:
        """Won when all runs have left, stuck when nothing can be done."""
        return self._any().outcome

    @property
    def rows_left(self) -> int:
        """Rows in the bank."""
        return self.bank // len(self.piles)

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves, which hang on face-up cards alone."""
        return self._any().legal_moves()

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie face down or in the bank, sorted: nobody sees which is where."""
        left = Counter(self.rules.pack)
        left.subtract(card for pile in self.piles for card in pile if card is not None)
        left.subtract(Card(rank, suit) for suit in self.completed for rank in range(1, self.rules.ranks + 1))
        return tuple(sorted(left.elements()))

    def sample(self, rng: random.Random) -> State:
        """A state, uniform over all that fit the view: every order of the unseen cards does."""
        cards = list(self.unseen)
        rng.shuffle(cards)
        return self.laid(cards)

    def laid(self, cards: Sequence[Card]) -> State:
        """The state with the unseen cards in this order: pile by pile, each from its bottom, then the bank."""
        from unshuffle.games.spider.rules import State  # it makes views itself

        if sorted(cards) != list(self.unseen):
            raise ValueError(f"expected the {len(self.unseen)} unseen cards, each as often as it is there")
        rest = iter(cards)
        piles = tuple(tuple(next(rest) if card is None else card for card in pile) for pile in self.piles)
        return State(self.rules, piles, self.down, tuple(rest), self.completed, self.moves)

    def _any(self) -> State:
        """Some state that fits, for what hangs on no hidden card."""
        return self.laid(self.unseen)
