"""What a game supplies to be an environment: numbered actions, and observations of a fixed number of bytes.

The engine has the same numbers and bytes (`engine/src/envs.rs`); laws keep the two equal.
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
"""A card that lies face down."""
CODES = np.array([13 * SUITS.index(card.suit) + card.rank for card in PACK], np.uint8)
"""What stands for each card of the pack in an observation; 0 is no card."""

Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]


def codes(cards: Sequence[Card]) -> Bytes:
    """What stands for these cards."""
    return CODES[[card.index for card in cards]]


def lay_piles(piles: Sequence[Sequence[Card]], down: Sequence[int], tallest: int) -> Bytes:
    """A row for each pile, its bottom card first; the faces of its first `down` cards are not told."""
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
    """What is said of a move that no action makes, behind the words that say so."""
    actions: int
    """Actions that there are under these rules, legal or not."""
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]]
    """The parts of an observation in the order of their names, each with its shape and greatest value."""

    def __init__(self, game: Game[StateT, MoveT]) -> None:
        self.game = game

    @cached_property
    def bytes(self) -> int:
        """Bytes of an observation: its parts one after the other."""
        return sum(prod(shape) for shape, _ in self.parts.values())

    @cached_property
    def space(self) -> spaces.Dict:
        """The space of the parts."""
        return spaces.Dict({name: spaces.Box(0, most, shape, np.uint8) for name, (shape, most) in self.parts.items()})

    # What is seen.

    @abstractmethod
    def observe(self, state: StateT) -> Bytes:
        """All that a player sees, as bytes."""

    def legal(self, state: StateT) -> list[int]:
        """The legal actions, in their order; none when the game is over."""
        numbers = [self.number(state, move) for move in state.legal_moves()]
        return sorted(number for number in numbers if number is not None) if state.outcome is None else []

    def shown(self, state: StateT) -> Any:
        """All that a player sees, for a picture."""
        view: Any = state.view()
        return getattr(view, "table", view)  # where all cards lie open, the view shows a table

    def write(self, shown: Any) -> str:
        """The table as text for a terminal."""
        return f"{self.game.picture(shown).rstrip()}\nscore: {shown.score}\n"

    def words(self, shown: Any) -> tuple[str, str]:
        """What a picture says below the table, at the left and at the right: the score and the marks."""
        marks = self.game.board_of(shown).marks
        return f"score {shown.score}", "  ".join(f"{name} {value}" for name, value in marks.items())

    def draw(self, shown: Any) -> NDArray[np.uint8]:
        """The table as a picture of `(480, 640, 3)` bytes."""
        return draw(self.game.board_of(shown), *self.words(shown), self.game.dress(shown).settled)

    # What is done.

    @abstractmethod
    def number(self, state: StateT, move: MoveT) -> int | None:
        """The action of a legal move; None if no action does it."""

    @abstractmethod
    def move(self, state: StateT, action: int) -> MoveT:
        """The move of an action, legal or not; IllegalMoveError where none could be meant."""

    def decode(self, state: StateT, action: int) -> MoveT:
        """The move of an action; IllegalMoveError if it is not legal here."""
        move = self.move(state, action)
        state.play(move)  # which says why not
        return move

    def encode(self, state: StateT, move: MoveT) -> int:
        """The action of a move; IllegalMoveError if it is not legal here, UsageError if no action does it."""
        state.play(move)
        number = self.number(state, move)
        if number is None:
            raise UsageError(f"no action makes the move {move.token!r} here{self.way_round}")
        return number

    def encode_whole(self, state: StateT, move: MoveT) -> tuple[int, ...]:
        """The actions that make this move, one after the other: more than one where no single one does it."""
        return (self.encode(state, move),)

    def wasted(self, state: StateT) -> StateT:
        """The state after a move without effect: the same, unless it tells how many moves were made."""
        return state

    def complete(self, state: StateT, generator: np.random.Generator) -> StateT:
        """A typed position with all that play will need: an order for every redeal that is left."""
        whole: StateT = draw_redeals(self.game, state, generator)
        return whole

    def check_fit(self, state: StateT) -> None:
        """Refuse a typed position that no deal leads to and that an observation cannot hold. Most games have none."""

    # What it comes to.

    def moves_made(self, state: StateT) -> int:
        """Moves made before this position was laid out, where it tells."""
        return 0

    def completed(self, state: StateT) -> int:
        """How much is done, whatever the game counts: full foundations, and runs that have left the table."""
        board = self.game.board(state)
        up = [pile for area, _, pile in board.each() if area.kind == "foundation"]
        runs = sum(area.kind == "completed" and bool(pile) for area, _, pile in board.each())
        return runs + sum(len(pile) * len(up) == len(board.places.pack) for pile in up)

    def potential(self, state: StateT) -> float:
        """How far the game has come, 0 to 1: what shaped rewards are differences of. The score, as a part of all."""
        return float(min(1.0, max(0.0, state.score / max(1, self.game.most_score))))

    def read_action(self, action: object) -> int:
        """The number of an action; UsageError if it is none."""
        try:
            number = int(index(action))  # type: ignore[arg-type] # what cannot be an index raises the TypeError
        except TypeError:
            number = -1
        if not 0 <= number < self.actions:
            raise UsageError(f"{action!r} is not an action; actions are 0..{self.actions - 1}")
        return number
