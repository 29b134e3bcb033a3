"""The tables in docs/winnable.md are those of the files that they speak of."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT
from unshuffle.engine import describe_engine

PAGE = (ROOT / "docs" / "winnable.md").read_text(encoding="utf-8")
needs_engine = pytest.mark.skipif(describe_engine() != "native", reason="the panel takes minutes in Python")


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benches" / "difficulty.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_cuts_of_the_page_are_those_of_the_file() -> None:
    printed = bench("table").stdout.splitlines()
    shown = re.findall(r"^\| `[^`]+/[^`]+` \| [\d.]+ \| [\d.]+ \| \d+ \| \d+, \d+, \d+ \|$", PAGE, re.MULTILINE)
    defaults = {f"`{un.game(name)}`" for name in un.games()}
    assert shown == [line for line in printed if line.split(" ")[1:2] and line.split(" ")[1] in defaults]
    assert len(shown) == 5


@needs_engine
@pytest.mark.both_engines
def test_the_check_finds_its_own_grades_again(tmp_path: Path) -> None:
    ended = bench("check", "aces-up", "--deals", "8", "--store", str(tmp_path / "s.sqlite"))
    assert ended.returncode == 0, ended.stderr
    first, *others = re.findall(r"^\| `aces-up/standard` \|.*$", ended.stdout, re.MULTILINE)
    assert first.startswith("| `aces-up/standard` | 8 | ")
    assert len(others) == 3


def test_the_budgets_of_the_page_are_those_of_the_panel() -> None:
    first, last = un.game("gaps").has.panel[0], un.game("gaps").has.panel[-1]
    budgets = (int(seat.policy.removeprefix("max-locked:")) for seat in (first, last))
    assert "from {:,} to {:,} positions".format(*budgets) in PAGE
