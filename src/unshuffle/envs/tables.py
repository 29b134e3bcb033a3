"""The tables of an environment: in the engine, or by the Python rules where it is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from unshuffle import engine
from unshuffle.deals import SplitMix64
from unshuffle.envs.stepped import Bytes, Mask, Stepped
from unshuffle.game import MoveT, Outcome, StateT
from unshuffle.rulebook import write_rules
from unshuffle.solve.sides import knows

Told = tuple[float, int, int, int, bool, bool, bool]
"""The values read of one table: reward, moves, score, completed, terminated, won, invalid."""
Kept = tuple[str, int, int, float, tuple[bool, bool, bool]]
"""The saved state of one table: text, steps since the deal, moves, reward; and terminated, truncated, invalid."""
Saved = tuple[int, list[Kept]]
"""The state of the random stream, and the saved state of every table."""


class Tables(Protocol):
    """Many tables of one game, stepped together. `_engine.pyi` describes each method."""

    def deal(self, places: list[int], seeds: list[int]) -> None:
        """Deal new games on these tables."""

    def lay(self, place: int, position: str) -> None:
        """Lay out a position on a table."""

    def text(self, place: int) -> str:
        """Return the layout text of a table."""

    def first_illegal(self, actions: NDArray[np.int64], skip: Bytes | None = None) -> int | None:
        """Return the first table where the action is illegal; None if there is none."""

    def step(self, actions: NDArray[np.int64], skip: Bytes | None = None) -> None:
        """Step all tables that are not skipped."""

    def step_one(self, action: int, observation: Bytes, mask: Mask) -> Told:
        """Step the only table."""

    def read_one(self, place: int, observation: Bytes, mask: Mask) -> Told:
        """Write the observation and the mask of a table, and return its other values."""

    def read(
        self,
        observations: Bytes,
        masks: Mask,
        rewards: NDArray[np.float64],
        numbers: NDArray[np.int64],
        flags: Bytes,
        places: list[int] | None = None,
    ) -> None:
        """Write the values of all tables, or of some of them."""

    def seed(self, seed: int) -> None:
        """Seed the stream that `sample` draws from."""

    def sample(self, actions: NDArray[np.int64]) -> None:
        """Write a random legal action for every table, 0 where there is none."""

    def save(self) -> Saved:
        """Return the state of all tables."""

    def restore(self, saved: Saved) -> None:
        """Restore a saved state."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings that all tables share."""

    count: int = 1
    threads: int = 1
    reward: str = "delta"
    gamma: float = 0.99
    when_invalid: str = "noop"
    limit: int | None = None
    """Steps after which an episode is truncated."""


def lay_tables(stepped: Stepped[Any, Any], terms: Terms) -> Tables:
    """Return tables of this game, in the engine if it is available and knows these rules."""
    native: Any = engine.native()
    if native is None or not stepped.is_native or not knows(native, stepped.game):
        return PythonTables(stepped, terms)
    tables: Tables = native.Tables(
        stepped.game.engine_id,
        write_rules(stepped.game.rules),
        count=terms.count,
        threads=terms.threads,
        reward=terms.reward,
        gamma=terms.gamma,
        when_invalid=terms.when_invalid,
        limit=terms.limit,
    )
    return tables


@dataclass(slots=True)
class _Seat(Generic[StateT]):
    """A table with its current values."""

    state: StateT
    observation: Bytes
    legal: list[int]
    moves: int
    """Moves made; includes the moves before a typed position where the position tells them."""
    elapsed: int = 0
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    invalid: bool = False


