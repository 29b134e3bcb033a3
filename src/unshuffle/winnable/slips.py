"""A player who slips: now and then any move instead of the one that was thought of."""

from __future__ import annotations

from typing import Any

from unshuffle.simulate import Luck, Player, Policy


class Slipping(Policy):
    """Plays as another does, but one move in so many, by chance, is any legal one; after it the other thinks anew.

    Who can work a deal out loses none that can be won. Who slips does, and the more often the less the deal forgives.
    """

    def __init__(self, other: Policy, one_in: int, seed: int = 0) -> None:
        self.other = other
        self.one_in = one_in
        self.seed = seed
        self.name = f"{other.name};slips={one_in}" + (f";seed={seed}" if seed else "")

    def player(self, luck: Luck) -> Player:
        """Before each move `below(one_in)` of the game's stream says whether it is a slip; then which move."""
        thinking: Player | None = None

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal thinking
            if luck.below(self.one_in) == 0:
                thinking = None
                return moves[luck.below(len(moves))]
            if thinking is None:
                thinking = self.other.player(luck)
            return thinking(view, moves)

        return choose
