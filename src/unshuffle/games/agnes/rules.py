"""Agnes Sorel: the rules. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from unshuffle.cards import PACK, Card, Suit
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import Outcome
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.view import View
from unshuffle.rulebook import check_fields
from unshuffle.views import Pictured

POLICIES = ("none", "any-1", "high-1", "any-run", "high-run")
"""What may go to an empty pile."""

_ALLOWED: dict[str, Iterable[object]] = {
    "face_up": (False, True),
    "move_same_suit": (False, True),
    "move_to_empty_pile": POLICIES,
    "split_runs": (False, True),
    "ranks": range(2, 14),
    "piles": range(1, 10),
}

Pile = tuple[Card, ...]
Foundations = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices in which one Agnes Sorel differs from another."""

    allowed: ClassVar[Mapping[str, Iterable[object]]] = _ALLOWED
    """The values that a field may have; a field that is not here has a rule of its own."""

    face_up: bool = False
    """All cards of the piles are dealt face up; else only the top card of each."""
    move_same_suit: bool = False
    """Cards move together in one suit; else in one colour. (Either way a card is put on one of its colour.)"""
    move_to_empty_pile: str = "none"
    """What may go to an empty pile: none, any-1, high-1, any-run or high-run."""
    split_runs: bool = True
    """A part of a run may move; else only the whole of it."""
    ranks: int = 13
    """Ranks in the deck, from the ace; fewer than 13 for tests."""
    piles: int = 7
    """The number of piles, and of rows in the triangle that is dealt."""

    def __post_init__(self) -> None:
        check_fields(self, _ALLOWED)
        if self.first_stock < 0:
            raise UsageError(
                f"piles={self.piles} does not go with ranks={self.ranks}: the deck has {4 * self.ranks} cards, "
                f"and the base card and {self.piles} piles take {4 * self.ranks - self.first_stock}"
            )

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards in play."""
        return _pack(self.ranks)

    @property
    def first_stock(self) -> int:
        """Cards in the stock before the first deal."""
        return 4 * self.ranks - 1 - self.piles * (self.piles + 1) // 2

    @property
    def stock_sizes(self) -> tuple[int, ...]:
        """The sizes that the stock can have, from the start to the end: each deal takes a card for every pile."""
        sizes = [*range(self.first_stock, 0, -self.piles), 0]
        return tuple(sizes)

    def heights(self, base: int) -> Mapping[Card, int]:
        """Return each card's height over the base rank: 0 for the low cards, which go up first, to the high ones."""
        return heights(self.ranks, base)

    def high_rank(self, base: int) -> int:
        """Return the rank of the high cards."""
        return (base - 2) % self.ranks + 1

    def carriers(self, base: int) -> Mapping[Card, tuple[Card, ...]]:
        """Return for each card those with which it makes one run, if it lies on them and both lie face up."""
        return _carriers(self.ranks, base, self.move_same_suit)

    def links(self, card: Card, under: Card, base: int) -> bool:
        """Return whether the card makes one run with the card under it, if both lie face up."""
        return under in self.carriers(base)[card]

    def takers(self, base: int) -> Mapping[Card, tuple[Card, ...]]:
        """Return for each card those on which it may be packed: one height above it and of its colour."""
        return _carriers(self.ranks, base, False)


@cache
def _pack(ranks: int) -> tuple[Card, ...]:
    return tuple(card for card in PACK if card.rank <= ranks)


@cache
def heights(ranks: int, base: int) -> Mapping[Card, int]:
    """Return each card's height over this base rank."""
    return {card: (card.rank - base) % ranks for card in _pack(ranks)}


@cache
def _carriers(ranks: int, base: int, same_suit: bool) -> Mapping[Card, tuple[Card, ...]]:
    height = heights(ranks, base)
    return {
        card: tuple(
            under
            for under in height
            if height[under] == height[card] + 1
            and (under.suit is card.suit or (not same_suit and under.suit is partner(card.suit)))
        )
        for card in height
    }


def partner(suit: Suit) -> Suit:
    """Return the other suit of the same colour."""
    return _PARTNERS[suit]


_PARTNERS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
_COLOURS = ("black", "red", "red", "black")
_RANK_WORDS = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")


def glyphs(cards: Iterable[Card]) -> str:
    """Return the cards as a table shows them, separated by a blank."""
    return " ".join(card.glyph for card in cards)


