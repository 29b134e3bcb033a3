"""The plainest answers where redeals are not known: every move tried, and every order of every redeal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import unshuffle as un

Orders = Callable[[Any], Iterable[Any]]
"""Every redeal that a state in which one is possible may have."""


def can_win(state: Any, orders: Orders | None = None, seen: set[Any] | None = None) -> bool:
    """Whether some line of play wins; with `orders` also by the luckiest of all redeals that nobody knows."""
    seen = set() if seen is None else seen
    if state in seen:
        return False
    seen.add(state)
    if state.outcome is un.Outcome.WON:
        return True
    if any(can_win(state.play(move), orders, seen) for move in state.legal_moves()):
        return True
    return bool(orders and state.can_redeal) and any(
        can_win(state.play(redeal), orders, seen) for redeal in (orders or tuple)(state)
    )


def status(state: Any, orders: Orders) -> un.Status:
    """What a solver has to answer that has time enough."""
    if can_win(state):
        return un.Status.SOLVED
    return un.Status.UNKNOWN_REDEALS if can_win(state, orders) else un.Status.UNSOLVABLE
