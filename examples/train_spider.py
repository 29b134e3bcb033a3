"""Learning Spider with one suit: MaskablePPO of sb3-contrib on `unshuffle/Spider-v0`.

`make train` installs what it needs (`pip install 'unshuffle[train]'`) and runs it: some minutes of learning on one
core, then deals that it has never seen, beside a random player and a plain greedy one. The players see what a player
sees: hidden information.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

import unshuffle.envs  # noqa: F401 # it registers the environments
from unshuffle.study.statistics import wilson

ENV = "unshuffle/Spider-v0"
ARGUMENTS: dict[str, Any] = {"num_suits": 1, "obs": "flat"}
FIRST_HELD_OUT = 1_000_000_000
"""Training draws its deals from 2^63 numbers; these, one after the other, are for the test alone."""
PILES, TALLEST, HEIGHT, TABLEAU = 10, 83, 14, 25
"""Where heights and cards stand in a flat observation: docs/envs/spider.md."""
SEEN = 8
"""Cards of each pile that the network looks at, from its end."""
PATIENCE = 15
"""Moves without a better score after which the greedy player deals a row."""

Mask = NDArray[np.int8]
Player = Callable[[NDArray[np.uint8], Mask, int], int]
"""An action, given the observation, the mask and the moves since the score was last bettered."""


class Piles(BaseFeaturesExtractor):  # type: ignore[misc] # nothing is known of it where torch is not installed
    """The last cards of each pile, each by what it is and not by its number; then one layer over all piles."""

    def __init__(self, space: gym.spaces.Box, width: int = 256) -> None:
        super().__init__(space, width)
        self.cards = torch.nn.Embedding(54, 8)
        self.pile = torch.nn.Sequential(torch.nn.Linear(8 * SEEN + 2, 48), torch.nn.ReLU())
        self.all = torch.nn.Sequential(torch.nn.Linear(48 * PILES + 1, width), torch.nn.ReLU())

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of a batch of observations."""
        down = observations[:, HEIGHT - PILES : HEIGHT]
        height = observations[:, HEIGHT : HEIGHT + PILES]
        stock = observations[:, TABLEAU - 1 : TABLEAU] / 5
        tableau = observations[:, TABLEAU:].reshape(-1, PILES, TALLEST).long()
        places = height.long().unsqueeze(2) - 1 - torch.arange(SEEN)
        # Beyond the bottom of a pile there is nothing, which is card 0.
        last = torch.where(places >= 0, tableau.gather(2, places.clamp(min=0)), 0)
        numbers = torch.stack([down / 5, height / 20], dim=2)
        piles = self.pile(torch.cat([self.cards(last).flatten(2), numbers], dim=2))
        features: torch.Tensor = self.all(torch.cat([piles.flatten(1), stock], dim=1))
        return features


class Clock(BaseCallback):  # type: ignore[misc] # likewise
    """Stops when the time is over, and tells how it goes."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.until = time.monotonic() + 60 * minutes
        self.told = 0.0

    def _on_step(self) -> bool:
        now = time.monotonic()
        if now >= self.told + 30:
            self.told = now
            scores = [info["score"] for info in self.locals["infos"] if "terminal_observation" in info]
            last = f", scores of games that ended just now: {scores[:6]}" if scores else ""
            print(f"{self.num_timesteps:,} steps, {max(0.0, self.until - now):.0f} s left{last}", flush=True)
        return now < self.until


def train(minutes: float, tables: int, seed: int) -> MaskablePPO:
    """Learn for so many minutes."""
    env = VecNormalize(DummyVecEnv([lambda: gym.make(ENV, **ARGUMENTS)] * tables), norm_obs=False)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=8192 // tables,
        batch_size=1024,
        n_epochs=3,
        gamma=0.99,
        ent_coef=0.01,
        learning_rate=5e-4,
        policy_kwargs={"features_extractor_class": Piles, "net_arch": [128]},
        seed=seed,
        device="cpu",
    )
    model.learn(2**62, callback=Clock(minutes))
    return model


@dataclass(frozen=True, slots=True)
class Games:
    """How some games ended."""

    won: int
    runs: list[int]
    scores: list[int]

    def __str__(self) -> str:
        low, high = wilson(self.won, len(self.runs))
        return (
            f"won {self.won} of {len(self.runs)} ({self.won / len(self.runs):.1%}, 95% {low:.1%} to {high:.1%}), "
            f"{np.mean(self.runs):.2f} runs and {np.mean(self.scores):.0f} points a game"
        )


def play(player: Player, deals: int) -> Games:
    """Play the held-out deals to their end, or to the registered limit of 500 moves."""
    env, won, runs, scores = gym.make(ENV, **ARGUMENTS), 0, [], []
    for number in range(FIRST_HELD_OUT, FIRST_HELD_OUT + deals):
        observation, info = env.reset(options={"deal": f"spider/1-suit@{number}"})
        best, idle, over = info["score"], 0, False
        while not over:
            action = player(observation, info["action_mask"], idle)
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            idle = 0 if info["score"] > best else idle + 1
            best = max(best, info["score"])
        won += info["won"]
        runs.append(info["completed"])
        scores.append(info["score"])
    return Games(won, runs, scores)


def random_player(seed: int) -> Player:
    """Any legal action."""
    rng = np.random.default_rng(seed)
    return lambda observation, mask, idle: int(rng.choice(np.flatnonzero(mask)))


def greedy_player(seed: int) -> Player:
    """A card onto a card, else to an empty pile, else a row; a row too when nothing has bettered the score for long."""
    rng = np.random.default_rng(seed)

    def act(observation: NDArray[np.uint8], mask: Mask, idle: int) -> int:
        legal = np.flatnonzero(mask)
        if mask[0] and idle >= PATIENCE:
            return 0
        filled = observation[HEIGHT : HEIGHT + PILES] > 0
        # From pile to pile is 1 + 10 * from + to.
        onto = legal[(legal >= 1) & (legal <= 100) & filled[(legal - 1) % PILES]]
        moves = onto if len(onto) else legal[legal > 0]
        return int(rng.choice(moves)) if len(moves) else 0

    return act


def trained_player(model: MaskablePPO) -> Player:
    """What was learnt; it draws among the actions that it thinks good."""
    return lambda observation, mask, idle: int(model.predict(observation, action_masks=mask)[0])


def main() -> None:
    """Learn, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--tables", type=int, default=32, help="environments that are played at once")
    parser.add_argument("--deals", type=int, default=200, help="deals of the test")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    begun = time.monotonic()
    model = train(arguments.minutes, arguments.tables, arguments.seed)
    print(f"learnt from {model.num_timesteps:,} steps in {time.monotonic() - begun:.0f} s")
    players = {
        "random": random_player(arguments.seed),
        "greedy": greedy_player(arguments.seed),
        "learnt": trained_player(model),
    }
    print(f"{arguments.deals} deals from spider/1-suit@{FIRST_HELD_OUT} on, hidden information, at most 500 moves:")
    for name, player in players.items():
        print(f"  {name:8}{play(player, arguments.deals)}", flush=True)


if __name__ == "__main__":
    main()
