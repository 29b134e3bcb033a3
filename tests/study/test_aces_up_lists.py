"""The page of all rule lists of Aces Up: made from the store alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT
from tests.store.making import finish_games
from tests.study.filled import OWNER, make_spec
from tests.study.programs import load_page
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.store import Store

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

PROGRAM = ROOT / "studies" / "aces_up_lists.py"
STUDY = "tournament-aces-up-standard"


write_page = load_page(PROGRAM)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def play(store: Store, policy: str, won: Sequence[bool], study: str = STUDY) -> None:
    """A run of a list that ended so; lost games have 30 points."""
    rules = write_rules(un.game("aces-up").rules)
    spec = make_spec(len(won), game="aces-up", variant="standard", rules=rules, method=f"policy:{policy}")
    scores = bytes(48 if each else 30 for each in won)
    finish_games(store, store.add_run(study, spec), 0, scores, won, OWNER)


def test_all_lists_are_ranked_in_groups(store: Store) -> None:
    strong, weak = [True] * 300 + [False] * 100, [False] * 400
    for policy, won in (("rules:1", weak), ("rules:10,200", strong), ("rules:20,200", strong), ("rules:3", weak)):
        play(store, policy, won)
    play(store, "rules:200@documented", [True] * 400)
    page = write_page(store)
    said = " ".join(page.split())
    assert "4 lists on the same 400 decks" in said
    assert "That makes 2 groups; lists in the first of them: 2, 2." in said
    assert "| `10,200` = `20,200` | 1 | 300 |" in said
    assert "Decks won by at least one list: 300 of 400" in said
    assert "All rule lists, `documented`" not in page, "its own tournament is not there"
    # As a program, over the page that is there.
    out = store.path.parent / "page.md"
    command = [sys.executable, str(PROGRAM), "--store", str(store.path), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert out.read_text(encoding="utf-8") == page


def test_without_a_tournament_there_is_no_page(store: Store) -> None:
    play(store, "rules:1", [True], study="other")
    with pytest.raises(UsageError, match="neither tournament"):
        write_page(store)
