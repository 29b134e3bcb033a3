"""`unshuffle episodes`: what is written is what is played."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
from pathlib import Path
from time import sleep
from typing import Any

import gymnasium as gym
import pyarrow.parquet as pq
import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.laws import ROOT
from unshuffle.envs import episode_file
from unshuffle.envs.playing import actions_of
from unshuffle.games.spider.envs import SpiderSteps

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

KEYS = ["game", "variant", "deals", "played_by", "information", "file"]
COUNTS = ["episodes", "steps", "won", "over", "unsolvable", "undecided", "too_long"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the file says of itself, and its rows."""
    file = pq.ParquetFile(path)
    return json.loads(file.metadata.metadata[b"unshuffle"]), file.read().to_pylist()


@pytest.mark.parametrize(
    "line",
    [
        "belle-lucie --variant classic --policy value --seeds 5..7",
        "belle-lucie --rule fan_size=4 --policy random:seed=2 --seeds 0..2 --obs flat --reward win --gamma 0.5",
        "gaps --policy greedy --seeds 0..1 --reward shaped --gamma 0.9",
        "aces-up --policy rules:2,1,10 --seeds 271..273 --obs flat",
        "agnes --policy greedy --seed python:12345#3 --reward shaped",
        "spider --variant 1-suit --policy random:60 --seed 1 --obs flat",
        "spider --policy greedy --rule deal_on_empty=no --seeds 3..4 --generator python",
    ],
)
def test_the_environment_tells_it_again(run: Run, line: str) -> None:
    """Law: the environment of the metadata, given the deals and actions, returns every number of the file."""
    ended = run("episodes", *line.split(), "--out", "a.parquet", "--json")
    assert (ended.code, ended.err) == (0, "")
    [summary] = ended.objects
    assert list(summary) == KEYS + COUNTS
    about, rows = read("a.parquet")
    assert [about[name] for name in COUNTS] == [summary[name] for name in COUNTS]
    assert (summary["information"], about["information"], about["version"]) == ("hidden", "hidden", un.__version__)
    assert [rows[0]["deal"], rows[-1]["deal"]] == summary["deals"] == about["deals"]
    assert [row["id"] for row in rows] == list(range(summary["episodes"]))
    env = gym.make(about["env_id"], max_episode_steps=about["max_episode_steps"], **about["kwargs"])
    for row in rows:
        observation, info = env.reset(options={"deal": row["deal"]})
        assert_seen(row, 0, observation, info)
        assert len(row["actions"]) == len(row["rewards"]) == len(row["returns"]) == row["total_steps"]
        for place, action in enumerate(row["actions"]):
            observation, reward, terminated, truncated, info = env.step(action)
            assert_seen(row, place + 1, observation, info)
            is_last = place + 1 == row["total_steps"]
            gave_up = is_last and row["ended"] == "gave up"
            assert (reward, terminated) == (row["rewards"][place], row["terminations"][place])
            assert row["truncations"][place] == (truncated or gave_up)
            assert is_last == (terminated or truncated or gave_up)
            later = 0.0 if is_last else row["returns"][place + 1]
            assert row["returns"][place] == reward + about["kwargs"]["gamma"] * later
        assert (info["won"], info["score"]) == (row["won"], row["score"])
        assert len(row["action_masks"]) == row["total_steps"] + 1


def assert_seen(row: dict[str, Any], place: int, observation: Any, info: dict[str, Any]) -> None:
    assert row["action_masks"][place] == info["action_mask"].tolist()
    parts = observation if isinstance(observation, dict) else {None: observation}
    for name, part in parts.items():
        column = "observations" if name is None else f"observations/{name}"
        assert row[column][place] == part.ravel().tolist()


def test_a_policy_plays_the_games_of_simulate(run: Run) -> None:
    """Also those in which a move takes two actions, and Gaps' players who think."""
    steps = SpiderSteps(1, True)
    run("episodes", "spider", "--variant", "1-suit", "--policy", "random:60", "--seed", "1", "--out", "a.parquet")
    [record] = un.simulate(steps.game, "random:60", [1])
    _, [row] = read("a.parquet")
    assert row["actions"] == list(actions_of(steps, steps.game.deal(1), record.moves))
    assert (row["total_steps"], row["ended"]) == (len(record.moves) + 2, "gave up")
    run("episodes", "gaps", "--policy", "max-locked:100", "--seeds", "0..2", "--out", "a.parquet")
    _, rows = read("a.parquet")
    games = un.simulate(un.game("gaps"), "max-locked:100", range(3))
    assert [(row["score"], row["total_steps"]) for row in rows] == [(game.score, len(game.moves)) for game in games]


def test_the_solver_leaves_out_what_it_does_not_win(run: Run) -> None:
    ended = run("episodes", "belle-lucie", "--solver", "--seeds", "3..7", "--out", "a.parquet", "--json")
    assert (ended.code, ended.err) == (0, "Left out: 4 deals (unsolvable)\n")
    [summary] = ended.objects
    assert [summary[name] for name in COUNTS if name != "steps"] == [1, 1, 0, 4, 0, 0]
    assert (summary["played_by"], summary["information"]) == ("solver", "open")
    about, [row] = read("a.parquet")
    assert (row["deal"], row["ended"], row["won"], row["score"]) == ("belle-lucie/one-deal@3", "won", True, 52)
    assert about["limits"] == {"nodes": None, "seconds": 60.0, "memory": 1 << 30}
    ended = run(
        "episodes", "belle-lucie", "--solver", "--seeds", "3..7", "--nodes", "1", "--out", "a.parquet", "--json"
    )
    [summary] = ended.objects
    assert ended.code == 0
    assert "(undecided: a limit was hit)" in ended.err
    assert summary["undecided"] > 0
    assert summary["episodes"] + summary["unsolvable"] + summary["undecided"] == 5
    assert len(read("a.parquet")[1]) == summary["episodes"]


