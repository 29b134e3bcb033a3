"""Aces Up: what a player sees. The faces of the stock are not in it.

The game can be played on with no more than that: a deal then tells the cards that it turns up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import PACK, Card
from unshuffle.errors import IllegalMoveError
from unshuffle.game import Outcome
from unshuffle.games.aces_up.moves import Deal, Move
from unshuffle.views import Pictured

if TYPE_CHECKING:
    import random

    from unshuffle.games.aces_up.rules import Rules, State


@dataclass(frozen=True, slots=True)
class Shown:
    """A deal and the cards that it turns up, as a player tells them who sees no more than the table."""

    move: Move
    cards: tuple[Card, ...]
    """In the order in which they are dealt."""

    @property
    def token(self) -> str:
        """`d=QS,QD,4H,4D`."""
        return f"{self.move.token}={','.join(map(str, self.cards))}"


@dataclass(frozen=True, slots=True)
class View(Pictured):
    """The piles, the cell, the discards, and how many cards are in the stock."""

    game_id: ClassVar[str] = "aces-up"
    can_redeal: ClassVar[bool] = False
    id: ClassVar[str | None] = None
    """The deal would tell the cards, so a view never knows it."""

    rules: Rules
    piles: tuple[tuple[Card, ...], ...]
    """Bottom to top."""
    stock: int
    """Cards left in the stock."""
    reserve: Card | None = None
    discarded: tuple[Card, ...] = ()

    def __str__(self) -> str:
        from unshuffle.games.aces_up.notation import format_view  # it reads views itself

        return format_view(self)

    def view(self) -> View:
        """All that is seen of what is seen."""
        return self

    @property
    def spaces(self) -> tuple[int, ...]:
        """The empty piles, counted from 1."""
        return self._any().spaces

    @property
    def score(self) -> int:
        """Cards discarded."""
        return len(self.discarded)

    @property
    def outcome(self) -> Outcome | None:
        """Won when all cards but the aces are gone, stuck when nothing can be done."""
        return self._any().outcome

    # What is not seen.

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards in the stock, sorted: nobody sees their order."""
        seen = {self.reserve, *self.discarded, *(card for pile in self.piles for card in pile)}
        return tuple(card for card in PACK if card not in seen)

    def sample(self, rng: random.Random) -> State:
        """A state, uniform over all that fit the view: every order of the stock does."""
        cards = list(self.unseen)
        rng.shuffle(cards)
        return self.laid(cards)

    def laid(self, cards: Sequence[Card]) -> State:
        """The state whose stock is these cards, in dealing order."""
        if sorted(cards) != list(self.unseen):
            raise ValueError(f"expected the {len(self.unseen)} unseen cards, each once")
        return self._with_stock(cards)

    def _with_stock(self, cards: Sequence[Card]) -> State:
        from unshuffle.games.aces_up.rules import State  # it makes views itself

        return State(self.rules, self.piles, tuple(cards), self.reserve, self.discarded)

    def _any(self) -> State:
        """Some state that fits, for what hangs on no hidden card."""
        return self._with_stock(self.unseen)

    # Playing on.

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves, which hang on no hidden card."""
        return self._any().legal_moves()

    def turned_by(self, move: Move) -> int:
        """How many cards the move turns up."""
        return len(self.served()) if isinstance(move, Deal) else 0

    def served(self) -> tuple[int, ...]:
        """The piles that the next deal gives a card to, in its order."""
        return self._any().served()

    def play(self, move: Move | Shown) -> View:
        """What is seen after the move; a deal tells its cards. IllegalMoveError says what is wrong."""
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
        unseen = self.unseen
        for card in shown.cards:
            if card not in unseen:
                raise self._refuse(move, f"{card} is not in the stock: it lies on the table, or is discarded")
        if count:
            rest = (card for card in unseen if card not in shown.cards)
            after = self.laid((*shown.cards, *rest)).play(shown.move)
        return after.view()

    def _refuse(self, move: Move | Shown, reason: str) -> IllegalMoveError:
        return IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)


def _is(count: int) -> str:
    return "are" if count > 1 else "is"
