"""CONTRIBUTING.md's steps, followed: the code on the page becomes a game that keeps every law."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT, random_line
from unshuffle.solve import reference
from unshuffle.solve.limits import Limits


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^   ```python\n(.*?)^   ```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    path = tmp_path_factory.mktemp("mine") / "aces_out.py"
    path.write_text("\n\n".join(textwrap.dedent(block) for block in blocks), encoding="utf-8")
    return path


def unshuffle(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "unshuffle", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)


def test_the_new_game_works_in_every_command(page: Path) -> None:
    load = ("--load", str(page))
    assert "aces-out" in unshuffle("games", *load).stdout
    dealt = unshuffle("deal", "aces-out", "--seed", "7", *load)
    assert dealt.returncode == 0
    solved = unshuffle("solve", "aces-out", "--seeds", "0..9", "--json", *load)
    assert solved.returncode == 0, solved.stderr
    assert solved.stdout.count('"status": "unsolvable"') == 10
    assert unshuffle("verify", "aces-out", "--seed", "7", "--moves", "KC^", *load).returncode == 1


def test_the_new_game_keeps_the_laws(page: Path) -> None:
    [loaded] = un.load(page)
    for variant in ("plain", "wide"):
        game = un.game(loaded.id, variant)
        for seed in range(20):
            for state in random_line(game, seed):
                assert game.parse(str(state)) == state
                assert Counter(game.cards(state)) == Counter(game.pack)
                assert (state.outcome is None) == bool(state.legal_moves())
                for move in state.legal_moves():
                    assert game.parse_move(move.token) == move
            truth = reference.search(game.deal(seed), Limits(), maximize=True)
            result = un.solve(game.deal(seed), maximize=True)
            assert (result.status, result.score) == (truth.status, truth.score)
