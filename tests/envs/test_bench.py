"""The benchmark of the environments runs, with a peer and without."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT
from unshuffle.registry import games_with
from unshuffle.simulate import policy_of

pytestmark = pytest.mark.one_engine("checks the wrappers, not the tables")

# As the peer does: it registers its id when it is imported, and prints.
PEER = """
import gymnasium as gym


class Env(gym.Env):
    action_space, observation_space = gym.spaces.Discrete(21), gym.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        print("a table")
        return 0, {}

    def step(self, action):
        return 0, 0.0, True, False, {}


gym.register("spider_solitare/SpiderSolitare-v0", entry_point=Env, disable_env_checker=True)
"""


def test_baselines_stand_beside_the_solver() -> None:
    """A game of which some deals are decided and won in a blink."""
    command = [sys.executable, str(ROOT / "benches" / "env_baselines.py"), "--games", "aces-up", "--deals", "5"]
    done = subprocess.run([*command, "--first", "27"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    game = un.game("aces-up")
    solved = sum(result.status == "solved" for result in un.solve_many(game, seeds=range(27, 32)))
    assert f"| solver | open | {solved} of 5 |" in done.stdout
    for policy in ("random", "weights", "planner:10"):
        games = un.simulate(game, policy, range(27, 32))
        assert re.search(rf"\| `{policy}` \| hidden \| {games.wins} of 5 \| .* \| {games.mean:.1f} \|", done.stdout)


def test_every_player_of_the_baselines_plays_its_variant() -> None:
    tables = runpy.run_path(str(ROOT / "benches" / "env_baselines.py"))["PLAYERS"]
    assert set(tables) == set(games_with("environment"))
    for name, variants in tables.items():
        for variant, players in variants.items():
            assert [policy_of(un.game(name, variant), player).name for player in players] == list(players)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benches" / "envs.py"), "--envs", "8", "--seconds", "0.01"]
    return subprocess.run([*command, "--turns", "1", *map(str, arguments)], capture_output=True, text=True, check=False)


def test_it_measures_the_peer_beside_us(tmp_path: Path) -> None:
    (tmp_path / "spider_solitare").mkdir()
    (tmp_path / "spider_solitare" / "__init__.py").write_text(PEER)
    done = run("--peer", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["peer_measured"] is True
    assert found["rates"]["peer, single"]["best"] == found["peer"] > 0
    assert all(rate["best"] >= rate["median"] > 0 for rate in found["rates"].values())


def test_without_a_peer_its_recorded_rate_stands() -> None:
    done = run()
    assert done.returncode == 0, done.stderr
    assert "the peer: 890 steps a second, recorded elsewhere" in done.stdout
    assert "Spider-v0, batch, copy=False" in done.stdout
    for name in ("AcesUp", "Agnes", "BelleLucie", "Gaps", "Spider"):
        assert f"{name}-v0, batch  " in done.stdout
        assert f"{name}-v0, single  " in done.stdout
    assert "CartPole-v1, batch  " in done.stdout


def test_a_peer_that_does_not_run_is_told(tmp_path: Path) -> None:
    done = run("--peer", tmp_path)
    assert done.returncode == 1
    assert f"the peer at {tmp_path} does not run" in done.stderr
