"""Policies for games with redeals that plan each deal when it lies on the table."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from typing import Any

from unshuffle.errors import UsageError
from unshuffle.hidden.playing import Luck, Player
from unshuffle.hidden.policy import Policy
from unshuffle.registry import game_of


class Planned(Policy):
    """A policy that plans a line for each deal, plays it, and then redeals."""

    @abstractmethod
    def line(self, table: Any) -> tuple[Any, ...]:
        """Return the moves for this deal. The table does not show what a redeal brings."""

    def player(self, luck: Luck) -> Player:
        """Return a player that remembers the rest of its line."""
        line: deque[Any] | None = None

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal line
            if line is None:
                line = deque(self.line(view.table))
            if line:
                return line.popleft()
            line = None
            if not view.table.may_redeal:
                return None
            redeal = next((move for move in moves if game_of(view.table).is_redeal(move)), None)
            if redeal is None:
                raise UsageError(
                    "the game goes on with a redeal whose order is not known;"
                    " simulate needs a seed, or the redeals typed with the deal"
                )
            return redeal

        return choose
