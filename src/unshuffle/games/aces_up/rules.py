"""Aces Up: the rules. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from unshuffle.cards import PACK, Card
from unshuffle.errors import IllegalMoveError
from unshuffle.game import Outcome
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.view import View
from unshuffle.rulebook import check_fields
from unshuffle.views import Pictured

_ALLOWED: dict[str, Iterable[object]] = {
    "fill": ("optional", "must", "aces-only"),
    "destination": ("first", "last", "any"),
    "singletons": (False, True),
    "discards": ("forced", "optional"),
    "piles": (4, 5),
    "deal": ("row", "spaces"),
    "reserve": (0, 1),
}

MOST_SCORE = 48
"""The score of a won game: all cards but the aces are gone."""
ACE = 14

Pile = tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices in which one Aces Up differs from another."""

    allowed: ClassVar[Mapping[str, Iterable[object]]] = _ALLOWED
    """The values that a field may have; a field that is not here has a rule of its own."""

    fill: str = "optional"
    """Whether a space is filled: optional; must (no deal while there is a space and a pile of two or more cards);
    aces-only (nothing but an ace goes to a space)."""
    destination: str = "first"
    """Which space a card goes to: the first, the last, or any that the player likes."""
    singletons: bool = False
    """The only card of a pile may go to a space, as long as there is a stock."""
    discards: str = "forced"
    """Forced: whatever can be discarded goes at once, as a part of the move. Optional: each discard is a move."""
    piles: int = 4
    """The number of piles on the table."""
    deal: str = "row"
    """Row: a card for each pile. Spaces: while there are spaces, only they are dealt to."""
    reserve: int = 0
    """Cells that hold a card aside."""

    def __post_init__(self) -> None:
        check_fields(self, _ALLOWED)

    @property
    def stock_sizes(self) -> tuple[int, ...]:
        """The sizes that the stock can have, from the start to the end."""
        if self.deal == "spaces":
            # The first deal fills all spaces; after it a deal may have any number of cards.
            return (len(PACK), *range(len(PACK) - self.piles, -1, -1))
        return (*range(len(PACK), 0, -self.piles), 0)


def strength(card: Card) -> int:
    """Return the card's rank in this game, 2..14: aces are high."""
    return ACE if card.rank == 1 else card.rank


def beats(card: Card, other: Card) -> bool:
    """Return whether the card has the suit of the other and a higher rank."""
    return card.suit is other.suit and strength(card) > strength(other)


DISCARD_ORDER = {card: place for place, card in enumerate(sorted(PACK, key=lambda card: (card.suit, strength(card))))}
"""The place of each card among the discards: by suit, then by rank. The order in which they went does not matter."""


