"""Agnes Sorel: what a player sees. The faces of face-down cards and of the stock are not in it.

The game can be played on with no more than that: a move that turns cards up then takes their faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import Card
from unshuffle.errors import IllegalMoveError
from unshuffle.game import Outcome
from unshuffle.games.agnes.moves import Deal, Move, ToPile
from unshuffle.views import Pictured

if TYPE_CHECKING:
    import random

    from unshuffle.games.agnes.rules import Rules, State


@dataclass(frozen=True, slots=True)
class Shown:
    """A move and the cards that it turns up, as a player tells them who sees no more than the table."""

    move: Move
    cards: tuple[Card, ...]
    """In the order in which they are dealt, or the one that is turned."""

    @property
    def token(self) -> str:
        """`2f=AC`, `d=JS,9D`."""
        return f"{self.move.token}={','.join(map(str, self.cards))}"


@dataclass(frozen=True, slots=True)
class View(Pictured):
    """The face-up cards, the foundations, and how many cards lie face down and in the stock."""

    game_id: ClassVar[str] = "agnes"
    can_redeal: ClassVar[bool] = False
    id: ClassVar[str | None] = None
    """The deal would tell the cards, so a view never knows it."""

    rules: Rules
    piles: tuple[tuple[Card | None, ...], ...]
    """Bottom to top; None is a card that lies face down."""
    stock: int
    """Cards left in the stock."""
    base: int
    foundations: tuple[int, int, int, int]

    def __str__(self) -> str:
        from unshuffle.games.agnes.notation import format_view  # it reads views itself

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
        """Cards on the foundations."""
        return sum(self.foundations)

    @property
    def outcome(self) -> Outcome | None:
        """Won when all cards are up, stuck when nothing can be done."""
        return self._any().outcome

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie face down or in the stock, sorted: nobody sees which is where."""
        seen = {card for pile in self.piles for card in pile}
        rules = self.rules
        height = rules.heights(self.base)
        return tuple(card for card in rules.pack if card not in seen and height[card] >= self.foundations[card.suit])

    def sample(self, rng: random.Random) -> State:
        """A state, uniform over all that fit the view: every order of the unseen cards does."""
        cards = list(self.unseen)
        rng.shuffle(cards)
        return self.laid(cards)

    def laid(self, cards: Sequence[Card]) -> State:
        """The state with the unseen cards in this order: pile by pile, each from its bottom, then the stock."""
        from unshuffle.games.agnes.rules import State  # it makes views itself

        if sorted(cards) != list(self.unseen):
            raise ValueError(f"expected the {len(self.unseen)} unseen cards, each once")
        rest = iter(cards)
        piles = tuple(tuple(next(rest) if card is None else card for card in pile) for pile in self.piles)
        return State(self.rules, piles, self.down, tuple(rest), self.base, self.foundations)

    def _any(self) -> State:
        """Some state that fits, for what hangs on no hidden card."""
        return self.laid(self.unseen)

    # Playing on.

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves, which hang on face-up cards alone."""
        return self._any().legal_moves()

    def turned_by(self, move: Move) -> int:
        """How many cards the move turns up."""
        if isinstance(move, Deal):
            return min(self.stock, len(self.piles))
        number, count = (move.source, move.count) if isinstance(move, ToPile) else (move.pile, 1)
        return int(0 < len(self.piles[number - 1]) - count == self.down[number - 1])

    def laid_for(self, shown: Shown) -> State:
        """A state in which the move turns these cards up."""
        rest = iter(card for card in self.unseen if card not in shown.cards)
        if isinstance(shown.move, Deal):
            first = sum(self.down)
        else:
            number = shown.move.source if isinstance(shown.move, ToPile) else shown.move.pile
            first = sum(self.down[:number]) - 1
        before = [next(rest) for _ in range(first)]
        return self.laid((*before, *shown.cards, *rest))

    def play(self, move: Move | Shown) -> View:
        """What is seen after the move; one that turns cards up tells them. IllegalMoveError says what is wrong."""
        shown = move if isinstance(move, Shown) else Shown(move, ())
        try:
            after = self._any().play(shown.move)
        except IllegalMoveError as error:
            raise self._refuse(move, error.reason) from None
        count = self.turned_by(shown.move)
        if len(shown.cards) != count:
            turns = f"it turns up {count or 'no'} card{'s' * (count != 1)}"
            raise self._refuse(move, f"{turns}, and {len(shown.cards) or 'none'} {_is(len(shown.cards))} told")
        if len(set(shown.cards)) < count:
            raise self._refuse(move, "a card is told twice")
        for card in shown.cards:
            if card not in self.unseen:
                raise self._refuse(move, f"{card.glyph} lies face up already, or is on its foundation")
        return (self.laid_for(shown).play(shown.move) if count else after).view()

    def _refuse(self, move: Move | Shown, reason: str) -> IllegalMoveError:
        return IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)


def _is(count: int) -> str:
    return "are" if count > 1 else "is"