def test_the_solver_leaves_out_a_win_that_is_longer_than_an_episode(run: Run) -> None:
    """What was wrong: a win that was cut off at the limit of steps was kept, as an episode that is not won."""
    line = ["episodes", "belle-lucie", "--solver", "--seed", "3", "--out", "a.parquet"]
    ended = run(*line, "--max-steps", "5")
    told = "Left out: 1 deal (won in more than 5 steps, the limit of an episode: see --max-steps)\n"
    assert (ended.code, ended.err) == (0, told)
    assert "Episodes: 0, 0 won, 0 steps" in ended.out
    about, rows = read("a.parquet")
    assert (about["too_long"], rows) == (1, [])
    [summary] = run(*line, "--max-steps", "0", "--json").objects
    assert (summary["episodes"], summary["won"], summary["too_long"]) == (1, 1, 0)


def test_deals_without_a_move_have_no_episode(run: Run) -> None:
    ended = run(
        "episodes",
        "belle-lucie",
        "--variant",
        "shamrocks",
        "--policy",
        "random",
        "--seeds",
        "280..282",
        "--out",
        "a.pq",
    )
    assert (ended.code, ended.err) == (0, "Left out: 1 deal (over before the first move)\n")
    assert [row["deal"].partition("@")[2] for row in read("a.pq")[1]] == ["280", "282"]


def test_the_limit_of_steps(run: Run) -> None:
    line = ["episodes", "gaps", "--policy", "greedy", "--seeds", "0..1", "--out", "a.parquet", "--max-steps"]
    run(*line, "5")
    about, rows = read("a.parquet")
    assert about["max_episode_steps"] == 5
    for row in rows:
        assert (row["ended"], row["total_steps"], row["won"]) == ("limit", 5, False)
        assert row["truncations"] == [False] * 4 + [True]
        assert row["terminations"] == [False] * 5
    run(*line, "0")
    assert read("a.parquet")[0]["max_episode_steps"] == -1


def test_batches_make_no_difference(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["episodes", "aces-up", "--policy", "random", "--seeds", "0..19", "--out"]
    run(*line, "whole.parquet")
    monkeypatch.setattr(episode_file, "_BATCH", 5_000)
    run(*line, "parts.parquet")
    assert pq.ParquetFile("whole.parquet").num_row_groups == 1
    assert pq.ParquetFile("parts.parquet").num_row_groups > 3
    assert read("whole.parquet") == read("parts.parquet")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("belle-lucie --seeds 0..1", "--policy P or --solver"),
        ("belle-lucie --policy greedy --solver --seeds 0..1", "--policy P or --solver"),
        ("belle-lucie --policy greedy", "--seeds A..B"),
        ("belle-lucie --policy greedy --seeds 5..1", "is empty"),
        ("belle-lucie --policy gredy --seeds 0..1", "did you mean 'greedy'?"),
        ("belle-lucie --policy greedy --seeds 0..1 --nodes 5", "limits of --solver"),
        ("belle-lucie --policy greedy --seeds 0..1 --gamma 2", "gamma=2.0 is not allowed"),
        ("belle-lucie --policy greedy --seeds 0..1 --obs picture", "--obs"),
        ("belle-lucie --policy greedy --seeds 0..1 --reward gold", "--reward"),
        ("belle-lucie --policy greedy --seeds 0..1 --out none/a.parquet", "cannot write 'none/a.parquet'"),
        ("belle-lucie --policy greedy --seeds 0..1 --out .", "it is there, and is not a file"),
        ("spider --policy greedy --rule piles=4 --rule table=12 --seed 1", "no environment plays spider"),
        ("gaps --policy fresh:100 --seeds 0..1", "early_redeal=no"),
    ],
)
def test_wrong_usage_writes_nothing(run: Run, tmp_path: Path, line: str, words: str) -> None:
    out = [] if "--out" in line else ["--out", "a.parquet"]
    ended = run("episodes", *shlex.split(line), *out)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_installed_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    line = ["episodes", "gaps", "--policy", "random", "--seeds", "0..1", "--out", "a.parquet"]
    for name in [name for name in sys.modules if name.startswith("unshuffle.envs")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    ended = run(*line)
    assert ended.code == 2
    assert "pip install 'unshuffle[rl]'" in ended.err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ended = run(*line)
    assert ended.code == 2
    assert "pip install 'unshuffle[study]'" in ended.err


def test_ctrl_c_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("before")
    line = ["episodes", "aces-up", "--policy", "random", "--seeds", "0..9999999", "--out", "a.parquet"]
    with subprocess.Popen(
        [*PROGRAM, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        while len(list(tmp_path.iterdir())) < 2:
            assert process.poll() is None
            sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
    assert (tmp_path / "a.parquet").read_text() == "before"


def test_the_page_names_every_column(run: Run) -> None:
    page = (ROOT / "docs" / "envs" / "episodes.md").read_text("utf-8")
    assert run("episodes", "belle-lucie", "--solver", "--seed", "3", "--out", "win.parquet").code == 0
    _, [row] = read("win.parquet")
    assert {name for name in row if "/" not in name} <= set(re.findall(r"`(\w+)`", page))
