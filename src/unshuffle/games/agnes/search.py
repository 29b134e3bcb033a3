"""Search hooks for Agnes Sorel: safe moves, a bound, a transposition key and a move order.

Each but the order has its proof beside it (docs/notes/agnes.md has the longer ones in full) and is tested in all
variants against the search without it. In the proofs (h, s) is the card of height h and suit s, and s' the partner of
s: the other suit of its colour.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cache

from unshuffle.cards import Card, Suit
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.rules import Rules, State, partner

KINDS: dict[type[Move], str] = {Deal: "deals", ToPile: "tableau_moves", ToFoundation: "foundation_moves"}
"""The names under which a search counts the moves that it makes."""


def forced(state: State) -> Move | None:
    """Return the first move that can do no harm: a safe card up, a safe last deal or, with no stock, a safe join."""
    for number, pile in enumerate(state.piles, 1):
        if pile and is_safe_up(state, number):
            return ToFoundation(number)
    if is_safe_deal(state):
        return Deal()
    return next(safe_joins(state), None)


def is_safe_up(state: State, number: int) -> bool:
    """Return whether the top card of the pile, c = (h, s), can go to its foundation at once without a loss.

    It can if h is at most two above the partner's foundation: the only card that could still be laid on c and is not up
    is then w = (h-1, s'), the next of its suit. Any line of play can be copied after the move: leave out what it does
    with c; where w comes to lie on c, packed or dealt, play w up. The copy's piles are those of the line without c and
    w, so what it needs is free, and there are at least as many empty piles.

    Where runs may not be split there is one trap: a card that the line deals onto c falls, in the copy, on the card
    under c; if the two make a run, it is bound there. The card under c is the present one, or one to which the line
    moved c, of height h+1: on that only (h, s') could make a run. So with a stock both must be excluded.
    """
    pile = state.piles[number - 1]
    card = pile[-1]
    height = state.height(card)
    other = partner(card.suit)
    if height != state.foundations[card.suit] or height > state.foundations[other] + 1:
        return False
    rules = state.rules
    if rules.split_runs or not state.stock:
        return True
    if Card(card.rank, other) in state.stock:
        return False
    return len(pile) == 1 or not any(rules.links(dealt, pile[-2], state.base) for dealt in state.stock)


def is_safe_deal(state: State) -> bool:
    """Return whether the next deal is the last, and all its cards would go up at once as safe cards.

    Any line of play can be copied after this deal. Up to its own deal the copy makes the same moves, for the piles are
    the same. When the line deals, these cards are safe in its position too, for foundations do not go back; with them
    up its position is that of the copy.
    """
    if not 0 < len(state.stock) <= state.rules.piles:
        return False
    up, rest = list(state.foundations), set(state.stock)
    while rest:
        ready = {card for card in rest if state.height(card) == up[card.suit] <= up[partner(card.suit)] + 1}
        if not ready:
            return False
        for card in ready:
            up[card.suit] += 1
        rest -= ready
    return True


def safe_joins(state: State) -> Iterator[ToPile]:
    """Yield, with an empty stock, moves of units whose head c = (h, s) goes onto x = (h+1, s) while (h, s') is up.

    All cards of s' up to h are up then, so only cards of s in sequence can ever lie on c, and only c on x. Any line of
    play can be copied after the move with c kept on x. Where it moves a unit that ends with x, c and the cards on c go
    with it: they are one run, by suit and by colour. Its moves of c are left out until c goes up. On x, c is never in
    the way: x goes up after c in any case.

    This fails where only single cards fill a space (x alone could, x with c cannot), and while a deal can bury both.
    """
    if state.stock or state.rules.move_to_empty_pile in ("any-1", "high-1"):
        return
    height = state.rules.heights(state.base)
    tops = {pile[-1]: number for number, pile in enumerate(state.piles, 1) if pile}
    for source, pile in enumerate(state.piles, 1):
        for count in state.unit_sizes(source):
            head = pile[-count]
            onto = Card(head.rank % state.rules.ranks + 1, head.suit)
            if onto in tops and height[onto] and height[head] < state.foundations[partner(head.suit)]:
                yield ToPile(source, tops[onto], count)


def key(state: State) -> Hashable:
    """Return the piles, as a set where no deal can reach them any more: there their order does not matter.

    A deal reaches the first piles: all while the stock has a card for each, then as many as there are cards. The
    foundations follow from the cards that are left, and what the stock holds from its size. Of empty piles the set
    keeps one; their number follows, for the number of piles is fixed.
    """
    piles = tuple(zip(state.piles, state.down, strict=True))
    reached = len(state.stock)
    return reached, piles[:reached], frozenset(piles[reached:])


# The bound.

# Sets of cards are bit sets: sixteen bits a suit in the order C D S H, by height. So a shift by 1 gives the next higher
# cards, and a rotation by half the bits the partners.
_BITS = 16
_HALF = 2 * _BITS
_ROWS = {Suit.CLUBS: 0, Suit.DIAMONDS: 1, Suit.SPADES: 2, Suit.HEARTS: 3}


@dataclass(frozen=True, slots=True)
class _Deck:
    """The cards of a deck with this base as bits."""

    bit: dict[Card, int]
    every: int
    low: int
    high: int
    carriers: dict[int, int]
    """For each card those with which it makes one run, if it lies on them."""


@cache
def _deck(rules: Rules, base: int) -> _Deck:
    bit = {card: 1 << (_BITS * _ROWS[card.suit] + height) for card, height in rules.heights(base).items()}
    low = sum(1 << (_BITS * row) for row in range(4))
    carriers = {bit[card]: sum(bit[under] for under in unders) for card, unders in rules.carriers(base).items()}
    return _Deck(bit, sum(bit.values()), low, low << (rules.ranks - 1), carriers)


def _partners(cards: int) -> int:
    return ((cards << _HALF) | (cards >> _HALF)) & ((1 << (2 * _HALF)) - 1)


@dataclass(slots=True)
class _Column:
    """The part of a pile that has stayed where it is, bottom first."""

    cards: list[int]
    linked: list[bool]
    """Whether the card makes one run with the card under it."""
    down: int
    was_cut: bool = False


def bound(state: State) -> int:
    """Return an upper bound of the score: the cards that could go up if moves took nothing away.

    It finds what can ever happen, stage by stage; a stage is the time between two deals. A card is *clear* if it can
    become the top card of a pile, *off* if it can be parted from what lies under it now, and *up* if it can reach its
    foundation. In every line of play each such event has its causes before it, and the rules below allow these; so by
    induction all events of the line are found. Limits that are left out (one card takes another's place, a space is
    used twice) can only make the bound greater. docs/notes/agnes.md has the proof in full.
    """
    return _Relaxed(state).run()


class _Relaxed:
    """The relaxed game: what can ever happen from a position."""

    def __init__(self, state: State) -> None:
        rules = self.rules = state.rules
        deck = self.deck = _deck(rules, state.base)
        bit = deck.bit
        self.columns = []
        for pile, down in zip(state.piles, state.down, strict=True):
            cards = [bit[card] for card in pile]
            linked = [index > down and bool(cards[index - 1] & deck.carriers[card]) for index, card in enumerate(cards)]
            self.columns.append(_Column(cards, linked, down))
        self.stock = [bit[card] for card in state.stock]
        # The lowest cards of each suit, as many as are up.
        self.on_foundations = sum(((1 << state.foundations[suit]) - 1) << (_BITS * row) for suit, row in _ROWS.items())
        self.up = self.on_foundations
        # Cards that may lie anywhere by now: they count as clear and off.
        self.floating = 0

    def run(self) -> int:
        """Return the number of cards that can go up."""
        while True:
            off = self._stage()
            if self.up == self.deck.every or not self.stock:
                return self.up.bit_count()
            self._deal(off)

    def _stage(self) -> int:
        """Apply all that can happen before the next deal; return the cards that can be parted from those under them."""
        deck, policy, split = self.deck, self.rules.move_to_empty_pile, self.rules.split_runs
        off = self.floating | self.up
        clear = self.floating
        has_empty = False
        for column in self.columns:
            if column.cards:
                clear |= column.cards[-1]
            else:
                has_empty = True
        before = None
        while before != (off, clear, self.up, has_empty):
            before = (off, clear, self.up, has_empty)
            # A clear card goes up after the lower ones of its suit.
            while risen := ((self.up << 1) | deck.low) & deck.every & clear & ~self.up:
                self.up |= risen
            # A unit goes onto a clear card that is one higher and of its colour, or to an empty pile.
            below = clear >> 1
            heads = (below | _partners(below)) & deck.every
            singles = 0
            if has_empty and policy != "none":
                fits = deck.every if policy in ("any-1", "any-run") else deck.high
                if policy in ("any-run", "high-run"):
                    heads |= fits
                else:
                    singles = fits
            off |= self.up
            for column in self.columns:
                for index in range(len(column.cards) - 1, -1, -1):
                    card = column.cards[index]
                    linked = column.linked[index]
                    # Where runs may not be split, a linked card is never a head.
                    if card & off or ((split or not linked) and card & (heads | (singles & clear))):
                        off |= card
                        if index:
                            clear |= column.cards[index - 1]
                        else:
                            has_empty = True
                    elif not linked:
                        break  # nothing under it can move before it does
                    # A linked card that cannot be parted may be carried along by those under it.
        return off

    def _deal(self, off: int) -> None:
        """Let the next deal fall on the cards that have certainly stayed in their places."""
        for column in self.columns:
            stays = next((index for index, card in enumerate(column.cards) if card & off), len(column.cards))
            column.was_cut = stays < len(column.cards)
            for card in column.cards[stays:]:
                self.floating |= card
            del column.cards[stays:], column.linked[stays:]
            column.down = min(column.down, stays)
        floating = self.floating
        for column, card in zip(self.columns, self.stock, strict=False):
            # The cards that would carry the dealt one along if it fell on them.
            carriers = self.deck.carriers[card] & ~self.on_foundations
            makes_run = bool(column.cards) and bool(column.cards[-1] & carriers)
            # Where it is not certain what it falls on, or whether it is bound there, the best is assumed.
            is_uncertain = column.was_cut or not self.rules.split_runs or len(column.cards) <= column.down
            if carriers & self.floating or (makes_run and is_uncertain):
                floating |= card
            else:
                column.cards.append(card)
                column.linked.append(makes_run)
        self.floating = floating
        del self.stock[: len(self.columns)]


def order(state: State, moves: tuple[Move, ...]) -> list[Move]:
    """Return the moves, the likely ones first: up; then off the piles that hold the lowest cards; the deal last.

    A line has to reach the buried cards that go up soon. Among equals the highest unit moves first. This is a
    heuristic: of 20 deals each of four variants 26 were won within 600 positions, without it 4.
    """
    height = state.rules.heights(state.base)

    def rank(move: Move) -> tuple[int, ...]:
        if not isinstance(move, ToPile):
            return (0,) if isinstance(move, ToFoundation) else (2,)
        pile = state.piles[move.source - 1]
        waits = min([height[card] - state.foundations[card.suit] for card in pile[: -move.count]], default=-1)
        return 1, waits, -height[pile[-move.count]]

    return sorted(moves, key=rank)
