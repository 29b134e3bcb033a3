"""Spider: the kinds of move. Piles keep their places, so moves name them by number, from 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """The bank gives one card to each pile, from the first on."""

    @property
    def token(self) -> str:
        """`d`."""
        return "d"


@dataclass(frozen=True, slots=True)
class Run:
    """A run of cards goes from the end of one pile to another."""

    source: int
    target: int
    count: int = 1
    """Cards in the run."""

    @property
    def token(self) -> str:
        """`3-7` for one card, `3-7x4` for a run of four."""
        return f"{self.source}-{self.target}" + (f"x{self.count}" if self.count != 1 else "")


Move = Run | Row
