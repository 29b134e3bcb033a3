"""The benchmark of the environments runs, with a peer and without."""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT
from unshuffle.registry import games_with
from unshuffle.simulate import policy_of

pytestmark = pytest.mark.one_engine("checks what a benchmark prints")

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


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a program of `benches` in this process and return what it prints."""

    def run(name: str, *arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        runpy.run_path(str(ROOT / "benches" / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_baselines_stand_beside_the_solver(bench: Callable[..., str]) -> None:
    """A game of which some deals are decided and won in a blink."""
    out = bench("env_baselines.py", "--games", "aces-up", "--deals", 5, "--first", 27)
    game = un.game("aces-up")
    solved = sum(result.status == "solved" for result in un.solve_many(game, seeds=range(27, 32)))
    assert f"| solver | open | {solved} of 5 |" in out
    for policy in ("random", "weights", "planner:10"):
        games = un.simulate(game, policy, range(27, 32))
        assert re.search(rf"\| `{policy}` \| hidden \| {games.wins} of 5 \| .* \| {games.mean:.1f} \|", out)


def test_every_player_of_the_baselines_plays_its_variant() -> None:
    tables = runpy.run_path(str(ROOT / "benches" / "env_baselines.py"))["PLAYERS"]
    assert set(tables) == set(games_with("environment"))
    for name, variants in tables.items():
        for variant, players in variants.items():
            assert [policy_of(un.game(name, variant), player).name for player in players] == list(players)


SMALL = ("envs.py", "--envs", 8, "--seconds", 0.001, "--turns", 1)


def test_it_measures_the_peer_beside_us(bench: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "spider_solitare").mkdir()
    (tmp_path / "spider_solitare" / "__init__.py").write_text(PEER)
    found = json.loads(bench(*SMALL, "--peer", tmp_path, "--json"))
    assert found["peer_measured"] is True
    assert found["rates"]["peer, single"]["best"] == found["peer"] > 0
    assert all(rate["best"] >= rate["median"] > 0 for rate in found["rates"].values())


def test_without_a_peer_its_recorded_rate_stands(bench: Callable[..., str]) -> None:
    out = bench(*SMALL)
    assert "the peer: 890 steps a second, recorded elsewhere" in out
    assert "Spider-v0, batch, copy=False" in out
    for name in ("AcesUp", "Agnes", "BelleLucie", "Gaps", "Spider"):
        assert f"{name}-v0, batch  " in out
        assert f"{name}-v0, single  " in out
    assert "CartPole-v1, batch  " in out


def test_a_peer_that_does_not_run_is_told(bench: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=re.escape(f"the peer at {tmp_path} does not run")):
        bench(*SMALL, "--peer", tmp_path)
