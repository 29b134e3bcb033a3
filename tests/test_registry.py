"""Games and policies of the user's own: loaded from a file, or found by an entry point."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT
from unshuffle.registry import loaded_files
from unshuffle.simulate import policies

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

GOLF = ROOT / "examples" / "golf.py"


def test_loading_a_file_twice_is_loading_it_once() -> None:
    assert [game.id for game in un.load(GOLF)] == ["golf"] == [game.id for game in un.load(GOLF)]
    assert un.games()["golf"] == ("plain",)
    state = un.game("golf").deal(3)
    un.load(GOLF)
    assert un.game("golf").deal(3) == state


def test_two_games_cannot_have_one_id(tmp_path: Path) -> None:
    other = tmp_path / "golf.py"
    other.write_text(GOLF.read_text())
    un.load(GOLF)
    for _ in range(2):
        with pytest.raises(un.UsageError, match="the id 'golf' belongs to"):
            un.load(other)
    assert other not in loaded_files()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "brings neither a game"),
        ("import unshuffle as un\nun.game('golf')\n", "nor a policy"),
        ("raise RuntimeError('no')\n", "RuntimeError: no"),
        ("def\n", "SyntaxError"),
    ],
)
def test_a_file_that_brings_nothing_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(un.UsageError) as caught:
        un.load(path)
    assert words in str(caught.value)


POLICY = """
import unshuffle as un
from unshuffle.simulate import register_policy


class Third(un.Policy):
    name = "{name}"

    def player(self, luck):
        return lambda view, moves: moves[min(2, len(moves) - 1)]


register_policy("{name}", lambda game, text: Third(), game={game!r})
"""


def test_a_file_may_bring_policies_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine_alone.py"
    path.write_text(POLICY.format(name="third", game="golf"))
    un.load(GOLF)
    assert un.load(path) == [] == un.load(path)
    golf = un.game("golf")
    assert "third" in policies(golf)
    assert "third" not in policies(un.game("belle-lucie"))
    assert len(un.simulate(golf, "third", range(3)).scores) == 3
    # Who loads a file, and imports it too, has one policy and not two that quarrel.
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("mine_alone")


def test_two_files_cannot_bring_one_policy(tmp_path: Path) -> None:
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_text(POLICY.format(name="fourth", game="golf"))
    un.load(tmp_path / "one.py")
    with pytest.raises(un.UsageError, match=r"other\.py.*the policy 'fourth' belongs to unshuffle_loaded_one_"):
        un.load(tmp_path / "other.py")


def test_a_policy_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(POLICY.format(name="greedy", game=None))
    with pytest.raises(un.UsageError, match="the policy 'greedy' belongs to"):
        un.load(path)


def test_known_games_are_named_in_their_order() -> None:
    un.load(GOLF)
    with pytest.raises(un.UsageError) as caught:
        un.game("chess")
    names = str(caught.value).partition("(known: ")[2].partition(";")[0].split(", ")
    assert "golf" in names
    assert names == sorted(names)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(un.UsageError, match=r"no_such\.py"):
        un.load("no_such.py")


def test_a_game_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """As another package would bring it: a module and its metadata on the path."""
    (tmp_path / "golf_package.py").write_text(GOLF.read_text())
    info = tmp_path / "golf_package-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: golf-package\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[unshuffle.games]\ngolf = golf_package:Golf\n")
    run = subprocess.run(
        [sys.executable, "-m", "unshuffle", "solve", "golf", "--seed", "0", "--json", "--nodes", "100"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert '"game": "golf"' in run.stdout, run.stderr
    assert run.returncode in (0, 3)
