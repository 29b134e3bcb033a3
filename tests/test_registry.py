"""Games of the user's own: loaded from a file, or found by an entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT

GOLF = ROOT / "examples" / "golf.py"


def test_loading_a_file_twice_is_loading_it_once() -> None:
    assert [cls.id for cls in un.load(GOLF)] == ["golf"] == [cls.id for cls in un.load(GOLF)]
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "defines no game"),
        ("raise RuntimeError('no')\n", "RuntimeError: no"),
        ("def\n", "SyntaxError"),
    ],
)
def test_a_file_that_defines_no_game_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(un.UsageError) as caught:
        un.load(path)
    assert words in str(caught.value)


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
