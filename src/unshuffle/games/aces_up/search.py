"""Search hooks for Aces Up: safe moves, a bound and a transposition key.

Each has its proof beside it and is tested in all variants against the search without it.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import islice

from unshuffle.cards import PACK
from unshuffle.games.aces_up.moves import Deal, Discard, Move, ToSpace
from unshuffle.games.aces_up.rules import ACE, MOST_SCORE, State, beaten, beats, strength


def forced(state: State) -> Move | None:
    """Return the deal if nothing else is legal; with an empty stock and no cell, a discard or a step to one."""
    if state.stock:
        moves = list(islice(state.each_move(), 2))
        return moves[0] if len(moves) == 1 and isinstance(moves[0], Deal) else None
    return None if state.rules.reserve else safe_move(state)


def safe_move(state: State) -> Move | None:
    """Return, with an empty stock and no cell, the discard of a lower card of a suit with a top card, or a step to it.

    Nothing is laid on a card any more. So a top card stays on top until it is beaten itself: a suit with a top card u
    has one of at least its rank from then on. Let t be a lower card of the suit, on top of another pile or, where there
    is a space for it, on u itself; and L any line of play. L can be copied without t: what it does with t is left out,
    so that the copy's piles are those of L without t; where t lies alone in L, the copy has a space, and the places of
    piles play no part. Where t beats a card in L, u or the higher card that took its place does so in the copy. So all
    that L discards can be discarded, and t besides. (That the copy's discards are forced does no harm either: each of
    them is the discard of such a t.)

    This fails where there is a cell: u could go there, and would beat nothing.
    """
    if state.score >= MOST_SCORE:
        return None
    if state.rules.discards == "optional":
        for number, _ in beaten(state.piles):
            return Discard(number)
    if state.spaces and state.rules.fill != "aces-only":
        for number, pile in enumerate(state.piles, 1):
            if len(pile) > 1 and beats(pile[-2], pile[-1]):
                return ToSpace(number, state.targets()[0])
    return None


def key(state: State) -> Hashable:
    """Return the piles, as a set where their places play no part.

    A row reaches the first piles: all while the stock has a card for each, then as many as there are cards; with an
    empty stock none. The others may change places: a card goes to the first (last) space of them, whichever that is, if
    it goes there at all. The discards follow from the cards that are left, and what the stock holds from its size. Of
    spaces the set keeps one or none; their number follows.

    Where single cards may go to any space and back, their places still count: positions that differ only in these can
    be reached from each other, but a search that is at one of them would not look at the others' deals.
    """
    size = len(state.stock)
    reached = size if state.rules.deal == "row" or not size else len(state.piles)
    return size, state.reserve, state.piles[:reached], frozenset(state.piles[reached:])


def bound(state: State) -> int:
    """Return an upper bound of the score: the discards, and all other cards but the highest of each suit.

    Where four piles are dealt in rows and there is no cell, the last row may be of four suits: then nothing beats
    anything, there is no space, and all that lies on the table stays. That is the row, and the aces that are not in it.
    """
    rules = state.rules
    if rules.deal == "row" and rules.piles == 4 and not rules.reserve:
        row = state.stock[-4:] or tuple(pile[-1] for pile in state.piles if pile)
        if len({card.suit for card in row}) == 4:
            if not state.stock:
                return state.score
            left = set(PACK) - set(state.discarded) - set(row)
            return len(PACK) - 4 - sum(strength(card) == ACE for card in left)
    gone = set(state.discarded)
    return len(PACK) - len({card.suit for card in PACK if card not in gone})
