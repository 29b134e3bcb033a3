"""Toll Road, a small game in which moves cost points, as in Spider: two packs, scores far below 0, play without end.

Some cards lie in a row, all face up, and a carter stands on the first. He steps to the left or to the right, and pays
for each step; a card on which he comes for the first time brings ten points for each of its pips. Nobody steps on a
king. He has won when he comes to the last card. So a win may score less than a loss, and lost games seldom end by
themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from unshuffle import Card, Game, Hooks, IllegalMoveError, OpenView, Outcome
from unshuffle.cards import PACK, format_cards
from unshuffle.errors import Faults
from unshuffle.layout import Layout

KING = 13


@dataclass(frozen=True, slots=True)
class Rules:
    toll: int = 1
    """What a step costs."""
    length: int = 9
    """Cards in the row."""


@dataclass(frozen=True, slots=True)
class Step:
    side: str

    @property
    def token(self) -> str:
        return self.side


@dataclass(frozen=True, slots=True)
class State:
    game_id: ClassVar[str] = "toll-road"
    rules: Rules
    row: tuple[Card, ...]
    place: int = 0
    farthest: int = 0
    steps: int = 0
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{format_cards(self.row)}\n"

    def legal_moves(self) -> tuple[Step, ...]:
        if self.outcome is Outcome.WON:
            return ()
        return tuple(Step(side) for side in "lr" if self._is_open(self._to(side)))

    def _to(self, side: str) -> int:
        return self.place + (1 if side == "r" else -1)

    def _is_open(self, place: int) -> bool:
        return 0 <= place < len(self.row) and self.row[place].rank < KING

    def play(self, move: Step) -> State:
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "there is no card, or a king")
        to = self._to(move.side)
        return State(self.rules, self.row, to, max(self.farthest, to), self.steps + 1, self.id)

    @property
    def outcome(self) -> Outcome | None:
        if self.place == len(self.row) - 1:
            return Outcome.WON
        return None if any(self._is_open(self._to(side)) for side in "lr") else Outcome.STUCK

    @property
    def gained(self) -> int:
        return 10 * sum(card.rank for card in self.row[1 : self.farthest + 1])

    @property
    def score(self) -> int:
        return self.gained - self.rules.toll * self.steps

    can_redeal = False

    def view(self) -> OpenView[State]:
        return OpenView(self)


def key(state: State) -> Hashable:
    """The number of steps says nothing about the way before him."""
    return state.place, state.farthest


def bound(state: State) -> int:
    """All that lies there is gained, with no step too many."""
    whole = 10 * sum(card.rank for card in state.row[1:])
    return whole - state.rules.toll * state.steps


class TollRoad(Game[State, Step]):
    id = "toll-road"
    name = "Toll Road"
    variants: Mapping[str, Rules] = {"cheap": Rules(), "dear": Rules(toll=40)}
    score_counts = "points"
    charges_moves = True

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACK + PACK

    @property
    def most_score(self) -> int:
        rules: Rules = self.rules
        return (120 - rules.toll) * (rules.length - 1)

    def hooks(self) -> Hooks[State, Step]:
        return Hooks(bound=bound, key=key)

    def start(self, deck: tuple[Card, ...]) -> State:
        return State(self.rules, deck[: self.rules.length])

    def read(self, layout: Layout, faults: Faults) -> State:
        raise NotImplementedError

    def cards(self, state: State) -> Iterable[Card]:
        return state.row

    def parse_move(self, token: str, state: State | None = None) -> Step:
        return Step(token)
