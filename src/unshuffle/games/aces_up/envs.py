"""Aces Up as a Gymnasium environment, `unshuffle/AcesUp-v0`, single and vectorised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from unshuffle.envs.single import GameEnv
from unshuffle.envs.stepped import FACE_DOWN, Bytes, Stepped, codes
from unshuffle.envs.vector import GameVectorEnv
from unshuffle.errors import UsageError
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import State

PILES = 5
"""Room for the largest table; other variants have four."""
TALLEST = 13
"""The most cards in a pile. Every card but the lowest comes from a row for all piles, of which at most twelve follow
the first."""
TO_SPACE = 1
DISCARD = TO_SPACE + PILES * PILES
TO_RESERVE = DISCARD + PILES
FROM_RESERVE = TO_RESERVE + PILES


class AcesUpSteps(Stepped[State, Move]):
    """The actions and observations of Aces Up; docs/envs/aces-up.md says what they mean."""

    game_id = "aces-up"
    actions = FROM_RESERVE + PILES
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]] = {
        "discarded": ((52,), 1),
        "height": ((PILES,), TALLEST),
        "reserve": ((1,), FACE_DOWN - 1),
        "stock": ((1,), 52),
        "tableau": ((PILES, TALLEST), FACE_DOWN - 1),
    }

    def observe(self, state: State) -> Bytes:
        """Return the parts of the observation, one after the other."""
        discarded, heights = np.zeros(52, np.uint8), np.zeros(PILES, np.uint8)
        discarded[codes(state.discarded) - 1] = 1
        tableau = np.zeros((PILES, TALLEST), np.uint8)
        for place, pile in enumerate(state.piles):
            heights[place] = len(pile)
            tableau[place, : len(pile)] = codes(pile)
        reserve = np.zeros(1, np.uint8) if state.reserve is None else codes([state.reserve])
        return np.concatenate([discarded, heights, reserve, np.array([len(state.stock)], np.uint8), tableau.ravel()])

    def number(self, state: State, move: Move) -> int:
        """Return the action of a move."""
        if isinstance(move, Deal):
            return 0
        if isinstance(move, ToSpace):
            return TO_SPACE + PILES * (move.source - 1) + move.target - 1
        if isinstance(move, FromReserve):
            return FROM_RESERVE + move.target - 1
        return (DISCARD if isinstance(move, Discard) else TO_RESERVE) + move.pile - 1

    def move(self, state: State, action: int) -> Move:
        """Return the move of an action."""
        if action < TO_SPACE:
            return Deal()
        if action < DISCARD:
            source, target = divmod(action - TO_SPACE, PILES)
            return ToSpace(source + 1, target + 1)
        if action < TO_RESERVE:
            return Discard(action - DISCARD + 1)
        return ToReserve(action - TO_RESERVE + 1) if action < FROM_RESERVE else FromReserve(action - FROM_RESERVE + 1)

    def check_fit(self, state: State) -> None:
        """Raise UsageError if a pile is too high: it gets at most one card of a row."""
        faults = [
            f"pile {number} has {len(pile)} cards; it has at most {TALLEST} in play"
            for number, pile in enumerate(state.piles, 1)
            if len(pile) > TALLEST
        ]
        if faults:
            raise UsageError("no deal leads to this position: " + "; ".join(faults))

    def completed(self, state: State) -> int:
        """Return the number of suits of which only the ace is left."""
        gone = [card.suit for card in state.discarded]
        return sum(gone.count(suit) == 12 for suit in set(gone))


class AcesUpEnv(GameEnv):
    """Aces Up, a whole move in every step.

    ## Action Space
    `Discrete(41)`: 0 deals; `1 + 5*(from-1) + (to-1)` moves a top card to a space; `26 + (pile-1)` discards, where
    that is a move; `31 + (pile-1)` moves a top card to the cell, and `36 + (space-1)` the card of the cell to a space.

    ## Observation Space
    `obs="dict"`: a `Dict` of uint8 boxes: `discarded` (52,), `height` (5,), `reserve` (1,), `stock` (1,) and `tableau`
    (5, 13), bottom first: 0 nothing, `13*(suit-1) + rank` (S H D C). `obs="flat"`: the same 124 numbers as one box.
    `mask_in_obs=True` adds `action_mask`.

    ## Rewards
    `"delta"`: the change of the score, cards discarded; `"shaped"`: 1 for the win, and the change of a potential;
    `"win"`: the win only.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.

    ## Episode End
    Terminated when the game is won or stuck; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`; after `reset` also `deal`.

    docs/envs/aces-up.md is the full page, with the arguments, the vector form and the version history.
    """

    steps = AcesUpSteps


class AcesUpVectorEnv(GameVectorEnv):
    """Many Aces Ups, stepped in one call of the engine: `gymnasium.make_vec("unshuffle/AcesUp-v0", num_envs=1024)`.

    It returns what `SyncVectorEnv` returns over as many `AcesUpEnv`, without `deal` in `info`.
    """

    steps = AcesUpSteps
