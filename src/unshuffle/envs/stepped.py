"""What a game supplies for its environment: numbered actions, and observations of a fixed number of bytes.

The engine has the same numbers and bytes (`engine/src/envs.rs`); contract tests keep the two equal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from operator import index
from typing import Any, ClassVar, Generic

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from unshuffle.cards import PACK, Card
from unshuffle.envs.dealing import draw_redeals
from unshuffle.envs.raster import SUITS as SUITS
from unshuffle.envs.raster import draw
from unshuffle.errors import UsageError
from unshuffle.game import Game, MoveT, StateT

FACE_DOWN = 53
"""The code of a card that lies face down."""
CODES = np.array([13 * SUITS.index(card.suit) + card.rank for card in PACK], np.uint8)
"""The code of each card of the pack in an observation; 0 is no card."""

Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]


def codes(cards: Sequence[Card]) -> Bytes:
    """Return the codes of these cards."""
    return CODES[[card.index for card in cards]]


def lay_piles(piles: Sequence[Sequence[Card]], down: Sequence[int], tallest: int) -> Bytes:
    """Return a row for each pile, its bottom card first; its first `down` cards are face down."""
    tableau = np.zeros((len(piles), tallest), np.uint8)
    for row, pile, hidden in zip(tableau, piles, down, strict=True):
        row[:hidden] = FACE_DOWN
        row[hidden : len(pile)] = codes(pile[hidden:])
    return tableau


class Stepped(ABC, Generic[StateT, MoveT]):
    """A game with its rules fixed, as environments step it."""

    game_id: ClassVar[str]
    is_native: ClassVar[bool] = True
    """Whether the engine's tables of the game have the same numbers and bytes."""
    way_round: ClassVar[str] = ""
    """Appended to the error for a move that no action makes."""
    actions: int
    """The number of actions under these rules, legal or not."""
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]]
    """The parts of an observation, sorted by name, each with its shape and greatest value."""

    def __init__(self, game: Game[StateT, MoveT]) -> None:
        self.game = game

    @cached_property
    def bytes(self) -> int:
        """The bytes of an observation: its parts one after the other."""
        return sum(prod(shape) for shape, _ in self.parts.values())

    @cached_property
    def space(self) -> spaces.Dict:
        """The observation space."""
        return spaces.Dict({name: spaces.Box(0, most, shape, np.uint8) for name, (shape, most) in self.parts.items()})

    # Observation.

    @abstractmethod
    def observe(self, state: StateT) -> Bytes:
        """Return what a player sees, as bytes."""

    def legal(self, state: StateT) -> list[int]:
        """Return the legal actions, sorted; none when the game is over."""
        numbers = [self.number(state, move) for move in state.legal_moves()]
        return sorted(number for number in numbers if number is not None) if state.outcome is None else []

    def shown(self, state: StateT) -> Any:
        """Return what a player sees, for a picture."""
        view: Any = state.view()
        return getattr(view, "table", view)  # where all cards lie open, the view shows a table

    def write(self, shown: Any) -> str:
        """Return the table as text for a terminal."""
        return f"{self.game.picture(shown).rstrip()}\nscore: {shown.score}\n"

    def words(self, shown: Any) -> tuple[str, str]:
        """Return the texts below a picture, at the left and at the right: the score and the marks."""
        marks = self.game.board_of(shown).marks
        return f"score {shown.score}", "  ".join(f"{name} {value}" for name, value in marks.items())

    def draw(self, shown: Any) -> NDArray[np.uint8]:
        """Return the table as a picture of `(480, 640, 3)` bytes."""
        return draw(self.game.board_of(shown), *self.words(shown), self.game.dress(shown).settled)

    # Actions.

    @abstractmethod
    def number(self, state: StateT, move: MoveT) -> int | None:
        """Return the action of a legal move; None if no action makes it."""

    @abstractmethod
    def move(self, state: StateT, action: int) -> MoveT:
        """Return the move of an action, legal or not; IllegalMoveError where it stands for no move."""

    def decode(self, state: StateT, action: int) -> MoveT:
        """Return the move of an action; IllegalMoveError if it is not legal here."""
        move = self.move(state, action)
        state.play(move)  # raises the error with the reason
        return move

    def encode(self, state: StateT, move: MoveT) -> int:
        """Return the action of a move; IllegalMoveError if it is not legal here, UsageError if no action makes it."""
        state.play(move)
        number = self.number(state, move)
        if number is None:
            raise UsageError(f"no action makes the move {move.token!r} here{self.way_round}")
        return number

    def encode_whole(self, state: StateT, move: MoveT) -> tuple[int, ...]:
        """Return the actions that make this move, in their order; more than one where no single action makes it."""
        return (self.encode(state, move),)

    def wasted(self, state: StateT) -> StateT:
        """Return the state after a move without effect: the same, unless the state counts moves."""
        return state

    def complete(self, state: StateT, generator: np.random.Generator) -> StateT:
        """Return a typed position with all that play needs: an order for every remaining redeal."""
        whole: StateT = draw_redeals(self.game, state, generator)
        return whole

    def check_fit(self, state: StateT) -> None:
        """Raise UsageError for a typed position that no observation can hold. Most games have none."""

    # Progress.

    def moves_made(self, state: StateT) -> int:
        """Return the moves made before this position was laid out, if it tells them."""
        return 0

    def completed(self, state: StateT) -> int:
        """Return how much is done by the game's own count: full foundations, and runs that have left the table."""
        board = self.game.board(state)
        up = [pile for area, _, pile in board.each() if area.kind == "foundation"]
        runs = sum(area.kind == "completed" and bool(pile) for area, _, pile in board.each())
        return runs + sum(len(pile) * len(up) == len(board.places.pack) for pile in up)

    def potential(self, state: StateT) -> float:
        """Return the potential for shaped rewards, 0 to 1: the score as a share of the greatest score."""
        return float(min(1.0, max(0.0, state.score / max(1, self.game.most_score))))

    def read_action(self, action: object) -> int:
        """Return the number of an action; UsageError if it is out of range."""
        try:
            number = int(index(action))  # type: ignore[arg-type] # what cannot be an index raises the TypeError
        except TypeError:
            number = -1
        if not 0 <= number < self.actions:
            raise UsageError(f"{action!r} is not an action; actions are 0..{self.actions - 1}")
        return number
