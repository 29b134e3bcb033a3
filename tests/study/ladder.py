"""Ladder, a small game with implications: climb from rung to rung to the one that the first card of the deal names.

Variants differ in how often one may climb, so each allows every line of those before it. A deal is won if the rank of
its first card is at most the number of climbs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from unshuffle import Card, Game, IllegalMoveError, OpenView, Outcome
from unshuffle.errors import Faults
from unshuffle.layout import Layout


@dataclass(frozen=True, slots=True)
class Rules:
    climbs: int = 3


@dataclass(frozen=True, slots=True)
class Climb:
    @property
    def token(self) -> str:
        return "up"


@dataclass(frozen=True, slots=True)
class State:
    game_id: ClassVar[str] = "ladder"
    rules: Rules
    deck: tuple[Card, ...]
    climbed: int = 0
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.deck[0]} {self.climbed}\n"

    @property
    def left(self) -> int:
        """Rungs to the goal."""
        return self.deck[0].rank - self.climbed

    def legal_moves(self) -> tuple[Climb, ...]:
        return (Climb(),) if self.left and self.climbed < self.rules.climbs else ()

    def play(self, move: Climb) -> State:
        if not self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "no climb is left")
        return State(self.rules, self.deck, self.climbed + 1, self.id)

    @property
    def outcome(self) -> Outcome | None:
        if not self.left:
            return Outcome.WON
        return None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        return 13 - self.left

    can_redeal = False

    def view(self) -> OpenView[State]:
        return OpenView(self)


class Ladder(Game[State, Climb]):
    id = "ladder"
    name = "Ladder"
    variants: Mapping[str, Rules] = {f"c{climbs}": Rules(climbs) for climbs in (3, 6, 9)}
    most_score = 13

    def start(self, deck: tuple[Card, ...]) -> State:
        return State(self.rules, deck)

    def read(self, layout: Layout, faults: Faults) -> State:
        raise NotImplementedError

    def cards(self, state: State) -> Iterable[Card]:
        return state.deck

    def parse_move(self, token: str, state: State | None = None) -> Climb:
        return Climb()

    def is_stricter(self, other: Self) -> bool:
        return bool(self.rules.climbs < other.rules.climbs)
