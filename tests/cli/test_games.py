"""`unshuffle games`, and games of one's own."""

from __future__ import annotations

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import program
from tests.laws import ROOT

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

GOLF = ROOT / "examples" / "golf.py"


def test_the_table_names_game_and_variants(run: Run) -> None:
    ended = run("games")
    assert ended.code == 0
    (row,) = (line for line in ended.out.splitlines() if line.startswith("belle-lucie "))
    assert "La Belle Lucie" in row
    assert "one-deal" in row


def test_a_game_with_very_many_variants_says_where_all_are(run: Run) -> None:
    [row] = [line for line in run("games").out.splitlines() if line.startswith("agnes")]
    assert "down-color-none, down-color-none-nosplit, down-color-any1 and 37 more (unshuffle games agnes)" in row
    shown = run("games", "agnes").out
    assert all(slug in shown for slug in un.games()["agnes"])


def test_one_game_shows_its_rules_with_defaults_and_words(run: Run) -> None:
    ended = run("games", "belle-lucie")
    assert ended.code == 0
    assert "one-deal" in ended.out
    assert any(
        line.split() == ["fan_size=3", "Cards", "per", "fan", "in", "a", "deal."] for line in ended.out.splitlines()
    )


def test_json(run: Run) -> None:
    listed = {found["game"]: found for found in run("games", "--json").objects}
    (one,) = run("games", "belle-lucie", "--json").objects
    rules = one.pop("rules")
    assert one == listed["belle-lucie"]
    assert set(one) == {"game", "name", "summary", "variants"}
    assert one["variants"]["one-deal"]["fan_size"] == "3"
    assert {"name": "fan_size", "default": "3", "doc": "Cards per fan in a deal."} in rules


def test_a_game_of_ones_own_works_before_and_after_the_command(run: Run) -> None:
    before = program("--load", GOLF, "deal", "golf", "--seed", "1")
    after = run("deal", "golf", "--seed", "1", "--load", GOLF)
    assert before.code == after.code == 0
    assert before.out == after.out
    assert before.out.startswith("# golf/")
    assert program("deal", "golf", "--seed", "1").code == 2
    assert "golf" in run("games", "--load", GOLF).out
