"""Many games of one class: in each one goes up as many stairs as the row of the game says, if the first card allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from unshuffle import Card, Game, IllegalMoveError, OpenView, Outcome
from unshuffle.errors import Faults
from unshuffle.layout import Layout


@dataclass(frozen=True, slots=True)
class Rules:
    lucky: int = 6
    """The least rank of a first card that lets one up."""


@dataclass(frozen=True, slots=True)
class Up:
    @property
    def token(self) -> str:
        return "up"


@dataclass(frozen=True, slots=True)
class State:
    row: str
    rules: Rules
    card: Card
    left: int
    id: str | None = field(default=None, compare=False)

    @property
    def game_id(self) -> str:
        return self.row

    def __str__(self) -> str:
        return f"{self.card} {self.left}\n"

    def legal_moves(self) -> tuple[Up, ...]:
        return (Up(),) if self.left and self.card.rank >= self.rules.lucky else ()

    def play(self, move: Up) -> State:
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "the card does not allow it")
        return State(self.row, self.rules, self.card, self.left - 1, self.id)

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.WON if not self.left else None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        return -self.left

    can_redeal = False

    def view(self) -> OpenView[State]:
        return OpenView(self)


class Stairs(Game[State, Up]):
    most_score = 0

    def __init__(self, slug: str, count: int, variant: str | None = None, **changes: object) -> None:
        self.id, self.name, self.count = slug, slug.capitalize(), count
        self.variants: Mapping[str, Rules] = {"plain": Rules(), f"hard-{count}": Rules(10)}
        super().__init__(variant, **changes)

    def with_rules(self, variant: str | None = None, **changes: object) -> Self:
        return type(self)(self.id, self.count, variant, **changes)

    def _bare(self) -> Self:
        return type(self)(self.id, self.count)

    def start(self, deck: tuple[Card, ...]) -> State:
        return State(self.id, self.rules, deck[0], self.count)

    def read(self, layout: Layout, faults: Faults) -> State:
        card, left = layout.rows[0].tokens
        return State(self.id, self.rules, Card.parse(card.text), int(left.text))

    def cards(self, state: State) -> Iterable[Card]:
        return self.pack

    def parse_move(self, token: str, state: State | None = None) -> Up:
        return Up()


STAIRS = {f"stairs-{count}": Stairs(f"stairs-{count}", count) for count in (2, 3, 4)}
