"""Agnes Sorel: the kinds of move. Piles keep their places, so moves name them by number, from 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deal:
    """The stock gives one card to each pile, from the first on."""

    @property
    def token(self) -> str:
        """`d`."""
        return "d"


@dataclass(frozen=True, slots=True)
class ToFoundation:
    """The top card of a pile goes to its suit's foundation."""

    pile: int

    @property
    def token(self) -> str:
        """`3f`."""
        return f"{self.pile}f"


@dataclass(frozen=True, slots=True)
class ToPile:
    """A unit of cards goes from the top of one pile onto another."""

    source: int
    target: int
    count: int = 1
    """Cards in the unit."""

    @property
    def token(self) -> str:
        """`3-5` for one card, `3-5x4` for a unit of four."""
        return f"{self.source}-{self.target}" + (f"x{self.count}" if self.count != 1 else "")


Move = ToFoundation | ToPile | Deal
