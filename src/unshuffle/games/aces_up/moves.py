"""Aces Up: the kinds of move. Piles keep their places, so moves name them by number, from 1."""

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
class Discard:
    """The top card of a pile goes, for another pile shows a higher card of its suit."""

    pile: int

    @property
    def token(self) -> str:
        """`2x`."""
        return f"{self.pile}x"


@dataclass(frozen=True, slots=True)
class ToSpace:
    """The top card of a pile goes to a space."""

    source: int
    target: int

    @property
    def token(self) -> str:
        """`3-1`."""
        return f"{self.source}-{self.target}"


@dataclass(frozen=True, slots=True)
class ToReserve:
    """The top card of a pile goes to the cell."""

    pile: int

    @property
    def token(self) -> str:
        """`2-r`."""
        return f"{self.pile}-r"


@dataclass(frozen=True, slots=True)
class FromReserve:
    """The card of the cell goes to a space."""

    target: int

    @property
    def token(self) -> str:
        """`r-1`."""
        return f"r-{self.target}"


Move = Discard | ToSpace | ToReserve | FromReserve | Deal
