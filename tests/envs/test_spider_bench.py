"""The benchmark of the environments runs, with a peer and without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.laws import ROOT

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


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benches" / "spider_envs.py"), "--envs", "8", "--seconds", "0.01"]
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


def test_a_peer_that_does_not_run_is_told(tmp_path: Path) -> None:
    done = run("--peer", tmp_path)
    assert done.returncode == 1
    assert f"the peer at {tmp_path} does not run" in done.stderr
