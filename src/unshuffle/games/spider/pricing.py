"""A table of Spider as the searches see it, with its cost and its hash, which are the same in the engine.

A card is a number, 16 * suit + rank, with the suits in the order S H D C, so that the next higher card of the suit is
the number plus one. An unknown card is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from unshuffle.cards import Card, Suit
from unshuffle.deals import MASK, mix
from unshuffle.games.spider.moves import Move, Run
from unshuffle.games.spider.rules import State
from unshuffle.games.spider.view import View
from unshuffle.games.spider.weights import Weights

UNKNOWN = 0
_KEPT = 1 << 17
"""The size of the caches of piles: a move changes only two piles of ten."""
_GOLDEN = 0x9E3779B97F4A7C15


def number_of(card: Card | None) -> int:
    """Return the number of a card; 0 for an unknown one."""
    return UNKNOWN if card is None else 16 * (Suit.SPADES - card.suit) + card.rank


def rank_of(number: int) -> int:
    """Return the rank, 1..13; 0 for an unknown card."""
    return number & 15


def suit_of(number: int) -> int:
    """Return the suit, 0..3: spades, hearts, diamonds, clubs."""
    return number >> 4


class Pile(NamedTuple):
    """Cards from the bottom up, and how many of them lie face down."""

    cards: tuple[int, ...]
    down: int

    def turned(self) -> Pile:
        """Return the pile with its last card turned face up."""
        return Pile(self.cards, self.down - 1) if 0 < self.down == len(self.cards) else self

    def settled(self, ranks: int) -> Pile:
        """Return the pile after a complete run, if there is one, has left it."""
        return Pile(self.cards[:-ranks], self.down).turned() if run_of(self) == ranks else self


@lru_cache(maxsize=_KEPT)
def run_of(pile: Pile) -> int:
    """Return the length of the run at the end of the pile, in suit and face up."""
    cards, down = pile
    start = len(cards) - 1
    while start > down and cards[start - 1] == cards[start] + 1:
        start -= 1
    return len(cards) - start if cards else 0


class Table(NamedTuple):
    """The piles, the number of rows in the bank, and the number of completed runs."""

    piles: tuple[Pile, ...]
    rows: int
    done: int

    @property
    def empty(self) -> int:
        """The number of empty piles."""
        return sum(not pile.cards for pile in self.piles)

    @property
    def is_open(self) -> bool:
        """Whether all cards are known: none lies face down, and no row is left."""
        return self.rows == 0 and all(pile.down == 0 for pile in self.piles)

    def moved(self, move: Run, ranks: int) -> Table:
        """Return the table after a move of a run; an unknown card that it turns stays unknown."""
        piles, source, target = list(self.piles), move.source - 1, move.target - 1
        cards, down = piles[source]
        onto = piles[target]
        piles[source] = Pile(cards[: -move.count], down).turned()
        laid = Pile(onto.cards + cards[-move.count :], onto.down)
        # Only the target can complete a run.
        piles[target] = laid.settled(ranks)
        return Table(tuple(piles), self.rows, self.done + (piles[target] is not laid))

    def dealt(self, row: Sequence[int], ranks: int) -> Table:
        """Return the table after a row of these cards."""
        laid = [Pile((*pile.cards, card), pile.down) for pile, card in zip(self.piles, row, strict=True)]
        piles = [pile.settled(ranks) for pile in laid]
        done = sum(after is not before for after, before in zip(piles, laid, strict=True))
        return Table(tuple(piles), self.rows - 1, self.done + done)

    def turns(self, after: Table) -> bool:
        """Return whether a move to this table has turned a card."""
        return any(then.down < now.down for now, then in zip(self.piles, after.piles, strict=True))


def seen_table(view: View) -> Table:
    """Return the table that a player sees."""
    piles = tuple(Pile(tuple(map(number_of, pile)), down) for pile, down in zip(view.piles, view.down, strict=True))
    return Table(piles, view.rows_left, len(view.completed))


def open_table(state: State) -> Table:
    """Return the table with all cards known; the caller keeps the bank."""
    piles = tuple(Pile(tuple(map(number_of, pile)), down) for pile, down in zip(state.piles, state.down, strict=True))
    return Table(piles, state.rows_left, len(state.completed))


def row_of(bank: Sequence[int], rows: int, piles: int) -> Sequence[int]:
    """Return the row that is dealt when `rows` rows of this bank are left."""
    start = len(bank) - rows * piles
    return bank[start : start + piles]


# Prices.


class Price(NamedTuple):
    """The cost and the hash of a table."""

    cost: int
    hash: int


class _PilePrice(NamedTuple):
    cost: int
    hash: int
    top: int
    """The rank of the last card; 0: unknown or none."""
    head: int
    """The rank of the first card of its run; 0: unknown, none, or a king at the bottom."""


def price(table: Table, ranks: int, weights: Weights) -> Price:
    """Return the cost of the table and its hash."""
    cost, code, tops, heads, empty = 0, mix(table.rows + 1), 0, [], 0
    for place, pile in enumerate(table.piles, 1):
        # Only a row distinguishes the piles: without rows the hash ignores their order.
        found = _price(pile, place if table.rows else 0, ranks, weights)
        cost += found.cost
        code += found.hash
        tops |= 1 << found.top
        heads.append(found.head)
        empty += not pile.cards
    stranded = sum(head > 0 and not tops >> (head + 1) & 1 for head in heads)
    # An ace takes no card.
    taking = (tops >> 2).bit_count()
    cost += weights.stranded * stranded - weights.taking * taking
    return Price(cost - weights.empty[empty] - weights.done * table.done, code & MASK)


@lru_cache(maxsize=_KEPT)
def _price(pile: Pile, place: int, ranks: int, weights: Weights) -> _PilePrice:
    cards, down = pile
    code = _down_hash(down)
    for height, card in enumerate(cards):
        code ^= _card_hash(height, card)
    code = mix(code ^ (place * _GOLDEN & MASK))
    if not cards:
        return _PilePrice(0, code, 0, 0)
    cost, first = 0, down
    for first, end in _segments(pile):
        cost += _segment_cost(pile, first, ranks, weights) - weights.joins * (end - first - 1) ** 2
    is_at_home = first == 0 and rank_of(cards[0]) == ranks
    return _PilePrice(cost, code, rank_of(cards[-1]), 0 if is_at_home else rank_of(cards[first]))


def _segments(pile: Pile) -> Iterator[tuple[int, int]]:
    """Yield where each segment of face-up cards, in suit and each one rank lower, begins and ends."""
    cards, first = pile.cards, pile.down
    while first < len(cards):
        end = first + 1
        while end < len(cards) and cards[end] + 1 == cards[end - 1]:
            end += 1
        yield first, end
        first = end


def _segment_cost(pile: Pile, first: int, ranks: int, weights: Weights) -> int:
    """Return the cost of a segment by its first card and the cards below it."""
    cards, down = pile
    card = cards[first]
    cost = weights.down * down + weights.down2 * down * down if first == down else 0
    if first == 0:
        return cost + weights.bottom * (rank_of(card) != ranks)
    on = cards[first - 1]
    if card != UNKNOWN and rank_of(on) == rank_of(card) + 1:
        cost += weights.off
    else:
        # On a face-down card the order does not count.
        cost += weights.gap + weights.inverse * (first > down and rank_of(on) < rank_of(card))
    lower = {
        other for other in cards[:first] if other and suit_of(other) == suit_of(card) and rank_of(other) < rank_of(card)
    }
    return cost + weights.buried * len(lower) + weights.above * (down > 0)


@cache
def _card_hash(height: int, card: int) -> int:
    """Return what a card at a height adds to the hash of its pile."""
    return mix(0x5912DE4D0000 + height * 64 + card)


@cache
def _down_hash(down: int) -> int:
    return mix(0x0D0FF000 + down)


# Which moves are tried.


class Filter(NamedTuple):
    """The moves that a search tries."""

    splits: bool
    """Runs may be split onto another suit, and without making a longer one."""
    parts_to_empty: bool
    """Parts of a run may go to an empty pile."""


def children(table: Table, tried: Filter, ranks: int) -> Iterator[tuple[Run, Table]]:
    """Yield the moves of cards that the filter allows, with the tables that they make."""
    ending: dict[int, list[int]] = {}
    for number, pile in enumerate(table.piles, 1):
        ending.setdefault(rank_of(pile.cards[-1]) if pile.cards else 0, []).append(number)
    # All empty piles are equivalent: try the first only.
    hole = ending.get(0, [0])[0]
    for source, pile in enumerate(table.piles, 1):
        if not pile.cards:
            continue
        run, last = run_of(pile), pile.cards[-1]
        for count in range(1, run + 1):
            for target in ending.get(rank_of(last) + count, ()):
                if count == run or tried.splits or _is_longer(table, source, target, count):
                    move = Run(source, target, count)
                    yield move, table.moved(move, ranks)
        if hole:
            for count in range(1 if tried.parts_to_empty else run, run + 1):
                if count < len(pile.cards):
                    move = Run(source, hole, count)
                    yield move, table.moved(move, ranks)


def _is_longer(table: Table, source: int, target: int, count: int) -> bool:
    """Return whether a part of a run makes a longer one in its own suit.

    A split onto another suit has to be undone before it gains anything, and one that makes no longer run gains nothing.
    """
    pile, onto = table.piles[source - 1], table.piles[target - 1]
    return suit_of(onto.cards[-1]) == suit_of(pile.cards[-1]) and run_of(onto) + count > run_of(pile)


def in_order(move: Move) -> tuple[int, int, int]:
    """Return a sort key that breaks ties between moves."""
    return (move.source, move.target, move.count) if isinstance(move, Run) else (0, 0, 0)
