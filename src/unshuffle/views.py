"""Views that several games share, and the picture that a notebook shows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from unshuffle.game import StateT
from unshuffle.registry import game_class

if TYPE_CHECKING:
    import random


class Pictured:
    """A table that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from unshuffle.notebook import write_table  # here, for few tables are ever shown so

        shown: Any = getattr(self, "table", self)
        return write_table(game_class(shown.game_id).of(shown), self)


@dataclass(frozen=True, slots=True)
class OpenView(Pictured, Generic[StateT]):
    """The view of a game in which every card lies face up and nothing is left to chance."""

    table: StateT

    def sample(self, rng: random.Random) -> StateT:
        """The one state that fits."""
        return self.table
