"""La Belle Lucie: the kinds of move. Cards are unique, so a move needs no fan numbers, which shift in play."""

from __future__ import annotations

from dataclasses import dataclass

from unshuffle.cards import Card


@dataclass(frozen=True, slots=True)
class ToFoundation:
    """The top card of a fan goes to its suit's foundation."""

    card: Card

    @property
    def token(self) -> str:
        """`AS^`."""
        return f"{self.card}^"


@dataclass(frozen=True, slots=True)
class ToFan:
    """The top card of one fan goes onto the top card of another."""

    card: Card
    onto: Card

    @property
    def token(self) -> str:
        """`8S>9S`."""
        return f"{self.card}>{self.onto}"


@dataclass(frozen=True, slots=True)
class ToSpace:
    """The king on top of a fan goes into the first empty fan."""

    card: Card

    @property
    def token(self) -> str:
        """`KH>-`."""
        return f"{self.card}>-"


@dataclass(frozen=True, slots=True)
class Merci:
    """A buried card is taken out: to its foundation, onto the top card of another fan, or to the top of its own fan."""

    card: Card
    onto: Card | None = None
    up: bool = False

    @property
    def token(self) -> str:
        """`*JC^`, `*JC>QC` or `*JC`."""
        if self.up:
            return f"*{self.card}^"
        return f"*{self.card}" if self.onto is None else f"*{self.card}>{self.onto}"


@dataclass(frozen=True, slots=True)
class Redeal:
    """All cards of the fans are dealt again, in this order, or in the known one if it is None."""

    order: tuple[Card, ...] | None = None

    @property
    def token(self) -> str:
        """`r`, or `r=6H7C5D`."""
        return "r" if self.order is None else f"r={''.join(map(str, self.order))}"


Move = ToFoundation | ToFan | ToSpace | Merci | Redeal
