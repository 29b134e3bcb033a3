"""What the generic search may know about La Belle Lucie in one deal: `build=suit`, no spaces, no merci.

Each of the three has its reason beside it and is tested against the search without it.
"""

from __future__ import annotations

from collections.abc import Hashable

from unshuffle.cards import Card
from unshuffle.games.belle_lucie.rules import Move, State, ToFan, ToFoundation


def is_safe_build(state: State, move: ToFan) -> bool:
    """Whether the build can do no harm: onto a lone card, a king, or a card that lies on its suit's next higher.

    A build harms only by burying what lies beneath it. A card leaves a fan for its foundation, or once for the next
    card up. The target of a safe build needs neither way before the card built on it is up: a king has no next card
    up; a card on its next higher has made its build already; a lone card frees nothing by moving. And for its
    foundation it has to wait for the lower card in any case, which then lies on it, free to go.
    """
    fan = next(fan for fan in state.fans if fan[-1] is move.onto)
    return len(fan) == 1 or move.onto.next_up is None or fan[-2] is move.onto.next_up


def forced(state: State) -> Move | None:
    """A foundation move or a safe build, if there is one.

    A foundation move uncovers a card and takes away no target that is still wanted: the only card that could be built
    on the one that goes up is the next lower, which is up before it.
    """
    for move in state.legal_moves():
        if isinstance(move, ToFoundation) or is_safe_build(state, move):
            return move
    return None


def bound(state: State) -> int:
    """Cards that are up, and those that could follow if building never buried anything.

    The least fixed point of: a card is *free* if every card above it can move; it can go *up* if it is free and the
    next lower card is up or can go up; it can *move* if it can go up, or if it is free and the next higher is free.
    Each real move keeps within these, for it only ever needs cards to be free that are free here: no line does better.
    """
    free: set[Card] = set()
    up: set[Card] = set()
    # Per fan, the index of the lowest card that is free: what lies above it can move.
    lowest = [len(fan) for fan in state.fans]
    changed = True
    while changed:
        changed = False
        for number, fan in enumerate(state.fans):
            while lowest[number] and (lowest[number] == len(fan) or _can_move(fan[lowest[number]], free, up)):
                lowest[number] -= 1
                free.add(fan[lowest[number]])
                changed = True
        for card in free - up:
            below = card.next_down
            if below is None or card.rank == state.foundations[card.suit] + 1 or below in up:
                up.add(card)
                changed = True
    return state.score + len(up)


def _can_move(card: Card, free: set[Card], up: set[Card]) -> bool:
    return card in up or (card in free and card.next_up in free)


def key(state: State) -> Hashable:
    """The fans as a set: their order plays no part, and the foundations follow from the cards that are left."""
    return frozenset(state.fans)
