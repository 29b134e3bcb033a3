"""The benchmark of Aces Up beside a peer whose scores are known."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import unshuffle as un
from tests.benching import BENCHES, needs_engine, run, run_apart
from tests.laws import IS_LONG
from tests.scripts import load_script

pytestmark = pytest.mark.one_engine("runs the benchmarks")

# Speaks as henrikenquist/aces-up does; its scores come from a table, so that one can be wrong. A deck that is not
# whole, or a list that nobody plays, is in no table.
ACES_UP_CARDS = """
import collections
Card = collections.namedtuple("Card", "rank suit")
Rank = Suit = int
"""
ACES_UP_GAME = """
class Pile:
    def __init__(self, size):
        self.size = size

    def length(self):
        return self.size


def {first_rule}(game):
    pass


class Game:
    def __init__(self, deck, rule_list):
        self.key = ",".join(map(str, rule_list)) + " " + " ".join(f"{{card.rank}}.{{card.suit}}" for card in deck)
        self.rule_funcs = [{first_rule}]

    def play(self):
        self.discard_pile = Pile({scores}[self.key])
"""
NUMBERED_AS_OURS, RENUMBERED = "move_ace_from_highest_rank_sum", "move_highest_has_higher_in_suit_below"
ACES_UP_LISTS = ("1,1000", "10,100,4,200", "2,1,10,100,1000")


def aces_up_peer(folder: Path, decks: int, first_rule: str = NUMBERED_AS_OURS) -> Path:
    """A checkout that has the right scores of these decks, and of no others."""
    game = un.game("aces-up")
    texts = []
    for seed in range(decks):
        # The last card is dealt first.
        cards = reversed(game.deck(un.Source(seed)))
        texts.append(
            " ".join(f"{14 if card.rank == 1 else card.rank}.{'CDHS'.index(str(card)[1]) + 1}" for card in cards)
        )
    scores = {
        f"{rules} {text}": record.score
        for rules in ACES_UP_LISTS
        for text, record in zip(texts, un.simulate(game, f"rules:{rules}", range(decks)), strict=True)
    }
    (folder / "cards.py").write_text(ACES_UP_CARDS)
    (folder / "game.py").write_text(ACES_UP_GAME.format(first_rule=first_rule, scores=scores))
    return folder


def run_aces_up(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run(*arguments, bench="aces_up.py")


def run_beside_peer(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_apart("--part", "peer", *arguments, bench="aces_up.py")


@needs_engine
def test_aces_up_plays_the_same_decks_as_its_peer(tmp_path: Path) -> None:
    peer = aces_up_peer(tmp_path, 12)
    done = run_beside_peer("--peer", peer, "--peer-decks", 12, "--games", 100, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["peer"]
    assert [row["rules"] for row in rows] == [*ACES_UP_LISTS]
    for row in rows:
        assert (row["decks"], row["agreeing"], row["first_difference"]) == (12, 12, None)
        assert row["ratio"] == pytest.approx(row["our_speed"] / row["peer_speed"])


@needs_engine
def test_a_score_of_aces_up_that_differs_is_named(tmp_path: Path) -> None:
    game = aces_up_peer(tmp_path, 3) / "game.py"
    right = un.simulate(un.game("aces-up"), "rules:1,1000", [2])[0].score
    game.write_text(game.read_text().replace("return self.size", "return 99 if self.size == RIGHT else self.size"))
    game.write_text(f"RIGHT = {right}\n{game.read_text()}")
    done = run_beside_peer("--peer", tmp_path, "--peer-decks", 3, "--games", 10)
    assert done.returncode == 0, done.stderr
    assert f"SCORES DIFFER: aces-up/standard@2: 99, ours {right}" in done.stdout


@needs_engine
def test_a_peer_with_other_numbers_for_the_rules_is_refused(tmp_path: Path) -> None:
    aces_up_peer(tmp_path, 1, RENUMBERED)
    done = run_beside_peer("--peer", tmp_path, "--peer-decks", 1)
    assert done.returncode == 1
    assert "versions 2.x number the rules otherwise" in done.stderr


@needs_engine
def test_aces_up_is_measured_in_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    variants = load_script(BENCHES / "aces_up.py").VARIANTS
    for name, solving in variants.items():
        monkeypatch.setitem(variants, name, replace(solving, nodes=solving.nodes and 10_000))
    done = run_aces_up("--part", "lists", "--part", "solver", "--games", 200, "--deals", 2)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^(engine|un\.simulate) +(\S+) +200 ", done.stdout, re.MULTILINE) == [
        (program, rules) for rules in ACES_UP_LISTS for program in ("engine", "un.simulate")
    ]
    solved = re.findall(r"^(\S+) +(decide|maximize) +2 ", done.stdout, re.MULTILINE)
    assert solved == [(name, how) for name in un.games()["aces-up"] for how in ("decide", "maximize")]


@needs_engine
@pytest.mark.skipif(not IS_LONG, reason="719 lists take some seconds on any number of decks")
def test_all_lists_of_aces_up_are_measured() -> None:
    done = run_aces_up("--part", "tournament", "--decks", 20)
    assert done.returncode == 0, done.stderr
    assert "tournament: 719 lists on 20 decks with statistics in" in done.stdout


def test_the_part_with_the_peer_needs_its_path(tmp_path: Path) -> None:
    for options in ((), ("--peer", tmp_path / "none")):
        done = run_aces_up("--part", "peer", *options)
        assert done.returncode == 2
        assert "needs --peer, the folder of a checkout" in done.stderr
