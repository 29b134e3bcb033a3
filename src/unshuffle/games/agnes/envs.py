"""Agnes Sorel as a Gymnasium environment, `unshuffle/Agnes-v0`, single and vectorised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from unshuffle.cards import RANKS
from unshuffle.envs.single import GameEnv
from unshuffle.envs.stepped import FACE_DOWN, SUITS, Bytes, Stepped, lay_piles
from unshuffle.envs.vector import GameVectorEnv
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import Game
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.rules import State
from unshuffle.games.agnes.view import View

PILES = 7
SPLITS = 12
"""The lengths of a split: the longest run has thirteen cards, and a split leaves at least one."""
UP = 1
PAIR = UP + PILES
SPLIT = PAIR + PILES * PILES
TALLEST = 51
"""The most cards in a pile: all but the base card."""


class AgnesSteps(Stepped[State, Move]):
    """The actions and observations of Agnes Sorel; docs/envs/agnes.md says what they mean."""

    game_id = "agnes"
    actions = SPLIT + PILES * PILES * SPLITS
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]] = {
        "base": ((1,), 13),
        "face_down": ((PILES,), PILES - 1),
        "foundations": ((4,), 13),
        "height": ((PILES,), TALLEST),
        "stock": ((1,), 23),
        "tableau": ((PILES, TALLEST), FACE_DOWN),
    }

    def __init__(self, game: Game[State, Move]) -> None:
        if (game.rules.ranks, game.rules.piles) != (13, PILES):
            raise UsageError(f"the environment of agnes is for ranks=13 and piles=7, not for {game}")
        super().__init__(game)

    def observe(self, state: State) -> Bytes:
        """Return the parts of the observation, one after the other."""
        tableau = lay_piles(state.piles, state.down, TALLEST)
        numbers = [
            state.base,
            *state.down,
            *(state.foundations[suit] for suit in SUITS),
            *map(len, state.piles),
            len(state.stock),
        ]
        return np.concatenate([np.array(numbers, np.uint8), tableau.ravel()])

    def words(self, shown: View) -> tuple[str, str]:
        """Return the status line; it has the base too, which no foundation may show yet."""
        return f"score {shown.score}  base {RANKS[shown.base - 1]}", ""

    def number(self, state: State, move: Move) -> int:
        """Return the action of a legal move."""
        if isinstance(move, Deal):
            return 0
        if isinstance(move, ToFoundation):
            return UP + move.pile - 1
        pair = PILES * (move.source - 1) + move.target - 1
        if state.piles[move.target - 1] or move.count == state.run_length(move.source):
            return PAIR + pair
        return SPLIT + SPLITS * pair + move.count - 1

    def move(self, state: State, action: int) -> Move:
        """Return the move of an action, legal or not."""
        if action < PAIR:
            return ToFoundation(action - UP + 1) if action >= UP else Deal()
        if action < SPLIT:
            return _pair(state, *divmod(action - PAIR, PILES))
        return _split(state, *divmod(action - SPLIT, SPLITS))


def _pair(state: State, source: int, target: int) -> ToPile:
    """Return the move from pile to pile, counted from 0, of as many cards as fit; to an empty pile the longest run."""
    cards, onto = state.piles[source], state.piles[target]
    if not cards or source == target:
        count = 1
    elif not onto:
        count = state.run_length(source + 1)
    else:
        # At least one card, so that the rules can say why it does not fit.
        count = max(1, state.height(onto[-1]) - state.height(cards[-1]))
    return ToPile(source + 1, target + 1, count)


def _split(state: State, pair: int, less_one: int) -> ToPile:
    """Return the move of the last cards of a run, but not all of it, to an empty pile."""
    source, target = pair // PILES + 1, pair % PILES + 1
    count, longest = less_one + 1, state.run_length(source)
    move = ToPile(source, target, count)
    if state.piles[target - 1]:
        reason = f"a split goes to an empty pile, and pile {target} is not empty"
    elif count >= longest:
        reason = f"a split leaves a card of the run behind, and pile {source} has a run of {longest}"
    else:
        return move
    raise IllegalMoveError(f"split {move.token}", " / ".join(str(state).splitlines()), reason)


class AgnesEnv(GameEnv):
    """Agnes Sorel, a whole move in every step.

    ## Action Space
    `Discrete(645)`: 0 deals; `1 + (pile-1)` plays a top card up; `8 + 7*(from-1) + (to-1)` moves from pile to pile, as
    many cards as fit, and the longest run to an empty pile; `57 + 84*(from-1) + 12*(to-1) + (k-1)` splits: the last
    `k` cards of a run, but not all, to an empty pile.

    ## Observation Space
    `obs="dict"`: a `Dict` of uint8 boxes: `base` (1,), `face_down` (7,), `foundations` (4,), `height` (7,), `stock`
    (1,) and `tableau` (7, 51), bottom first: 0 nothing, `13*(suit-1) + rank` face up (S H D C), 53 face down.
    `obs="flat"`: the same 377 numbers as one box. `mask_in_obs=True` adds `action_mask`.

    ## Rewards
    `"delta"`: the change of the score, cards up; `"shaped"`: 1 for the win, and the change of a potential; `"win"`: the
    win only.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.

    ## Episode End
    Terminated when the game is won or stuck; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`; after `reset` also `deal`.

    docs/envs/agnes.md is the full page, with the arguments, the vector form and the version history.
    """

    steps = AgnesSteps


class AgnesVectorEnv(GameVectorEnv):
    """Many Agnes Sorels, stepped in one call of the engine: `gymnasium.make_vec("unshuffle/Agnes-v0", num_envs=1024)`.

    It returns what `SyncVectorEnv` returns over as many `AgnesEnv`, without `deal` in `info`.
    """

    steps = AgnesSteps
