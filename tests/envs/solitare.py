"""What the tests of SpiderSolitare-v0 share: the recorded episodes, random play, and tables to begin from."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import unshuffle.envs  # noqa: F401 # it registers the environments
from unshuffle.cards import Card, Suit
from unshuffle.games.spider.envs.solitare import SpiderSolitareEnv
from unshuffle.games.spider.moves import Row, Run
from unshuffle.games.spider.rules import State

ID = "unshuffle/SpiderSolitare-v0"
SUIT_NUMBERS = {Suit.SPADES: 1, Suit.HEARTS: 2, Suit.DIAMONDS: 3, Suit.CLUBS: 4}
DATA = Path(__file__).parent.parent / "data" / "spider"

Step = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


def episodes() -> list[dict[str, Any]]:
    """The reference: recorded on the peer's environment, or made, with all values by our rules."""
    lines = [line for name in ("episodes", "made") for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    assert len(lines) == 16
    return [json.loads(line) for line in lines]


def episode(name: str) -> dict[str, Any]:
    return next(found for found in episodes() if found["name"] == name)


def make(**arguments: Any) -> SpiderSolitareEnv:
    """The environment without wrappers."""
    env = gym.make(ID, **arguments).unwrapped
    assert isinstance(env, SpiderSolitareEnv)
    return env


def valid(info: dict[str, Any]) -> list[int]:
    return [int(action) for action in np.flatnonzero(info["action_mask"])]


def same(one: Any, other: Any) -> bool:
    """Equal in keys, types, shapes and numbers, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return bool(one == other)


@dataclass
class Table:
    """A second reckoning of the table, by the rules alone: what lies where, and what is in hand."""

    state: State
    source: int = 0
    held: int = 0

    def act(self, action: int) -> None:
        """Follow a valid action."""
        piles = len(self.state.piles)
        if action == 0:
            self.state = self.state.play(Row())
        elif action <= piles:
            self.source, self.held = action, self.held + 1
            return
        elif action - piles != self.source:
            self.state = self.state.play(Run(self.source, action - piles, self.held))
        self.source = self.held = 0

    def valid(self, strict_hand: bool) -> list[int]:
        """The valid actions, found by asking the rules for their legal moves."""
        piles = len(self.state.piles)
        if not self.held:
            filled = [number for number in range(1, piles + 1) if self.state.piles[number - 1]]
            return [0] * bool(self.state.bank) + filled
        found = [self.source] if self.held < self.state.run_length(self.source) else []
        for target in range(1, piles + 1):
            if target == self.source:
                found += [] if strict_hand else [piles + target]
            elif Run(self.source, target, self.held) in self.state.legal_moves():
                found.append(piles + target)
        return found

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.state.piles[self.source - 1][: -self.held - 1 : -1] if self.held else ()

    @property
    def seen(self) -> tuple[tuple[Card | None, ...], ...]:
        """The piles without the hand; None for a card that nobody may see."""
        return tuple(
            tuple(
                card if place >= down else None
                for place, card in enumerate(pile[: len(pile) - (self.held if number == self.source else 0)])
            )
            for number, (pile, down) in enumerate(zip(self.state.piles, self.state.down, strict=True), 1)
        )


def numbers(card: Card | None) -> list[int]:
    return [0, 0, 0] if card is None else [card.rank, SUIT_NUMBERS[card.suit], 1]


def random_actions(env: SpiderSolitareEnv, seed: int, steps: int) -> Iterator[tuple[int, Step]]:
    """Random valid play, with rows held back so that the piles grow and runs are moved; it ends with the episode."""
    rng = random.Random(seed)
    for _ in range(steps):
        choice = np.flatnonzero(env.action_masks()).tolist()
        if len(choice) > 1 and choice[0] == 0 and rng.random() < 0.9:
            choice = choice[1:]
        action = rng.choice(choice)
        step = env.step(action)
        yield action, step
        if step[2]:
            return


def layout(piles: dict[int, str], completed: str, moves: int = 0, count: int = 10) -> str:
    """A table without a bank; piles that are not given are empty."""
    lines = [f"{number}: {piles.get(number, '')}" for number in range(1, count + 1)]
    return "\n".join([*lines, "Bank:", f"Completed: {completed}", f"Moves: {moves}"])
