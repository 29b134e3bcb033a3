"""Train MaskablePPO of sb3-contrib on the native batch of a game's environment: `train.py GAME`.

`make train` installs the requirements (`pip install 'unshuffle[train]'`) and trains on La Belle Lucie, then on Spider
with one suit: some minutes on one core each. Then it tests on held-out deals, beside players of `simulate`. All of
them see what a player sees: hidden information. Equal steps and seeds give equal games.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv, VecNormalize

import unshuffle as un
from unshuffle.envs.episodes import play_deals
from unshuffle.envs.playing import describe_environment
from unshuffle.study.statistics import wilson

FIRST_HELD_OUT = 1_000_000_000
"""Training draws its deals from 2^63 numbers; the test takes these consecutive ones."""
SEEN = 8
"""How many of the last cards of each pile the network sees."""
CODES = 54
"""The number of card codes: no card, the 52 cards, and a face-down card."""


@dataclass(frozen=True, slots=True)
class Task:
    """The variant to train on, and the players to compare with."""

    variant: str
    players: tuple[str, ...]


TASKS = {
    "aces-up": Task("standard", ("random", "greedy", "rules:2,1,10", "weights")),
    "agnes": Task("up-suit-anyrun", ("random", "greedy")),
    "belle-lucie": Task("classic", ("random", "greedy", "value")),
    "spider": Task("1-suit", ("random:100", "greedy")),
}


class Batch(VecEnv):  # type: ignore[misc] # nothing is known of it where torch is not installed
    """The native batch of an environment as a VecEnv of Stable-Baselines3."""

    def __init__(self, env: Any) -> None:
        self._env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self._actions: Any = None
        self._masks: Any = None

    def reset(self) -> Any:
        """Begin an episode in all environments, with the seeds that the learner has set."""
        observations, info = self._env.reset(seed=self._seeds)
        self._reset_seeds()
        self._masks = info["action_mask"]
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Store the actions."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step. Where an episode has ended the next has begun, and the info says how it ended."""
        observations, rewards, terminated, truncated, info = self._env.step(self._actions)
        self._masks = info["action_mask"]
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in ended]
        for place in np.flatnonzero(ended):
            infos[place] = {
                "terminal_observation": info["final_obs"][place],
                "TimeLimit.truncated": not terminated[place],
                "won": info["final_info"]["won"][place],
                "score": info["final_info"]["score"][place],
            }
        return observations, rewards, ended, infos

    def env_method(self, method_name: str, *_: Any, indices: Any = None, **__: Any) -> list[Any]:
        """Return the masks, the only method that MaskablePPO calls."""
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return list(self._masks[list(self._get_indices(indices))].view(np.bool_))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute that all environments share."""
        return [getattr(self._env, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise AttributeError: nothing can be set."""
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for all."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Close the batch."""
        self._env.close()


def lay_out(tables: int, game: un.Game[Any, Any], **arguments: Any) -> Any:
    """Return the native batch of the game's environment."""
    name, rules = describe_environment(game)
    return gym.make_vec(name, num_envs=tables, **rules, **arguments)


