"""Ladder, a small game that supplies rules and places and nothing else: it hides cards and has cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

from unshuffle import Game, IllegalMoveError, Outcome
from unshuffle.cards import PACK, Card, Suit
from unshuffle.places import Area, Board, Places
from unshuffle.places.text import Writer
from unshuffle.views import OpenView, SeenTable, see


@dataclass(frozen=True, slots=True)
class Rules:
    piles: int = 4
    down: int = 2


@dataclass(frozen=True, slots=True)
class Move:
    token: str


@dataclass(frozen=True, slots=True)
class State:
    """Piles of which the lower cards lie face down; the top card goes up in suit, or into a cell; rows are dealt."""

    game_id: ClassVar[str] = "ladder"
    can_redeal: ClassVar[bool] = False
    rules: Rules
    piles: tuple[tuple[Card, ...], ...]
    down: tuple[int, ...]
    stock: tuple[Card, ...]
    cells: tuple[tuple[Card, ...], ...] = ((), ())
    up: tuple[int, ...] = (0, 0, 0, 0)
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return Writer(board(self)).text(self.id)

    def legal_moves(self) -> tuple[Move, ...]:
        tops = [(f"{n}", pile[-1]) for n, pile in enumerate(self.piles, 1) if pile]
        tops += [(f"c{n}", cell[-1]) for n, cell in enumerate(self.cells, 1) if cell]
        moves = [Move(f"{place}f") for place, card in tops if card.rank == self.up[card.suit] + 1]
        free = next((n for n, cell in enumerate(self.cells, 1) if not cell), None)
        moves += [Move(f"{n}-c{free}") for n, pile in enumerate(self.piles, 1) if pile and free]
        return (*moves, *[Move("d")] * bool(self.stock))

    def play(self, move: Move) -> State:
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "it is not one of the moves")
        if move.token == "d":
            row, stock = self.stock[: len(self.piles)], self.stock[len(self.piles) :]
            piles = tuple(pile + row[n : n + 1] for n, pile in enumerate(self.piles))
            return replace(self, piles=piles, stock=stock)
        source, _, target = move.token.rstrip("f").partition("-")
        if source[0] == "c":
            number = int(source[1:]) - 1
            card = self.cells[number][-1]
            after = replace(self, cells=_put(self.cells, number, ()))
        else:
            number = int(source) - 1
            pile, down = self.piles[number][:-1], self.down[number]
            card = self.piles[number][-1]
            turned = down - (0 < down == len(pile))
            after = replace(self, piles=_put(self.piles, number, pile), down=_put(self.down, number, turned))
        if target:
            return replace(after, cells=_put(after.cells, int(target[1:]) - 1, (card,)))
        return replace(after, up=_put(after.up, card.suit, card.rank))

    @property
    def outcome(self) -> Outcome | None:
        return Outcome.WON if sum(self.up) == 52 else None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        return sum(self.up)

    def view(self) -> SeenTable | OpenView[State]:
        return see(self, board(self))


def _put(values: tuple[Any, ...], number: int, value: Any) -> tuple[Any, ...]:
    return (*values[:number], value, *values[number + 1 :])


@cache
def places(rules: Rules) -> Places:
    return Places(
        rules=rules,
        areas=(
            Area(name="stock", kind="stock", deals=rules.piles),
            Area(name="cells", kind="cell", count=2),
            Area(name="foundations", kind="foundation", count=4, suits=tuple(Suit), form="follows"),
            Area(name="piles", kind="pile", count=rules.piles, form="numbered"),
        ),
        written=("foundations", "cells", "piles", "stock"),
        reach=1,
        top="Above",
    )


def board(table: State) -> Board:
    foundations = tuple(PACK[13 * suit : 13 * suit + rank] for suit, rank in zip(Suit, table.up, strict=True))
    piles = {"stock": (table.stock,), "cells": table.cells, "foundations": foundations, "piles": table.piles}
    return Board(places(table.rules), piles, down={"stock": (len(table.stock),), "piles": table.down})


def state_of(board: Board) -> State:
    up = tuple(map(len, board.piles["foundations"]))
    (stock,) = board.told("stock")
    return State(board.places.rules, board.told("piles"), board.down["piles"], stock, board.told("cells"), up)


class Ladder(Game[State, Move]):
    id = "ladder"
    name = "Ladder"
    variants: Mapping[str, Rules] = {"plain": Rules(), "open": Rules(down=0)}
    hides_cards = True
    board = staticmethod(board)
    state_of = staticmethod(state_of)

    @property
    def places(self) -> Places:
        return places(self.rules)

    def start(self, deck: tuple[Card, ...]) -> State:
        rules: Rules = self.rules
        tall = rules.down + 1
        piles = tuple(deck[tall * n : tall * (n + 1)] for n in range(rules.piles))
        return State(rules, piles, (rules.down,) * rules.piles, deck[tall * rules.piles :])

    def parse_move(self, token: str, state: State | None = None) -> Move:
        return Move(token.strip().lower())
