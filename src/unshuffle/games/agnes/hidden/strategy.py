"""The policy `greedy` of Agnes Sorel, one move at a time, from what can be seen. docs/simulate.md describes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from unshuffle.cards import Card
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.rules import State, partner

if TYPE_CHECKING:
    from unshuffle.games.agnes.view import View

# Points for a unit by where its head lies and where it goes. Measured on 10,000 deals of each of nine variants: all
# numbers near these play about as well.
_LOOSE_TO_SUIT = 18
_LOOSE_TO_EMPTY = 3
_LOOSE_TO_PARTNER = 2
_PARTNER_TO_SUIT = 5
_PARTNER_TO_EMPTY = -10
_PARTNER_TO_PARTNER = -11
# Points for what the unit leaves behind.
_FREES = 15
_TURNS = 2
_CAN_BE_PACKED = 2
_CAN_BE_PACKED_IN_SUIT = 1
_TAKES_OWN_SUIT = 3
_TAKES_PARTNER = 1


def greedy(table: State | View, moves: Sequence[Move]) -> Move | None:
    """Return the best move: a card up; else the unit with the most points, if positive; else the deal; None to stop.

    A state may be given in place of its view, for speed in playouts: no hidden card is read.
    """
    best, most = None, 0
    seen = None
    for move in moves:
        if isinstance(move, ToFoundation):
            return move
        if isinstance(move, Deal):
            return best or move
        seen = seen or _Seen(table)
        points = seen.points(move)
        if points > most:
            best, most = move, points
    return best


def points_of(table: State | View, move: ToPile) -> int:
    """Return the points of a unit's move; `greedy` makes none with 0 points or less."""
    return _Seen(table).points(move)


def is_safe(table: State | View, move: Move) -> bool:
    """Return whether the move puts up a card without loss for any line of play (docs/notes/agnes.md has the proof).

    Where runs may not be split this holds only with an empty stock: else a dealt card could join what lay under this
    one.
    """
    if not isinstance(move, ToFoundation) or (table.stock and not table.rules.split_runs):
        return False
    card = table.piles[move.pile - 1][-1]
    assert card is not None  # the top card of a pile lies face up
    return table.rules.heights(table.base)[card] <= table.foundations[partner(card.suit)] + 1


class _Seen:
    """The face-up cards of a table, prepared for counting points."""

    def __init__(self, table: State | View) -> None:
        self._rules = table.rules
        self._base = table.base
        self._foundations = table.foundations
        self._height = table.rules.heights(table.base)
        self._down = table.down
        self._piles: tuple[tuple[Card, ...], ...] = tuple(
            pile[down:]  # type: ignore[misc] # what is face down, and no card in a view, is cut off
            for pile, down in zip(table.piles, table.down, strict=True)
        )

    def points(self, move: ToPile) -> int:
        """Return what the move is worth; 0 or less if it is not worth making."""
        pile, target = self._open(move.source), self._open(move.target)
        place = len(pile) - move.count
        head = pile[place]
        under = pile[place - 1] if place else None
        down = self._down[move.source - 1]
        if not target and not place and not down:
            return 0  # a whole pile to an empty place: nothing has changed
        is_packed = under is not None and self._packs(head, under)
        if under is not None and is_packed and under.suit is head.suit:
            return 0
        points = _worth(head, target[-1] if target else None, is_packed)
        if under is None:
            return points + (_TURNS if down else 0)
        if self._height[under] == self._foundations[under.suit]:
            return points + _FREES
        return points if is_packed else points + self._uncovers(under, move)

    def _uncovers(self, card: Card, move: ToPile) -> int:
        """Return points for what could be done next with a card that comes free."""
        points = 0
        tops = [top for top in self._tops_after(move) if self._packs(card, top)]
        if tops:
            points += _CAN_BE_PACKED
        if any(top.suit is card.suit for top in tops):
            points += _CAN_BE_PACKED_IN_SUIT
        heads = [head for head in self._loose_heads(move) if self._packs(head, card)]
        if any(head.suit is card.suit for head in heads):
            points += _TAKES_OWN_SUIT
        if any(head.suit is not card.suit for head in heads):
            points += _TAKES_PARTNER
        return points

    def _tops_after(self, move: ToPile) -> Iterator[Card]:
        """Yield the top cards of the piles other than the source, after the move."""
        for number, pile in enumerate(self._piles, 1):
            if number == move.target:
                yield self._open(move.source)[-1]
            elif pile and number != move.source:
                yield pile[-1]

    def _loose_heads(self, move: ToPile) -> Iterator[Card]:
        """Yield the head of the longest unit of every pile that the move does not touch, if it is not packed."""
        for number, pile in enumerate(self._piles, 1):
            if not pile or number in (move.source, move.target):
                continue
            place = len(pile) - 1
            while place and self._rules.links(pile[place], pile[place - 1], self._base):
                place -= 1
            if not place or not self._packs(pile[place], pile[place - 1]):
                yield pile[place]

    def _open(self, number: int) -> tuple[Card, ...]:
        return self._piles[number - 1]

    def _packs(self, card: Card, onto: Card) -> bool:
        """Return whether the card may lie on the other: one height lower, of the same colour."""
        return self._height[card] + 1 == self._height[onto] and (
            card.suit is onto.suit or partner(card.suit) is onto.suit
        )


def _worth(head: Card, onto: Card | None, is_packed: bool) -> int:
    """Return points by where the head lies, loose or packed on its partner, and where it goes."""
    if onto is None:
        return _PARTNER_TO_EMPTY if is_packed else _LOOSE_TO_EMPTY
    if onto.suit is head.suit:
        return _PARTNER_TO_SUIT if is_packed else _LOOSE_TO_SUIT
    return _PARTNER_TO_PARTNER if is_packed else _LOOSE_TO_PARTNER
