"""Tray, a small game of which even a lucky redeal cannot win every deal: only the loose cards are dealt again.

Cards 1 to n go onto one foundation, from the end of the tray or from the top of a fixed pile. When none of them fits,
the tray may be shuffled, and nobody knows what that will bring; the pile stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import ClassVar

from unshuffle import Card, Game, Hooks, IllegalMoveError, OpenView, Outcome, Suit
from unshuffle.errors import Faults
from unshuffle.layout import Layout


@dataclass(frozen=True, slots=True)
class Rules:
    redeals: int = 1


@dataclass(frozen=True, slots=True)
class Up:
    card: int

    @property
    def token(self) -> str:
        return str(self.card)


@dataclass(frozen=True, slots=True)
class Shuffle:
    order: tuple[int, ...]

    @property
    def token(self) -> str:
        return f"r={','.join(map(str, self.order))}"


Move = Up | Shuffle


@dataclass(frozen=True, slots=True)
class State:
    game_id: ClassVar[str] = "tray"
    rules: Rules
    tray: tuple[int, ...]
    pile: tuple[int, ...]
    up: int = 0
    used: int = 0
    id: str | None = field(default=None, compare=False)

    @property
    def can_redeal(self) -> bool:
        return self.used < self.rules.redeals and not self.legal_moves() and self.outcome is not Outcome.WON

    def legal_moves(self) -> tuple[Up, ...]:
        return tuple(Up(self.up + 1) for cards in (self.tray, self.pile) if cards[-1:] == (self.up + 1,))

    def play(self, move: Move) -> State:
        if isinstance(move, Shuffle):
            if not self.can_redeal:
                raise IllegalMoveError(move.token, str(self), "no redeal now")
            return replace(self, tray=move.order, used=self.used + 1)
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "it does not fit")
        tray, pile = ((*cards[:-1],) if cards[-1:] == (move.card,) else cards for cards in (self.tray, self.pile))
        return replace(self, tray=tray, pile=pile, up=move.card)

    @property
    def outcome(self) -> Outcome | None:
        if not self.tray and not self.pile:
            return Outcome.WON
        return None if self.legal_moves() or self.used < self.rules.redeals else Outcome.STUCK

    @property
    def score(self) -> int:
        return self.up

    def view(self) -> OpenView[State]:
        raise NotImplementedError


def orders(state: State) -> Iterable[Shuffle]:
    """Every redeal there may be."""
    return map(Shuffle, permutations(state.tray))


def bound(state: State) -> int:
    """The tray may come in any order, but the pile keeps its own: below a higher card nothing is ever free in time."""
    blocked = [low for place, low in enumerate(state.pile) if any(high > low for high in state.pile[place + 1 :])]
    return min([*(low - 1 for low in blocked), state.up + len(state.tray) + len(state.pile)])


class Tray(Game[State, Move]):
    id = "tray"
    name = "Tray"
    variants: Mapping[str, Rules] = {"one": Rules(), "two": Rules(2), "none": Rules(0)}
    most_score = 5
    redeal_class = Shuffle

    def start(self, deck: tuple[Card, ...]) -> State:
        return State(self.rules, tuple(card.rank for card in deck if card.suit is Suit.CLUBS and card.rank < 6), ())

    def read(self, layout: Layout, faults: Faults) -> State:
        raise NotImplementedError

    def cards(self, state: State) -> Iterable[Card]:
        raise NotImplementedError

    def parse_move(self, token: str, state: State | None = None) -> Move:
        return Up(int(token))

    def hooks(self) -> Hooks[State, Move]:
        return Hooks(bound=bound)
