"""Roundabout, Ladder in which a card may go back from a cell to any pile: play without a memory goes on for ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from tests.ladder import Ladder, Move, Rules, _put
from tests.ladder import State as LadderState
from unshuffle.cards import Card
from unshuffle.places import Board


@dataclass(frozen=True, slots=True)
class State(LadderState):
    game_id: ClassVar[str] = "roundabout"

    def legal_moves(self) -> tuple[Move, ...]:
        cells = [n for n, cell in enumerate(self.cells, 1) if cell]
        back = [Move(f"c{n}-{pile}") for n in cells for pile in range(1, len(self.piles) + 1)]
        return (*LadderState.legal_moves(self), *back)

    def play(self, move: Move) -> State:
        source, _, pile = move.token.partition("-")
        if source[0] != "c" or not pile or move not in self.legal_moves():
            return LadderState.play(self, move)  # type: ignore[return-value] # `replace` keeps the class
        number, target = int(source[1:]) - 1, int(pile) - 1
        piles = _put(self.piles, target, self.piles[target] + self.cells[number])
        return replace(self, piles=piles, cells=_put(self.cells, number, ()))


class Roundabout(Ladder):
    id = "roundabout"
    name = "Roundabout"
    variants: Mapping[str, Rules] = {"plain": Rules(), "open": Rules(down=0)}

    @staticmethod
    def state_of(board: Board) -> State:
        return _of(Ladder.state_of(board))

    def start(self, deck: tuple[Card, ...]) -> State:
        return _of(super().start(deck))


def _of(state: LadderState) -> State:
    return State(state.rules, state.piles, state.down, state.stock, state.cells, state.up)