class PythonTables(Generic[StateT, MoveT]):
    """The tables by the Python rules: slow, but the definition. `threads` has no effect."""

    def __init__(self, stepped: Stepped[StateT, MoveT], terms: Terms) -> None:
        self._stepped, self._terms = stepped, terms
        self._seats: list[_Seat[StateT]] = []
        self._lots = SplitMix64(0)
        # A table needs some state until the first deal.
        first = stepped.game.deal(0)
        self._seats = [self._begin(first) for _ in range(terms.count)]

    def _begin(self, state: StateT) -> _Seat[StateT]:
        return _Seat(state, self._stepped.observe(state), self._stepped.legal(state), self._stepped.moves_made(state))

    def deal(self, places: list[int], seeds: list[int]) -> None:
        """Deal new games on these tables."""
        for place, seed in zip(places, seeds, strict=True):
            self._seats[place] = self._begin(self._stepped.game.deal(seed))

    def lay(self, place: int, position: str) -> None:
        """Lay out a position on a table."""
        state = self._stepped.game.parse(position)
        self._stepped.check_fit(state)
        self._seats[place] = self._begin(state)

    def text(self, place: int) -> str:
        """Return the layout text of a table."""
        return self._stepped.game.wire(self._seats[place].state)

    def first_illegal(self, actions: NDArray[np.int64], skip: Bytes | None = None) -> int | None:
        """Return the first table where the action is illegal; None if there is none."""
        for place, (seat, action) in enumerate(zip(self._seats, actions, strict=True)):
            if (skip is None or not skip[place]) and action not in seat.legal:
                return place
        return None

    def step(self, actions: NDArray[np.int64], skip: Bytes | None = None) -> None:
        """Step all tables that are not skipped."""
        for place, (seat, action) in enumerate(zip(self._seats, actions.tolist(), strict=True)):
            if skip is None or not skip[place]:
                self._step(seat, action)

    def _step(self, seat: _Seat[StateT], action: int) -> None:
        stepped, terms, before = self._stepped, self._terms, seat.state
        seat.invalid = action not in seat.legal
        seat.terminated = False
        if not seat.invalid:
            # The action is legal, so it decodes to a legal move.
            state = before.play(stepped.decode(before, action))
            seat.state, seat.observation, seat.legal = state, stepped.observe(state), stepped.legal(state)
        elif terms.when_invalid == "noop":
            seat.state = stepped.wasted(before)
        else:
            seat.terminated = True
        seat.moves += not seat.terminated
        seat.terminated = seat.terminated or seat.state.outcome is not None
        seat.elapsed += 1
        seat.truncated = terms.limit is not None and seat.elapsed >= terms.limit
        seat.reward = self._worth(before, seat)

    def _worth(self, before: StateT, seat: _Seat[StateT]) -> float:
        """Return the reward of the step from `before`."""
        stepped, terms = self._stepped, self._terms
        if terms.reward == "delta":
            return float(seat.state.score - before.score)
        win = float(seat.state.outcome is Outcome.WON)
        if terms.reward == "win":
            return win
        after = 0.0 if seat.terminated else stepped.potential(seat.state)
        return win + (terms.gamma * after - stepped.potential(before))

    def step_one(self, action: int, observation: Bytes, mask: Mask) -> Told:
        """Step the only table."""
        self._step(self._seats[0], action)
        return self.read_one(0, observation, mask)

    def read_one(self, place: int, observation: Bytes, mask: Mask) -> Told:
        """Write the observation and the mask of a table, and return its other values."""
        seat = self._seats[place]
        observation[:] = seat.observation
        mask[:] = 0
        mask[seat.legal] = 1
        won = seat.state.outcome is Outcome.WON
        score, completed = seat.state.score, self._stepped.completed(seat.state)
        return seat.reward, seat.moves, score, completed, seat.terminated, won, seat.invalid

    def read(
        self,
        observations: Bytes,
        masks: Mask,
        rewards: NDArray[np.float64],
        numbers: NDArray[np.int64],
        flags: Bytes,
        places: list[int] | None = None,
    ) -> None:
        """Write the values of all tables, or of some of them, one after the other."""
        for row, place in enumerate(range(len(self._seats)) if places is None else places):
            told = self.read_one(place, observations[row], masks[row])
            rewards[row], numbers[:, row] = told[0], told[1:4]
            terminated, won, invalid = told[4:]
            flags[:, row] = terminated, self._seats[place].truncated, won, invalid

    def seed(self, seed: int) -> None:
        """Seed the stream that `sample` draws from."""
        self._lots = SplitMix64(seed)

    def sample(self, actions: NDArray[np.int64]) -> None:
        """Write a random legal action for every table, 0 where there is none."""
        for place, seat in enumerate(self._seats):
            actions[place] = seat.legal[self._lots.below(len(seat.legal))] if seat.legal else 0

    def save(self) -> Saved:
        """Return the state of all tables."""
        return self._lots.state, [
            (self.text(place), seat.elapsed, seat.moves, seat.reward, (seat.terminated, seat.truncated, seat.invalid))
            for place, seat in enumerate(self._seats)
        ]

    def restore(self, saved: Saved) -> None:
        """Restore a saved state."""
        state, kept = saved
        self._lots = SplitMix64(state)
        for place, (text, elapsed, moves, reward, (terminated, truncated, invalid)) in enumerate(kept):
            self.lay(place, text)
            seat = self._seats[place]
            seat.elapsed, seat.moves, seat.reward = elapsed, moves, reward
            seat.terminated, seat.truncated, seat.invalid = terminated, truncated, invalid