def sort_discards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards in the order in which discards are kept and written."""
    return tuple(sorted(cards, key=DISCARD_ORDER.__getitem__))


def beaten(piles: Sequence[Pile]) -> Iterator[tuple[int, Card]]:
    """Yield the piles, from 1, whose top card can be discarded, each with the highest card that beats it."""
    highest: dict[int, Card] = {}
    for pile in piles:
        if pile:
            top = pile[-1]
            if top.suit not in highest or beats(top, highest[top.suit]):
                highest[top.suit] = top
    for number, pile in enumerate(piles, 1):
        if pile and highest[pile[-1].suit] is not pile[-1]:
            yield number, highest[pile[-1].suit]


def discard_all(piles: Sequence[Pile]) -> tuple[tuple[Pile, ...], list[tuple[Card, Card]]]:
    """Return the piles without all that can be discarded, and the cards that go, each with the one that beats it.

    The order does not matter, the same cards go: a top card that is beaten stays beaten until it goes, for the card
    that beats it only makes way for a higher one of the suit.
    """
    after = list(piles)
    gone: list[tuple[Card, Card]] = []
    while going := list(beaten(after)):
        for number, by in going:
            gone.append((after[number - 1][-1], by))
            after[number - 1] = after[number - 1][:-1]
    return tuple(after), gone


@dataclass(frozen=True, slots=True)
class State(Pictured):
    """A table: piles with the bottom card first, the stock with the next card first, the cell and the discards."""

    game_id: ClassVar[str] = "aces-up"
    can_redeal: ClassVar[bool] = False

    rules: Rules
    piles: tuple[Pile, ...]
    stock: Pile
    reserve: Card | None = None
    """The card in the cell."""
    discarded: Pile = ()
    """The discards, in their fixed order."""
    id: str | None = field(default=None, compare=False)

    @property
    def spaces(self) -> tuple[int, ...]:
        """The empty piles, counted from 1."""
        return tuple(number for number, pile in enumerate(self.piles, 1) if not pile)

    # Legal moves.

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every move: discards by pile; to spaces by source, then target; to the cell; from it; the deal."""
        return tuple(self.each_move())

    def each_move(self) -> Iterator[Move]:
        """Yield the legal moves one by one, for callers that do not need all of them.

        A won game may have some: aces that lie on each other can still go to spaces, as they do in the peer's lines.
        """
        if self.rules.discards == "optional":
            yield from (Discard(number) for number, _ in beaten(self.piles))
        targets = self.targets()
        if targets:
            for source, pile in enumerate(self.piles, 1):
                if pile and self._may_leave(pile) and self._may_fill(pile[-1]):
                    yield from (ToSpace(source, target) for target in targets)
        if self.rules.reserve:
            if self.reserve is None:
                yield from (ToReserve(number) for number, pile in enumerate(self.piles, 1) if pile)
            elif self._may_fill(self.reserve):
                yield from (FromReserve(target) for target in targets)
        if self.stock and not self._must_fill():
            yield Deal()

    def targets(self) -> tuple[int, ...]:
        """Return the spaces to which a card may go now."""
        spaces = self.spaces
        if self.rules.destination == "first":
            return spaces[:1]
        return spaces[-1:] if self.rules.destination == "last" else spaces

    def _may_leave(self, pile: Pile) -> bool:
        """Return whether the top card of the pile may go to a space."""
        # Moving the only card of a pile changes nothing but its place, which matters only while cards are still to be
        # dealt.
        return len(pile) > 1 or (self.rules.singletons and bool(self.stock))

    def _may_fill(self, card: Card) -> bool:
        return self.rules.fill != "aces-only" or strength(card) == ACE

    def _must_fill(self) -> bool:
        """Return whether a space must be filled before the next deal."""
        return self.rules.fill == "must" and not all(self.piles) and any(len(pile) > 1 for pile in self.piles)

    # Play.

    def play(self, move: Move) -> State:
        """Return the table after the move and, where they are forced, the discards that follow it."""
        reason = self._why_not(move)
        if reason:
            raise IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)
        piles, stock, reserve = self.before_discards(move)
        gone: list[Card] = []
        if isinstance(move, Discard):
            gone = [self.piles[move.pile - 1][-1]]
        elif self.rules.discards == "forced":
            piles, pairs = discard_all(piles)
            gone = [card for card, _ in pairs]
        discarded = sort_discards((*self.discarded, *gone)) if gone else self.discarded
        return State(self.rules, piles, stock, reserve, discarded, self.id)

    def before_discards(self, move: Move) -> tuple[tuple[Pile, ...], Pile, Card | None]:
        """Return piles, stock and cell after a legal move alone, before the discards that it brings."""
        piles, stock, reserve = list(self.piles), self.stock, self.reserve
        if isinstance(move, Deal):
            served = self.served()
            for number, card in zip(served, stock, strict=False):
                piles[number - 1] = (*piles[number - 1], card)
            stock = stock[len(served) :]
        elif isinstance(move, FromReserve):
            assert reserve is not None
            piles[move.target - 1] = (reserve,)
            reserve = None
        else:
            source = (move.source if isinstance(move, ToSpace) else move.pile) - 1
            card = piles[source][-1]
            piles[source] = piles[source][:-1]
            if isinstance(move, ToSpace):
                piles[move.target - 1] = (card,)
            elif isinstance(move, ToReserve):
                reserve = card
        return tuple(piles), stock, reserve

    def served(self) -> tuple[int, ...]:
        """Return the piles that the next deal gives a card to, in its order."""
        numbers: Sequence[int] = range(1, len(self.piles) + 1)
        if self.rules.deal == "spaces":
            numbers = self.spaces or numbers
        return tuple(numbers[: len(self.stock)])

    # Why a move is illegal.

    def _why_not(self, move: Move) -> str | None:
        """Return the rule that forbids the move, or None."""
        if isinstance(move, Deal):
            return self._why_not_deal()
        if isinstance(move, FromReserve):
            return self._why_not_from_reserve(move.target)
        number = move.source if isinstance(move, ToSpace) else move.pile
        if not 1 <= number <= len(self.piles):
            return self._no_such_pile(number)
        if isinstance(move, Discard) and self.rules.discards == "forced":
            return "in these rules discards are no moves: all that can go has gone"
        if not self.piles[number - 1]:
            return f"pile {number} is empty"
        if isinstance(move, Discard):
            return self._why_not_discard(number)
        if isinstance(move, ToReserve):
            return self._why_not_to_reserve()
        return self._why_not_to_space(move)

    def _no_such_pile(self, number: int) -> str:
        return f"there is no pile {number}: the piles are 1..{len(self.piles)}"

    def _why_not_deal(self) -> str | None:
        if not self.stock:
            return "the stock is empty"
        if self._must_fill():
            return f"pile {self.spaces[0]} is empty, and a space is filled before the next deal in these rules"
        return None

    def _why_not_discard(self, number: int) -> str | None:
        if any(number == other for other, _ in beaten(self.piles)):
            return None
        card = self.piles[number - 1][-1]
        return f"{card} stays: no other pile shows a higher card of {card.suit.word}"

    def _why_not_to_space(self, move: ToSpace) -> str | None:
        pile = self.piles[move.source - 1]
        if move.source == move.target:
            return f"{pile[-1]} lies on pile {move.target} already"
        if not 1 <= move.target <= len(self.piles):
            return self._no_such_pile(move.target)
        if self.piles[move.target - 1]:
            return f"pile {move.target} is no space: a card never goes onto another"
        if not self._may_leave(pile):
            why = "the stock is empty, so that changes nothing" if self.rules.singletons else "it stays in these rules"
            return f"{pile[-1]} is the only card of pile {move.source}: {why}"
        return self._why_not_there(pile[-1], move.target)

    def _why_not_there(self, card: Card, target: int) -> str | None:
        """Return why this card does not go to this space, or None."""
        if not self._may_fill(card):
            return f"{card} does not go to a space: only an ace does in these rules"
        if target in self.targets():
            return None
        return f"a card goes to the {self.rules.destination} space in these rules, which is pile {self.targets()[0]}"

    def _why_not_to_reserve(self) -> str | None:
        if not self.rules.reserve:
            return _NO_CELL
        return None if self.reserve is None else f"the cell holds {self.reserve} already"

    def _why_not_from_reserve(self, target: int) -> str | None:
        if not self.rules.reserve:
            return _NO_CELL
        if self.reserve is None:
            return "the cell is empty"
        if not 1 <= target <= len(self.piles):
            return self._no_such_pile(target)
        if self.piles[target - 1]:
            return f"pile {target} is no space: a card never goes onto another"
        return self._why_not_there(self.reserve, target)

    # Status.

    @property
    def outcome(self) -> Outcome | None:
        """Won when all cards but the aces are gone, stuck when nothing can be done."""
        if self.score >= MOST_SCORE:
            return Outcome.WON
        return None if self.stock or any(True for _ in self.each_move()) else Outcome.STUCK

    @property
    def score(self) -> int:
        """Cards discarded."""
        return len(self.discarded)

    def view(self) -> View:
        """Return what a player sees: all but the stock."""
        return View(self.rules, self.piles, len(self.stock), self.reserve, self.discarded)


_NO_CELL = "there is no cell in these rules"


def lay_out(rules: Rules, deck: Pile) -> State:
    """Return the table before the first deal: nothing lies on it."""
    return State(rules, ((),) * rules.piles, deck)
