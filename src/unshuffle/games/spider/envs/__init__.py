"""The environment `unshuffle/Spider-v0` and its vector form: whole moves, fixed shapes, masks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from unshuffle.envs.common import SETTINGS, Batch, Settings, check_arguments, read_all, refuse_unknown
from unshuffle.envs.single import MoveEnv
from unshuffle.envs.stepped import FACE_DOWN, SUITS, Bytes, Stepped, lay_piles
from unshuffle.envs.vector import MoveVectorEnv
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import AnyGame
from unshuffle.games.spider.envs.picture import draw
from unshuffle.games.spider.envs.shown import Shown, look
from unshuffle.games.spider.envs.text import write
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.rules import State
from unshuffle.registry import game

PILES = 10
SPLITS = 11
"""The lengths of a split: the longest run has twelve cards, and a split leaves at least one."""
PAIR, SPLIT = 1, 1 + PILES * PILES
"""The first action from pile to pile, and the first that splits a run."""
TALLEST = 83
"""The tallest pile of a real game: five face-down cards, and six sequences of thirteen."""
MOST_DOWN, MOST_SEQUENCES = 5, 6

_ALLOWED = {"num_suits": (1, 2, 4), "deal_on_empty": (True, False)}


class SpiderSteps(Stepped[State, Move]):
    """The actions and observations of Spider; docs/envs/spider.md explains their numbers."""

    game_id = "spider"
    way_round = ": a part of a run goes to the lowest-numbered empty pile (move it there, and then on)"
    actions = SPLIT + PILES * SPLITS
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]] = {
        "completed": ((4,), 8),
        "face_down": ((PILES,), MOST_DOWN),
        "height": ((PILES,), TALLEST),
        "stock": ((1,), 5),
        "tableau": ((PILES, TALLEST), FACE_DOWN),
    }

    def __init__(self, num_suits: int, deal_on_empty: bool) -> None:
        super().__init__(game("spider", f"{num_suits}-suit" + "s" * (num_suits > 1), deal_on_empty=deal_on_empty))

    def observe(self, state: State) -> Bytes:
        """Return the parts of the observation, one after the other."""
        tableau = lay_piles(state.piles, state.down, TALLEST)
        numbers = [
            *(state.completed.count(suit) for suit in SUITS),
            *state.down,
            *map(len, state.piles),
            state.rows_left,
        ]
        return np.concatenate([np.array(numbers, np.uint8), tableau.ravel()])

    def shown(self, state: State) -> Shown:
        """Return what a player sees of the state."""
        return look(state)

    def write(self, shown: Shown) -> str:
        """Return text for a dark terminal."""
        return write(shown, "dark")

    def draw(self, shown: Shown) -> NDArray[np.uint8]:
        """Return a picture of `(480, 640, 3)` bytes."""
        return draw(shown)

    def number(self, state: State, move: Move) -> int | None:
        """Return the action of a legal move; None for a part of a run to an empty pile that is not the first."""
        if isinstance(move, Row):
            return 0
        source, target = move.source - 1, move.target - 1
        if state.piles[target] or move.count == state.run_length(move.source):
            return PAIR + PILES * source + target
        if not all(state.piles[:target]):
            return None
        return SPLIT + SPLITS * source + move.count - 1

    def move(self, state: State, action: int) -> Move:
        """Return the move of an action, legal or not."""
        if action >= SPLIT:
            return _split(state, *divmod(action - SPLIT, SPLITS))
        return Row() if action < PAIR else _pair(state, *divmod(action - PAIR, PILES))

    def encode_whole(self, state: State, move: Move) -> tuple[int, ...]:
        """Return the actions of a move: a part of a run goes to a later empty pile by way of the first one."""
        state.play(move)
        number = self.number(state, move)
        if number is not None:
            return (number,)
        assert isinstance(move, Run)
        first = next(place for place, pile in enumerate(state.piles) if not pile)
        split = SPLIT + SPLITS * (move.source - 1) + move.count - 1
        return split, PAIR + PILES * first + move.target - 1

    def wasted(self, state: State) -> State:
        """Return the state with one more move made."""
        return replace(state, moves=state.moves + 1)

    def check_fit(self, state: State) -> None:
        """Raise UsageError if no deal leads here: turned and dealt cards begin sequences, at most six in a pile."""
        faults = []
        for number, (pile, down) in enumerate(zip(state.piles, state.down, strict=True), 1):
            face_up = pile[down:]
            breaks = sum(upper.rank != lower.rank + 1 for upper, lower in pairwise(face_up))
            sequences = breaks + bool(face_up)
            if down > MOST_DOWN:
                faults.append(f"pile {number} has {down} face-down cards; a deal has at most {MOST_DOWN}")
            if sequences + state.rows_left > MOST_SEQUENCES:
                faults.append(
                    f"pile {number} has {sequences} descending sequences with {state.rows_left} rows left; "
                    f"the two come to {MOST_SEQUENCES} at most in play"
                )
        if faults:
            raise UsageError("no deal leads to this position: " + "; ".join(faults))

    def moves_made(self, state: State) -> int:
        """Return the moves made, which a layout has too."""
        return state.moves

    def potential(self, state: State) -> float:
        """Return the Sun score as a fraction of the greatest."""
        return state.sun / state.rules.most_sun


def _pair(state: State, source: int, target: int) -> Run:
    """Return the move between piles, counted from 0: the one length that fits, or the whole run to an empty pile."""
    cards, onto = state.piles[source], state.piles[target]
    if not cards or source == target:
        count = 1
    elif not onto:
        count = state.run_length(source + 1)
    else:
        # At least one card, so that the rules can say why it does not fit.
        count = max(1, onto[-1].rank - cards[-1].rank)
    return Run(source + 1, target + 1, count)


def _split(state: State, source: int, less_one: int) -> Run:
    """Return the move of the last cards of a run, but not all of it, to the first empty pile."""
    count, longest = less_one + 1, state.run_length(source + 1)
    empty = next((place for place, pile in enumerate(state.piles, 1) if not pile), None)
    move = Run(source + 1, empty or 0, count)
    if empty is None:
        reason = "no pile is empty"
    elif count >= longest:
        reason = f"a split leaves a card of the run behind, and pile {source + 1} has a run of {longest}"
    else:
        return move
    token = f"{count} of pile {source + 1} to an empty pile"
    raise IllegalMoveError(token, " / ".join(str(state).splitlines()), reason)


def _steps(num_suits: int, deal_on_empty: bool) -> SpiderSteps:
    check_arguments({"num_suits": num_suits, "deal_on_empty": deal_on_empty}, _ALLOWED)
    return SpiderSteps(num_suits, deal_on_empty)


class SpiderEnv(MoveEnv):
    """Spider, a whole move in every step.

    ## Action Space
    `Discrete(211)`: 0 deals a row; `1 + 10*(from-1) + (to-1)` moves from pile to pile, as many cards as fit, and the
    longest run to an empty pile; `101 + 11*(from-1) + (k-1)` splits: the last `k` cards to the first empty pile.

    ## Observation Space
    `obs="dict"`: a `Dict` of uint8 boxes: `completed` (4,), `face_down` (10,), `height` (10,), `stock` (1,) and
    `tableau` (10, 83), bottom first: 0 nothing, `13*(suit-1) + rank` face up (S H D C), 53 face down. `obs="flat"`:
    the same 855 numbers as one box. `mask_in_obs=True` adds `action_mask`.

    ## Rewards
    `"delta"`: the change of the score; `"shaped"`: 1 for the win, and the change of a potential; `"win"`: the win only.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.

    ## Episode End
    Terminated when the game is won or stuck; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`; after `reset` also `deal`.

    docs/envs/spider.md is the full page, with the arguments, the vector form and the version history.
    """

    def __init__(
        self,
        num_suits: int = 4,
        deal_on_empty: bool = True,
        obs: str = "dict",
        mask_in_obs: bool = False,
        reward: str = "delta",
        gamma: float = 0.99,
        on_invalid: str = "noop",
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        settings: dict[str, Any] = {
            "obs": obs,
            "mask_in_obs": mask_in_obs,
            "reward": reward,
            "gamma": gamma,
            "on_invalid": on_invalid,
            "render_mode": render_mode,
        }
        steps, made, _ = read_all(
            lambda: _steps(num_suits, deal_on_empty),
            lambda: Settings(**settings),
            lambda: refuse_unknown(type(self), unknown),
        )
        super().__init__(steps, made)

    @classmethod
    def arguments_of(cls, game: AnyGame) -> dict[str, Any]:
        """Return the arguments, which are older than `variant`. Raise UsageError for rules that are only for tests."""
        arguments = {"num_suits": game.rules.suits, "deal_on_empty": game.rules.deal_on_empty}
        if SpiderSteps(**arguments).game.rules != game.rules:
            raise UsageError(f"no environment plays {game}: of the rules of Spider it has suits and deal_on_empty")
        return arguments


class SpiderVectorEnv(MoveVectorEnv):
    """Many Spiders, stepped in one call of the engine: `gymnasium.make_vec("unshuffle/Spider-v0", num_envs=1024)`.

    It returns what `SyncVectorEnv` returns over as many `SpiderEnv`, without `deal` in `info`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        threads: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_suits: int = 4,
        deal_on_empty: bool = True,
        **arguments: Any,
    ) -> None:
        settings = {name: value for name, value in arguments.items() if name in SETTINGS}
        steps, made, batch, _ = read_all(
            lambda: _steps(num_suits, deal_on_empty),
            lambda: Settings(**settings),
            lambda: Batch.read(
                autoreset_mode,
                settings.get("render_mode"),
                num_envs=num_envs,
                max_episode_steps=max_episode_steps,
                threads=threads,
                copy=copy,
            ),
            lambda: refuse_unknown(type(self), arguments, SETTINGS),
        )
        super().__init__(steps, made, batch)
