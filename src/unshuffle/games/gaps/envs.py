"""The environment `unshuffle/Gaps-v0` and its vector form: whole moves, fixed shapes, masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from unshuffle.cards import Card
from unshuffle.envs.single import GameEnv
from unshuffle.envs.stepped import CODES, SUITS, Bytes, Stepped
from unshuffle.envs.vector import GameVectorEnv
from unshuffle.games.gaps.moves import Move, Redeal, ToGap
from unshuffle.games.gaps.rules import COLUMNS, ROWS, State

CARD, TWO = 1, 1 + 4 * 11
"""The first action that moves a card of rank 3 to 13, and the first that moves a 2."""
WHOLE = 12
"""Cards of a finished row."""


class GapsSteps(Stepped[State, Move]):
    """The actions and observations of Gaps; docs/envs/gaps.md explains their numbers."""

    game_id = "gaps"
    actions = TWO + 4 * ROWS
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]] = {
        "cells": ((ROWS, COLUMNS), 52),
        "locked": ((ROWS,), WHOLE),
        "redeals": ((1,), 99),
    }

    def observe(self, state: State) -> Bytes:
        """Return the parts of the observation, one after the other."""
        cells = [0 if card is None else CODES[card.index] for card in state.cells]
        return np.array([*cells, *(length for _, length in state.locks), state.redeals_left], np.uint8)

    def words(self, shown: State) -> tuple[str, str]:
        """Return the score, and the redeals left in rules that have them, in words."""
        left = shown.redeals_left
        return f"score {shown.score}", f"{left} redeal{'s' * (left != 1)} left" * (shown.rules.redeals > 0)

    def number(self, state: State, move: Move) -> int:
        """Return the action of a move."""
        if isinstance(move, Redeal):
            return 0
        suit, rank = SUITS.index(move.card.suit), move.card.rank
        return TWO + 4 * suit + move.row - 1 if rank == 2 else CARD + 11 * suit + rank - 3

    def move(self, state: State, action: int) -> Move:
        """Return the move of an action, legal or not."""
        if action < CARD:
            return Redeal()
        if action >= TWO:
            suit, row = divmod(action - TWO, 4)
            return ToGap(Card(2, SUITS[suit]), row + 1, 1)
        suit, above = divmod(action - CARD, 11)
        card = Card(above + 3, SUITS[suit])
        # It goes right of the next lower card; the rules refuse a cell beyond the last column.
        row, column = divmod(state.cells.index(card.next_down), COLUMNS)
        return ToGap(card, row + 1, column + 2)

    def completed(self, state: State) -> int:
        """Return the number of finished rows."""
        return sum(length == WHOLE for _, length in state.locks)


class GapsEnv(GameEnv):
    """Gaps, a whole move in every step.

    ## Action Space
    `Discrete(61)`: 0 redeals; `1 + 11*(suit-1) + (rank-3)` moves a card of rank 3 to 13 (S H D C) right of the next
    lower card of its suit; `45 + 4*(suit-1) + (row-1)` moves a 2 to column 1 of a row.

    ## Observation Space
    `obs="dict"`: a `Dict` of uint8 boxes: `cells` (4, 13): 0 a gap, `13*(suit-1) + rank` a card; `locked` (4,), the
    length of each row's locked run; `redeals` (1,), the redeals left. `obs="flat"`: the same 57 numbers as one box.
    `mask_in_obs=True` adds `action_mask`.

    ## Rewards
    `"delta"`: the change of the score, locked cards; `"shaped"`: 1 for the win, and the change of a potential;
    `"win"`: the win only.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.
    Redeals are those of the deal's id; redeals that a typed board does not give are drawn.

    ## Episode End
    Terminated when the game is won or stuck: no card can move and no redeal is left; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`; after `reset` also `deal`.

    docs/envs/gaps.md is the full page, with the arguments, the vector form and the version history.
    """

    steps = GapsSteps


class GapsVectorEnv(GameVectorEnv):
    """Many Gaps, stepped in one call of the engine: `gymnasium.make_vec("unshuffle/Gaps-v0", num_envs=1024)`.

    It returns what `SyncVectorEnv` returns over as many `GapsEnv`, without `deal` in `info`.
    """

    steps = GapsSteps