class Look(BaseFeaturesExtractor):  # type: ignore[misc] # likewise
    """The features of a table: a layer shared by all piles, or by all cards; then a layer over all of them.

    The features of each pile or card are passed on too, so that the value of a move can depend on its own cards alone.
    """

    def __init__(self, space: gym.spaces.Dict, width: int = 128) -> None:
        boxes: dict[str, Any] = dict(space.spaces)
        is_piled = "tableau" in boxes
        places, made = (boxes.pop("tableau").shape[0], 32) if is_piled else (boxes.pop("below").shape[0], 12)
        super().__init__(space, width + made * places)
        self.most = {name: float(np.log1p(box.high.max())) for name, box in boxes.items()}
        numbers = sum(box.shape[0] for box in boxes.values())
        self.look = self.look_at_piles if is_piled else self.look_at_cards
        self.register_buffer("faces", faces())
        seen = SEEN * self.faces.shape[1] if is_piled else 2 * self.faces.shape[1] + 5
        self.place = torch.nn.Sequential(torch.nn.Linear(seen, made), torch.nn.ReLU())
        self.all = torch.nn.Sequential(torch.nn.Linear(made * places + numbers, width), torch.nn.ReLU())

    def forward(self, parts: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the features of a batch of observations."""
        places = self.place(self.look(parts)).flatten(1)
        # The logarithm makes differences count for more among small numbers.
        numbers = [torch.log1p(parts[name]) / most for name, most in self.most.items()]
        return torch.cat([places, self.all(torch.cat([places, *numbers], dim=1))], dim=1)

    def look_at_piles(self, parts: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the last cards of each pile."""
        last = parts["height"].long().unsqueeze(2) - 1 - torch.arange(SEEN)
        # Positions below the bottom of a pile get code 0: no card.
        codes = torch.where(last >= 0, parts["tableau"].long().gather(2, last.clamp(min=0)), 0)
        seen: torch.Tensor = self.faces[codes].flatten(2)
        return seen

    def look_at_cards(self, parts: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return each card and the one below it, how many cards lie on it, and how far both are from a foundation."""
        ranks = torch.arange(52) % 13 + 1
        away = ranks - parts["foundations"].repeat_interleave(13, dim=1)
        below = parts["below"].long()
        # The ends stand for no card and for a card that is up: as far away as possible.
        after = torch.nn.functional.pad(away, (1, 1), value=14.0).gather(1, below)
        numbers = [torch.log1p(parts["buried"]), away / 13, away == 1, after / 13, after == 1]
        own = self.faces[1:53].expand(len(below), -1, -1)
        return torch.cat([own, self.faces[below], torch.stack(numbers, dim=2)], dim=2)


def faces() -> torch.Tensor:
    """Return the features of each card code: suit and rank, no card, or face down."""
    found = torch.zeros(CODES, 4 + 13 + 3)
    codes = torch.arange(1, CODES - 1)
    suit, rank = (codes - 1) // 13, (codes - 1) % 13
    found[codes, suit] = 1
    found[codes, 4 + rank] = 1
    found[codes, 17] = (rank + 1) / 13
    found[0, 18] = 1
    found[CODES - 1, 19] = 1
    return found


class Progress(BaseCallback):  # type: ignore[misc] # likewise
    """A callback that prints every half minute the results of the games finished since."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.steps, self.told = steps, time.monotonic()
        self.ends: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        self.ends += [info for info in self.locals["infos"] if info]
        if time.monotonic() >= self.told + 30 and self.ends:
            won, score = (np.mean([info[what] for info in self.ends]) for what in ("won", "score"))
            print(
                f"{self.num_timesteps:,} of {self.steps:,} steps; "
                f"{len(self.ends):,} games: {won:.1%} won, score {score:.1f}",
                flush=True,
            )
            self.told, self.ends = time.monotonic(), []
        return True


def train(game: un.Game[Any, Any], steps: int, tables: int, seed: int) -> MaskablePPO:
    """Train for so many steps."""
    env = VecNormalize(Batch(lay_out(tables, game, autoreset_mode="SameStep")), norm_obs=False)
    model = MaskablePPO(
        "MultiInputPolicy",
        env,
        n_steps=8192 // tables,
        batch_size=1024,
        n_epochs=3,
        gamma=0.99,
        ent_coef=0.01,
        learning_rate=1e-3,
        policy_kwargs={"features_extractor_class": Look, "net_arch": {"pi": [], "vf": [64]}},
        seed=seed,
        device="cpu",
    )
    model.learn(steps, callback=Progress(steps))
    return model


@dataclass(frozen=True, slots=True)
class Games:
    """The results of some games."""

    won: NDArray[np.bool_]
    scores: NDArray[np.int64]

    def __str__(self) -> str:
        won, played = int(self.won.sum()), len(self.won)
        low, high = wilson(won, played)
        return f"{won} of {played} | {100 * low:.1f} to {100 * high:.1f} % | {self.scores.mean():.1f}"


def play_learnt(model: MaskablePPO, game: un.Game[Any, Any], deals: range, is_sure: bool) -> Games:
    """Play all deals at once with the model: the likeliest action if `is_sure`, else a sampled one."""
    env = lay_out(len(deals), game)
    observations, info = env.reset(options={"deal": [f"{game}@{number}" for number in deals]})
    over, won = np.zeros(len(deals), np.bool_), np.zeros(len(deals), np.bool_)
    scores = np.zeros(len(deals), np.int64)
    while not over.all():
        masks = info["action_mask"].astype(np.bool_)
        masks[~masks.any(axis=1)] = True  # where the game is over: any action begins a game that is not counted
        actions, _ = model.predict(observations, action_masks=masks, deterministic=is_sure)
        observations, _, terminated, truncated, info = env.step(actions)
        now = (terminated | truncated) & ~over
        won[now], scores[now] = info["won"][now], info["score"][now]
        over |= now
    return Games(won, scores)


def play_policy(policy: str, game: un.Game[Any, Any], deals: range) -> Games:
    """Play the deals with a player of `simulate`, inside the environment too."""
    episodes = [episode for episode in play_deals(game, policy, deals) if episode is not None]
    if len(episodes) < len(deals):
        raise SystemExit(f"among the deals {deals[0]} to {deals[-1]} are some without a move; choose others")
    return Games(
        np.array([episode.ended == "won" for episode in episodes]), np.array([episode.score for episode in episodes])
    )


def main() -> None:
    """Train and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=TASKS)
    parser.add_argument("--variant", help="instead of the one in TASKS")
    parser.add_argument("--steps", type=int, default=500_000, help="steps to learn from")
    parser.add_argument("--tables", type=int, default=128, help="tables that are played in parallel")
    parser.add_argument("--deals", type=int, default=1000, help="deals of the test")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    task = TASKS[arguments.game]
    game = un.game(arguments.game, arguments.variant or task.variant)
    begun = time.monotonic()
    model = train(game, arguments.steps, arguments.tables, arguments.seed)
    print(f"{game}: learnt from {model.num_timesteps:,} steps in {time.monotonic() - begun:.0f} s\n")
    deals = range(FIRST_HELD_OUT, FIRST_HELD_OUT + arguments.deals)
    limit = gym.spec(describe_environment(game)[0]).max_episode_steps
    print(f"deals {deals[0]} to {deals[-1]}, hidden information, at most {limit} moves:\n")
    print("| player | won | 95 % (Wilson) | mean score |\n|---|---|---|---|")
    for policy in task.players:
        print(f"| `{policy}` | {play_policy(policy, game, deals)} |", flush=True)
    print(f"| learnt, drawn | {play_learnt(model, game, deals, is_sure=False)} |")
    print(f"| learnt, likeliest | {play_learnt(model, game, deals, is_sure=True)} |", flush=True)


if __name__ == "__main__":
    main()
