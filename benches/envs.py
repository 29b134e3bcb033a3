"""The environments: `python benches/envs.py [--peer PATH] [--envs N] [--seconds S] [--turns N] [--json]`.

Measures steps per second of one core, by processor time, since machines are shared: random legal play of every game of
whole moves, in a batch and alone, and of `unshuffle/SpiderSolitare-v0`; observations and masks are returned as new
arrays, and resets count. Compares with CartPole of Gymnasium, and with the environment of Spider that people use today:
a checkout at `--peer`, in a process of its own, or its recorded rate. All take turns; prints the best turn and the
median.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import gymnasium as gym
import numpy as np

import unshuffle as un
import unshuffle.envs  # registers the environments
from unshuffle.engine import describe_engine
from unshuffle.registry import games_with

FAMILY = [un.game(game).has.environment_id.removeprefix("unshuffle/") for game in games_with("environment")]

SPIDER, CARDS = "Spider-v0, batch", "SpiderSolitare-v0, single"
GOALS = {
    **{f"{name}, batch": 1_000_000 for name in FAMILY},
    **{f"{name}, single": 100_000 for name in FAMILY},
    SPIDER: 2_000_000,
    CARDS: 10_000,
}
PEER_RECORDED = 890
"""Steps per second of processor time of the environment that people use today, on another machine."""

Turn = Callable[[float], float]
"""Plays for this many seconds of processor time, and returns the steps per second."""


def turn(step: Callable[[], int]) -> Turn:
    """Return a turn that calls `step`, which returns how many steps it has made."""

    def play(seconds: float) -> float:
        begun, steps = process_time(), 0
        while (spent := process_time() - begun) < seconds:
            # Reading the clock costs as much as a small step.
            steps += sum(step() for _ in range(50))
        return steps / spent

    return play


def batch(name: str, envs: int, **arguments: Any) -> Turn:
    """Return a turn of random legal play of many tables."""
    env: Any = gym.make_vec(f"unshuffle/{name}", num_envs=envs, **arguments)
    env.reset(seed=1)

    def step() -> int:
        env.step(env.sample_actions())
        return envs

    return turn(step)


def single(name: str, legal: bool) -> Turn:
    """Return a turn of random play of one table; with `legal`, of legal actions by the environment's mask."""
    env, rng = gym.make(name), np.random.default_rng(1)
    last: dict[str, Any] = env.reset(seed=1)[1]
    # Drawn in advance: only the environment's own time counts.
    draws = rng.random(4096).tolist()
    count = 0

    def step() -> int:
        nonlocal last, count
        count += 1
        if legal:
            # As bools, among which `nonzero` takes a third of the time: it is not part of the environment.
            actions = last["action_mask"].view(np.bool_).nonzero()[0]
            action = int(actions[int(draws[count % 4096] * len(actions))])
        else:
            action = int(draws[count % 4096] * env.action_space.n)  # type: ignore[attr-defined] # a Discrete
        _, _, terminated, truncated, last = env.step(action)
        if terminated or truncated:
            last = env.reset()[1]
        return 1

    return turn(step)


def cartpole(envs: int) -> Turn:
    """Return a turn of Gymnasium's own batch of CartPole."""
    env, rng = gym.make_vec("CartPole-v1", num_envs=envs), np.random.default_rng(1)
    env.reset(seed=1)
    actions = rng.integers(2, size=(64, envs))
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        env.step(actions[count % 64])
        return envs

    return turn(step)


def peer(path: Path) -> Turn:
    """Return a turn of the environment that people use today, in a process of its own."""

    def play(seconds: float) -> float:
        command = [sys.executable, __file__, "--as-peer", str(path), "--seconds", str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"the peer at {path} does not run:\n{done.stderr.strip()}")
        # The rate is the last word of its output.
        return float(done.stdout.split()[-1])

    return play


def play_as_peer(path: Path, seconds: float) -> None:
    """Play the peer's environment in this process and print its rate."""
    name = "spider_solitare/SpiderSolitare-v0"
    gym.registry.pop(name, None)
    sys.path.insert(0, str(path))
    __import__("spider_solitare")
    print(f"\n{single(name, legal=False)(seconds)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, help="a checkout that has the package spider_solitare")
    parser.add_argument("--envs", type=int, default=1024, help="tables of a batch")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of a turn")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--as-peer", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.as_peer:
        play_as_peer(arguments.as_peer, arguments.seconds)
        return
    programs = {}
    for name in FAMILY:
        programs[f"{name}, batch"] = batch(name, arguments.envs)
        programs[f"{name}, single"] = single(f"unshuffle/{name}", legal=True)
    programs |= {
        f"{SPIDER}, copy=False": batch("Spider-v0", arguments.envs, copy=False),
        f"{SPIDER}, one suit, flat": batch("Spider-v0", arguments.envs, num_suits=1, obs="flat"),
        CARDS: single("unshuffle/SpiderSolitare-v0", legal=True),
        "CartPole-v1, batch": cartpole(arguments.envs),
        "CartPole-v1, single": single("CartPole-v1", legal=False),
    }
    if arguments.peer:
        programs["peer, single"] = peer(arguments.peer)
    rates: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(arguments.turns):
        for name, play in programs.items():
            rates[name].append(play(arguments.seconds))
    peers = max(rates["peer, single"]) if arguments.peer else float(PEER_RECORDED)
    if arguments.json:
        best = {name: {"best": max(found), "median": median(found)} for name, found in rates.items()}
        print(json.dumps({"envs": arguments.envs, "peer": peers, "peer_measured": bool(arguments.peer), "rates": best}))
        return
    print(
        f"steps a second of processor time; {arguments.envs} tables in a batch, one thread; engine: {describe_engine()}"
    )
    print(f"{'environment':<36}{'best':>12}{'median':>12}{'goal':>12}{'/ peer':>10}")
    for name, found in rates.items():
        goal = f"{GOALS[name]:,}" if name in GOALS else ""
        print(f"{name:<36}{max(found):>12,.0f}{median(found):>12,.0f}{goal:>12}{max(found) / peers:>10,.0f}")
    print(f"the peer: {peers:,.0f} steps a second, {'in the same run' if arguments.peer else 'recorded elsewhere'}")


if __name__ == "__main__":
    main()
