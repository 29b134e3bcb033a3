"""Search hooks for La Belle Lucie: safe moves, a bound and a transposition key.

Each has its proof beside it and is tested, rule by rule, against the search without it.
"""

from __future__ import annotations

from collections.abc import Hashable

from unshuffle.cards import Card
from unshuffle.games.belle_lucie.moves import Move, ToFan, ToFoundation
from unshuffle.games.belle_lucie.rules import Fan, State


def is_safe_build(state: State, move: ToFan) -> bool:
    """Return whether the build can do no harm under these rules, with the mercis that are left.

    A build harms only by burying what lies beneath it. A card leaves a fan in two ways: for its foundation, or once for
    the next card up. The target of a safe build needs neither before the card built on it is up. It needs no build: a
    king has no next card up; a card on its next higher has made its build already; a lone card frees nothing by moving.
    And for its foundation it has to wait for the lower card in any case, which then lies on it, free to go.
    """
    rules = state.rules
    if rules.build != "suit" or rules.build_up or rules.max_cards:
        return False  # other cards than the next lower want the same targets, or the same room
    if state.redeals_left and not rules.may_hold_back:
        return False  # what the build uncovers may have to go up before the redeal
    fan = next(fan for fan in state.fans if fan and fan[-1] is move.onto)
    if state.may_merci:
        if rules.kings_to_spaces or rules.merci == "anywhere":
            return False
        # A merci takes cards out from under a build, so what lies beneath the target may count too: only a run that
        # starts at the bottom has nothing beneath it. Where the merci must play its card, a king's run will do.
        start = _run_start(fan)
        return start == 0 or (rules.merci == "play" and fan[start].rank == 13)
    on_next_higher = len(fan) > 1 and fan[-2] is move.onto.next_up
    if rules.kings_to_spaces:
        # To move a lone card makes room for a king, and to move a king frees what lies beneath it.
        return on_next_higher or (len(fan) == 1 and move.onto.rank == 13)
    return on_next_higher or len(fan) == 1 or move.onto.rank == 13


def _run_start(fan: Fan) -> int:
    """Return the place of the card from which the fan goes down in suit to its top."""
    start = len(fan) - 1
    while start and fan[start - 1] is fan[start].next_up:
        start -= 1
    return start


def is_safe_up(state: State, card: Card) -> bool:
    """Return whether the card can go to its foundation at once without harm.

    Built in suit, only the next lower card can be built on it, and that is up before it. Built regardless of suit, the
    cards of the rank beneath are no loss if they can follow at once, whenever they are free. While a redeal is left a
    card may be worth more in the fans; and a merci that goes anywhere may want to cover a card.
    """
    rules = state.rules
    if state.redeals_left or rules.build_up or (state.may_merci and rules.merci == "anywhere"):
        return False
    return rules.build == "suit" or card.rank <= min(state.foundations) + 2


def forced(state: State) -> Move | None:
    """Return the first foundation move or build that can do no harm."""
    for move in state.each_move():
        if isinstance(move, ToFoundation):
            if is_safe_up(state, move.card):
                return move
        elif not isinstance(move, ToFan):
            break
        elif is_safe_build(state, move):
            return move
    return None


def bound(state: State) -> int:
    """Return an upper bound of the score: cards that are up, and those that could follow if building buried nothing.

    It is the least fixed point of three rules:

    - A card is *free* if every card above it can move.
    - It can go *up* if it is free and the next lower card is up or can go up.
    - It can *move* if it can go up, or if it is free and so is a card on which it may be built, or if it is a free king
      and kings fill spaces.

    The cards that a real move needs to be free are free here too, so no line does better. A merci breaks the order of
    the fans, and so does a redeal. An unknown redeal can always bring a win. It can be reached, at once or after the
    foundation moves that have to come first. If it deals the cards from the highest rank to the lowest, the last one
    dealt is always free and fits its foundation, whatever the size of the fans.
    """
    if state.redeals_left or state.may_merci:
        return 52
    rules = state.rules
    free: set[Card] = set()
    up: set[Card] = set()

    def can_move(card: Card) -> bool:
        if card in up or (rules.kings_to_spaces and card.rank == 13 and card in free):
            return True
        return card in free and not free.isdisjoint(bases[card])

    bases = rules.bases
    # Per fan, the index of the lowest card that is free: what lies above it can move.
    lowest = [len(fan) for fan in state.fans]
    changed = True
    while changed:
        changed = False
        for number, fan in enumerate(state.fans):
            while lowest[number] and (lowest[number] == len(fan) or can_move(fan[lowest[number]])):
                lowest[number] -= 1
                free.add(fan[lowest[number]])
                changed = True
        for card in free - up:
            below = card.next_down
            if below is None or card.rank == state.foundations[card.suit] + 1 or below in up:
                up.add(card)
                changed = True
    return state.score + len(up)


def key(state: State) -> Hashable:
    """Return the fans as a set, for their order does not matter; empty ones by number, for a set counts them once.

    The foundations follow from the cards that are left, the coming redeals from the deal.
    """
    return frozenset(state.fans), state.fans.count(()), state.mercis, state.deal