@dataclass(frozen=True, slots=True)
class State(Pictured):
    """A table: piles with the bottom card first, the stock with the next card first, and the foundations."""

    game_id: ClassVar[str] = "agnes"
    can_redeal: ClassVar[bool] = False

    rules: Rules
    piles: tuple[Pile, ...]
    down: tuple[int, ...]
    """How many cards of each pile lie face down: its lowest ones."""
    stock: Pile
    base: int
    """The rank of the base card, with which every foundation begins."""
    foundations: Foundations
    """Cards up, by suit."""
    id: str | None = field(default=None, compare=False)

    def height(self, card: Card) -> int:
        """Return how far the card's rank is above the base rank."""
        return self.rules.heights(self.base)[card]

    # Legal moves.

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every move: foundations by pile; units by source pile, number of cards and target pile; the deal."""
        return tuple(self.each_move())

    def each_move(self) -> Iterator[Move]:
        """Yield the legal moves one by one, for callers that do not need all of them."""
        height = self.rules.heights(self.base)
        for number, pile in enumerate(self.piles, 1):
            if pile and height[pile[-1]] == self.foundations[pile[-1].suit]:
                yield ToFoundation(number)
        tops: dict[Card, int] = {}
        empty: list[int] = []
        for number, pile in enumerate(self.piles, 1):
            if pile:
                tops[pile[-1]] = number
            else:
                empty.append(number)
        takers = self.rules.takers(self.base)
        for source, pile in enumerate(self.piles, 1):
            for count in self.unit_sizes(source):
                head = pile[-count]
                targets = [tops[card] for card in takers[head] if card in tops]
                if empty and self._may_fill(head, count):
                    targets += empty
                for target in sorted(targets):
                    yield ToPile(source, target, count)
        if self.stock:
            yield Deal()

    def unit_sizes(self, number: int) -> Sequence[int]:
        """Return how many cards may be taken off a pile together: without splits only the whole run."""
        longest = self.run_length(number)
        return range(1 if self.rules.split_runs else max(1, longest), longest + 1)

    def run_length(self, number: int) -> int:
        """Return the length of the pile's longest unit: its top cards that are face up and make one run."""
        pile, down = self.piles[number - 1], self.down[number - 1]
        if not pile:
            return 0
        carriers = self.rules.carriers(self.base)
        start = len(pile) - 1
        while start > down and pile[start - 1] in carriers[pile[start]]:
            start -= 1
        return len(pile) - start

    def _may_fill(self, head: Card, count: int) -> bool:
        """Return whether a unit with this head and so many cards may go to an empty pile."""
        policy = self.rules.move_to_empty_pile
        return (
            policy != "none"
            and (count == 1 or policy in ("any-run", "high-run"))
            and (head.rank == self.rules.high_rank(self.base) or policy in ("any-1", "any-run"))
        )

    # Play.

    def play(self, move: Move) -> State:
        """Return the table after the move."""
        reason = self._why_not(move)
        if reason:
            raise IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)
        piles, down = list(self.piles), list(self.down)
        if isinstance(move, Deal):
            for index, card in enumerate(self.stock[: len(piles)]):
                piles[index] = (*piles[index], card)
            stock = self.stock[len(piles) :]
            return State(self.rules, tuple(piles), self.down, stock, self.base, self.foundations, self.id)
        source = (move.pile if isinstance(move, ToFoundation) else move.source) - 1
        count = 1 if isinstance(move, ToFoundation) else move.count
        unit = piles[source][-count:]
        piles[source] = piles[source][:-count]
        if 0 < down[source] == len(piles[source]):
            down[source] -= 1  # the last face-up card has left: the next one is turned up
        foundations = self.foundations
        if isinstance(move, ToFoundation):
            clubs, diamonds, hearts, spades = (foundations[suit] + (unit[0].suit is suit) for suit in Suit)
            foundations = (clubs, diamonds, hearts, spades)
        else:
            piles[move.target - 1] += unit
        return State(self.rules, tuple(piles), tuple(down), self.stock, self.base, foundations, self.id)

    # Why a move is illegal.

    def _why_not(self, move: Move) -> str | None:
        """Return the rule that forbids the move, or None."""
        if isinstance(move, Deal):
            return None if self.stock else "the stock is empty"
        if isinstance(move, ToFoundation):
            return self._why_not_there(move.pile) or self._why_not_up(self.piles[move.pile - 1][-1])
        reason = self._why_not_there(move.source) or self._why_not_a_unit(move.source, move.count)
        if reason:
            return reason
        if not 1 <= move.target <= len(self.piles):
            return self._no_such_pile(move.target)
        if move.source == move.target:
            return f"the cards lie on pile {move.target} already"
        head, onto = self.piles[move.source - 1][-move.count], self.piles[move.target - 1]
        return self._why_not_onto(head, onto[-1]) if onto else self._why_not_to_empty(head, move.count)

    def _no_such_pile(self, number: int) -> str:
        return f"there is no pile {number}: the piles are 1..{len(self.piles)}"

    def _why_not_there(self, number: int) -> str | None:
        if not 1 <= number <= len(self.piles):
            return self._no_such_pile(number)
        return None if self.piles[number - 1] else f"pile {number} is empty"

    def _why_not_up(self, card: Card) -> str | None:
        up = self.foundations[card.suit]
        if self.height(card) == up:
            return None
        wanted = Card((self.base - 1 + up) % self.rules.ranks + 1, card.suit)
        return f"{card.glyph} does not go up: the foundation of {card.suit.word} needs {wanted.glyph} next"

    def _why_not_a_unit(self, number: int, count: int) -> str | None:
        pile = self.piles[number - 1]
        longest = self.run_length(number)
        if count < 1:
            return f"{count} cards do not move: a unit has at least one"
        if count > len(pile):
            return f"pile {number} has only {_plural(len(pile))}"
        if count > len(pile) - self.down[number - 1]:
            return f"pile {number} has only {_plural(len(pile) - self.down[number - 1])} face up"
        if count > longest:
            run, under = pile[-longest:], pile[-longest - 1]
            kind = "suit" if self.rules.move_same_suit else "colour"
            return f"{under.glyph} does not move with {glyphs(run)}: a run goes down by one, in one {kind}"
        if count < longest and not self.rules.split_runs:
            return f"the run {glyphs(pile[-longest:])} may not be split: all {longest} cards move, or none"
        return None

    def _why_not_onto(self, head: Card, onto: Card) -> str | None:
        if onto in self.rules.takers(self.base)[head]:
            return None
        if head.rank == self.rules.high_rank(self.base):
            return f"{head.glyph} does not go on {onto.glyph}: a high card goes on no other"
        needed = f"{_COLOURS[head.suit]} {_RANK_WORDS[head.rank % self.rules.ranks]}"
        return f"{head.glyph} does not go on {onto.glyph}: needs a {needed}"

    def _why_not_to_empty(self, head: Card, count: int) -> str | None:
        if self._may_fill(head, count):
            return None
        high = _RANK_WORDS[self.rules.high_rank(self.base) - 1]
        may = {
            "none": "nothing goes to an empty pile but a dealt card",
            "any-1": "only a single card goes to an empty pile",
            "high-1": f"only a single high card (rank: {high}) goes to an empty pile",
            "high-run": f"only a run that begins with a high card (rank: {high}) goes to an empty pile",
        }
        return f"{may[self.rules.move_to_empty_pile]} in these rules"

    # Status.

    @property
    def outcome(self) -> Outcome | None:
        """Won when all cards are up, stuck when nothing can be done."""
        if self.score == 4 * self.rules.ranks:
            return Outcome.WON
        return None if self.stock or any(True for _ in self.each_move()) else Outcome.STUCK

    @property
    def score(self) -> int:
        """Cards on the foundations, the base card included."""
        return sum(self.foundations)

    def view(self) -> View:
        """Return what a player sees: the face-up cards."""
        piles = tuple(
            (*(None for _ in range(down)), *pile[down:]) for pile, down in zip(self.piles, self.down, strict=True)
        )
        return View(self.rules, piles, len(self.stock), self.base, self.foundations)


def _plural(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def lay_out(rules: Rules, deck: Pile) -> State:
    """Deal a deck: the base card, the piles row by row, and the stock."""
    base = deck[0]
    piles: list[list[Card]] = [[] for _ in range(rules.piles)]
    rest = iter(deck[1:])
    for row in range(rules.piles):
        for pile in piles[row:]:
            pile.append(next(rest))
    down = tuple(0 if rules.face_up else index for index in range(rules.piles))
    clubs, diamonds, hearts, spades = (int(suit is base.suit) for suit in Suit)
    return State(rules, tuple(map(tuple, piles)), down, tuple(rest), base.rank, (clubs, diamonds, hearts, spades))
