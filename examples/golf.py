"""Golf, a small patience of rules and places: `unshuffle solve golf --load examples/golf.py --seed 1`.

Seven columns of five cards, one card on the waste, the rest in the stock. A column's last card goes onto the waste if
it is one rank higher or lower; the stock turns one card. Won when the columns are empty; the score counts cards gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from unshuffle import Card, Game, Hooks, IllegalMoveError, OpenView, Outcome
from unshuffle.places import Area, Board, Places
from unshuffle.places.text import Writer


@dataclass(frozen=True, slots=True)
class Rules:
    """Golf has no choices here; each choice would be a field."""


@dataclass(frozen=True, slots=True)
class Move:
    """A card onto the waste, or None: turn a card of the stock."""

    card: Card | None

    @property
    def token(self) -> str:
        """The card, or `d`."""
        return "d" if self.card is None else str(self.card)


@dataclass(frozen=True, slots=True)
class State:
    """Columns, the waste with the covered cards first, and the stock with the next card first."""

    game_id: ClassVar[str] = "golf"
    can_redeal: ClassVar[bool] = False
    rules: Rules
    columns: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return Writer(board(self)).text(self.id)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return cards by column, then the stock; none once the columns are empty. An empty waste takes any card."""
        last = [column[-1] for column in self.columns if column]
        fitting = [Move(card) for card in last if not self.waste or abs(card.rank - self.waste[-1].rank) == 1]
        return tuple(fitting + [Move(None)] * bool(self.stock and last))

    def play(self, move: Move) -> State:
        """Return the table after the move."""
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "it is no neighbour of the waste, or not free")
        if move.card is None:
            return replace(self, waste=(*self.waste, self.stock[0]), stock=self.stock[1:])
        columns = (column[:-1] if column[-1:] == (move.card,) else column for column in self.columns)
        return replace(self, columns=tuple(columns), waste=(*self.waste, move.card))

    @property
    def outcome(self) -> Outcome | None:
        """Won without cards in the columns."""
        return Outcome.WON if not any(self.columns) else None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        """Cards gone from the columns."""
        return 35 - sum(map(len, self.columns))

    def view(self) -> OpenView[State]:
        """Return an open view: this is thoughtful Golf, with a known stock."""
        return OpenView(self)


PLACES = Places(
    rules=Rules(),
    areas=(
        Area(name="stock", kind="stock", deals=1),
        Area(name="waste", kind="waste"),
        Area(name="columns", kind="pile", count=7, form="rows"),
    ),
    written=("columns", "waste", "stock"),
    top="Stock and waste",
    reach=1,
)


def board(table: State) -> Board:
    """Return the cards in their places."""
    return Board(PLACES, {"stock": (table.stock,), "waste": (table.waste,), "columns": table.columns})


class Golf(Game[State, Move]):
    """Golf with its rules fixed."""

    id = "golf"
    name = "Golf"
    summary = "seven columns of five, cleared one neighbour at a time"
    variants: Mapping[str, Rules] = {"plain": Rules()}
    most_score = 35
    places = PLACES
    board = staticmethod(board)

    def state_of(self, board: Board) -> State:
        """Return the state of a board: the inverse of `board`."""
        return State(self.rules, board.told("columns"), board.told("waste")[0], board.told("stock")[0])

    def start(self, deck: tuple[Card, ...]) -> State:
        """Deal five rows of seven, then one card to the waste."""
        return State(self.rules, tuple(deck[i:35:7] for i in range(7)), deck[35:36], deck[36:])

    def parse_move(self, token: str, state: State | None = None) -> Move:
        """Read a card, or `d`."""
        return Move(None if token.strip().lower() == "d" else Card.parse(token))

    def hooks(self) -> Hooks[State, Move]:
        """Return the search key: of the waste only the top card affects further play."""
        return Hooks(key=lambda state: (state.columns, state.waste[-1:], state.stock))
