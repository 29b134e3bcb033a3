"""A policy that sometimes makes a random move instead of the chosen one."""

from __future__ import annotations

from typing import Any

from unshuffle.simulate import Luck, Player, Policy


class Slipping(Policy):
    """Another policy, but with probability 1/`one_in` a move is a random legal one; the policy then plans again.

    A policy that solves deals would win every winnable one. With slips it loses the more often, the less forgiving the
    deal is.
    """

    def __init__(self, other: Policy, one_in: int, seed: int = 0) -> None:
        self.other = other
        self.one_in = one_in
        self.seed = seed
        self.name = f"{other.name};slips={one_in}" + (f";seed={seed}" if seed else "")

    def player(self, luck: Luck) -> Player:
        """Return the player. Before each move it draws `below(one_in)` from the game's stream; 0 is a slip."""
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
