"""Passes, a small game of one or two packs: once its stock has been dealt through, its player knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

from unshuffle import Game, IllegalMoveError, Outcome
from unshuffle.cards import Card, Suit
from unshuffle.places import Area, Board, Mark, Pile, Places
from unshuffle.places.text import Writer
from unshuffle.views import OpenView, SeenTable, see

PILES = 3
DOWN = 1
SUIT = tuple(Card(rank, Suit.CLUBS) for rank in range(1, 14))


@dataclass(frozen=True, slots=True)
class Rules:
    packs: int = 1
    passes: int = 3


@dataclass(frozen=True, slots=True)
class Move:
    token: str


@dataclass(frozen=True, slots=True)
class State:
    """Top cards go away if they are one above or below the top of the waste; the waste is turned over to be the stock.

    The lower cards of all piles are turned back with it: those that were seen lie face down then, and are known.
    """

    game_id: ClassVar[str] = "passes"
    can_redeal: ClassVar[bool] = False
    rules: Rules
    piles: tuple[tuple[Card, ...], ...]
    down: tuple[int, ...]
    unknown: tuple[int, ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
    turn: int = 1
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return Writer(board(self)).text(self.id)

    def legal_moves(self) -> tuple[Move, ...]:
        tops = [(number, pile[-1]) for number, pile in enumerate(self.piles, 1) if pile]
        onto = self.waste[-1].rank if self.waste else 0
        moves = [Move(f"{number}x") for number, card in tops if onto and abs(card.rank - onto) == 1]
        moves += [Move("d")] * bool(self.stock)
        return (*moves, *[Move("t")] * bool(self.waste and not self.stock and self.turn < self.rules.passes))

    def play(self, move: Move) -> State:
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "it is not one of the moves")
        if move.token == "d":
            return replace(self, stock=self.stock[1:], waste=(*self.waste, *self.stock[:1]))
        if move.token == "t":
            down = tuple(max(0, len(pile) - 1) for pile in self.piles)
            return replace(self, stock=self.waste, waste=(), turn=self.turn + 1, down=down)
        at = int(move.token[0]) - 1
        pile = self.piles[at][:-1]
        gone = (*self.gone, self.piles[at][-1])
        most = max(0, len(pile) - 1)
        return replace(
            self,
            piles=_put(self.piles, at, pile),
            down=_put(self.down, at, min(self.down[at], most)),
            unknown=_put(self.unknown, at, min(self.unknown[at], most)),
            gone=gone,
        )

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.WON if not any(self.piles) else None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        return len(self.gone)

    def view(self) -> SeenTable | OpenView[State]:
        return see(self, board(self))


def _put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


@cache
def places(rules: Rules) -> Places:
    return Places(
        rules=rules,
        areas=(
            Area(name="stock", kind="stock", deals=1),
            Area(name="waste", kind="waste"),
            Area(name="gone", kind="discards"),
            Area(name="piles", kind="pile", count=PILES, form="numbered"),
        ),
        written=("piles", "waste", "stock", "gone", "turn"),
        marks=(Mark(name="turn", values=range(1, 10), start=1),),
        pack=SUIT * rules.packs,
    )


def board(table: State) -> Board:
    piles: dict[str, tuple[Pile, ...]] = {
        "stock": (table.stock,),
        "waste": (table.waste,),
        "gone": (table.gone,),
        "piles": table.piles,
    }
    size = len(table.stock)
    return Board(
        places(table.rules),
        piles,
        {"turn": table.turn},
        down={"stock": (size,), "piles": table.down},
        unknown={"stock": (size if table.turn == 1 else 0,), "piles": table.unknown},
    )


def state_of(board: Board) -> State:
    (stock,), (waste,), (gone,) = (board.told(name) for name in ("stock", "waste", "gone"))
    # Of a text that tells every card nobody knows what its player has seen: all that lies face down is hidden again.
    unknown = board.hidden["piles"]
    return State(
        board.places.rules, board.told("piles"), board.down["piles"], unknown, stock, waste, gone, board.marks["turn"]
    )


class Passes(Game[State, Move]):
    id = "passes"
    name = "Passes"
    variants: Mapping[str, Rules] = {"one-pack": Rules(), "two-packs": Rules(packs=2)}
    hides_cards = True
    board = staticmethod(board)
    state_of = staticmethod(state_of)

    @property
    def pack(self) -> tuple[Card, ...]:
        return self.places.pack

    @property
    def places(self) -> Places:
        return places(self.rules)

    def start(self, deck: tuple[Card, ...]) -> State:
        tall = DOWN + 2
        piles = tuple(deck[tall * n : tall * (n + 1)] for n in range(PILES))
        return State(self.rules, piles, (DOWN,) * PILES, (DOWN,) * PILES, deck[tall * PILES :])

    def parse_move(self, token: str, state: State | None = None) -> Move:
        return Move(token.strip().lower())
