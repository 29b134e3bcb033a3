"""The order of strictness of the variants: every line of play of a stricter game is one of the looser game.

So a deal that is won under the stricter rules is won under the looser ones, a deal that is lost under the looser rules
is lost under the stricter ones, and the best score under the looser rules is at least as high.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from unshuffle.games.agnes.rules import Rules

# For each policy those that allow the next smaller set of moves to an empty pile.
_NEXT_STRICTER = {
    "none": (),
    "high-1": ("none",),
    "high-run": ("high-1",),
    "any-1": ("high-1",),
    "any-run": ("high-run", "any-1"),
}


def _steps(rules: Rules) -> Iterator[Rules]:
    """Yield the rules that are stricter by one step; each step only takes moves away."""
    for policy in _NEXT_STRICTER[rules.move_to_empty_pile]:
        yield replace(rules, move_to_empty_pile=policy)
    if not rules.split_runs:
        # Runs that may not be split: longer runs (by colour) and more of them (face up) take some moves away and add
        # others, so neither of the two steps below makes stricter rules.
        return
    yield replace(rules, split_runs=False)
    if not rules.move_same_suit:
        yield replace(rules, move_same_suit=True)
    if rules.face_up:
        yield replace(rules, face_up=False)


@cache
def stricter(rules: Rules) -> tuple[Rules, ...]:
    """Return all rules that are stricter, by any number of steps."""
    found: dict[Rules, None] = {}
    to_follow = [rules]
    while to_follow:
        for other in _steps(to_follow.pop(0)):
            if other not in found:
                found[other] = None
                to_follow.append(other)
    return tuple(found)
