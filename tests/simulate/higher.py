"""Higher, a small game with hidden cards: two stocks lie face down beside an open card; turn the top card of either.

A turned card that is higher than the open one scores, and becomes the open one in any case. Twelve turns; six points
win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from unshuffle import Card, Game, IllegalMoveError, Outcome
from unshuffle.cards import PACK, format_cards
from unshuffle.errors import Faults
from unshuffle.layout import Layout

TURNS = 12
STOCK = 8


@dataclass(frozen=True, slots=True)
class Rules:
    redeal: bool = False
    """After the last turn a redeal in an unknown order is possible."""


@dataclass(frozen=True, slots=True)
class Turn:
    side: str

    @property
    def token(self) -> str:
        return self.side


@dataclass(frozen=True, slots=True)
class Seen:
    """The view: the cards that have been turned, and how many are left on either side."""

    rules: Rules
    turned: tuple[Card, ...]
    left: int
    right: int
    score: int

    def sample(self, rng: Random) -> State:
        hidden = [card for card in PACK if card not in self.turned]
        rng.shuffle(hidden)
        stocks = tuple(hidden[: self.left]), tuple(hidden[self.left : self.left + self.right])
        return State(self.rules, self.turned, *stocks, self.score)


@dataclass(frozen=True, slots=True)
class State:
    game_id: ClassVar[str] = "higher"
    rules: Rules
    turned: tuple[Card, ...]
    left: tuple[Card, ...]
    right: tuple[Card, ...]
    score: int = 0
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return "\n".join(map(format_cards, (self.turned, self.left, self.right))) + "\n"

    def legal_moves(self) -> tuple[Turn, ...]:
        if len(self.turned) > TURNS:
            return ()
        return tuple(Turn(side) for side, stock in (("l", self.left), ("r", self.right)) if stock)

    def play(self, move: Turn) -> State:
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "that stock is empty, or the game is over")
        left, right = self.left, self.right
        if move.side == "l":
            card, left = left[0], left[1:]
        else:
            card, right = right[0], right[1:]
        score = self.score + (card.rank > self.turned[-1].rank)
        return State(self.rules, (*self.turned, card), left, right, score, self.id)

    @property
    def outcome(self) -> Outcome | None:
        if self.legal_moves() or self.can_redeal:
            return None
        return Outcome.WON if self.score >= 6 else Outcome.STUCK

    @property
    def can_redeal(self) -> bool:
        return self.rules.redeal and not self.legal_moves()

    def view(self) -> Seen:
        return Seen(self.rules, self.turned, len(self.left), len(self.right), self.score)


class Higher(Game[State, Turn]):
    id = "higher"
    name = "Higher"
    variants: Mapping[str, Rules] = {"plain": Rules(), "again": Rules(redeal=True)}
    most_score = TURNS

    def start(self, deck: tuple[Card, ...]) -> State:
        return State(self.rules, deck[:1], deck[1 : 1 + STOCK], deck[1 + STOCK : 1 + 2 * STOCK])

    def read(self, layout: Layout, faults: Faults) -> State:
        raise NotImplementedError

    def cards(self, state: State) -> Iterable[Card]:
        return (*state.turned, *state.left, *state.right)

    def parse_move(self, token: str, state: State | None = None) -> Turn:
        return Turn(token)
