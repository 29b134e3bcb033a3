"""The benchmark of Agnes Sorel beside peers whose answers are known."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import unshuffle as un
from tests.benching import run, run_apart
from unshuffle import engine

pytestmark = pytest.mark.one_engine("runs the benchmarks")

# Both answer a deck by its base card as a quagnes deck file writes it: 1 won, 2 lost, 3 given up. The decks must be
# whole: 52 lines.
QUAGNES = """
class Agnes:
    def __init__(self, move_to_empty_pile="none", move_same_suit=False, split_same_suit_runs=True, face_up=False,
                 deck_filename=None, max_states=0):
        assert (move_to_empty_pile, move_same_suit, split_same_suit_runs, face_up) == ("none", True, True, True)
        assert max_states == 77
        self.cards = open(deck_filename).readlines()

    def play(self):
        assert len(set(self.cards)) == 52
        return {codes}[self.cards[0].strip()]
"""
QUAGNES_CPP = """#!{python}
import sys
options = sys.argv[1:]
count = int(options[options.index("-n") + 1])
print("rep_id,rc,n_states_checked")
if count:
    assert options == ["-m", "88", "-n", str(count), "-e", "none", "-f", "-u"], options
for number in range(1, count + 1):
    cards = open(f"decks/o{{(number - 1) // 1000}}/deck{{number}}.txt").readlines()
    assert len(set(cards)) == 52
    print(number, {codes}[cards[0].strip()], 5, sep=",")
"""
LOST, WON, GIVEN_UP = 2, 1, 3


def agnes_decks(count: int) -> list[tuple[un.Card, ...]]:
    return list(islice(un.game("agnes").decks(12345, "python"), count))


def quagnes_line(card: un.Card) -> str:
    return f"({card.rank - 1:2d}, {'CDSH'.index(str(card)[1])})"


def agnes_peers(folder: Path, codes: list[int]) -> tuple[str, ...]:
    """The options that name both peers, which give these answers to decks 1, 2, ..."""
    table = {quagnes_line(deck[0]): code for deck, code in zip(agnes_decks(len(codes)), codes, strict=True)}
    assert len(table) == len(codes)  # no two decks have the same base card
    (folder / "quagnes.py").write_text(QUAGNES.format(codes=table))
    (folder / "quagnes-0.8.4.dist-info").mkdir()
    (folder / "quagnes-0.8.4.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: quagnes\nVersion: 0.8.4\n"
    )
    program = folder / "quagnes-cpp"
    program.write_text(QUAGNES_CPP.format(python=sys.executable, codes=table))
    program.chmod(0o755)
    return "--python-peer", sys.executable, "--python-cap", "77", "--cpp", str(program), "--cpp-cap", "88"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules every Python that is started finds."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return tmp_path


def run_agnes(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_apart("--variant", "up-suit-none", *arguments, bench="agnes.py")


def test_agnes_is_measured_without_any_peer() -> None:
    done = run_agnes("--decks", 4, "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["comparisons"]
    assert (row["variant"], row["peer"], row["ratios"]) == ("up-suit-none", None, None)
    assert (row["ours"]["decks"], row["ours"]["undecided"]) == (4, 0)


def test_agnes_and_its_peers_play_the_same_decks(modules: Path) -> None:
    # Deck 3 is given up by the peers, and counts in the first ratio only.
    done = run_agnes("--decks", 4, "--turns", 2, *agnes_peers(modules, [LOST, LOST, GIVEN_UP, LOST]), "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["comparisons"]
    assert [row["peer"]["program"] for row in rows] == ["quagnes 0.8.4", "quagnes-cpp"]
    for row in rows:
        assert (row["peer"]["decks"], row["peer"]["undecided"], row["compared"]) == (4, 1, 3)
        assert row["ours"]["decks"] == 4
        assert row["differences"] == []
        assert row["ratios"] == pytest.approx(
            [row["peer"][name] / row["ours"][name] for name in ("seconds", "decided_seconds")]
        )


def test_a_verdict_of_agnes_that_differs_is_named(modules: Path) -> None:
    done = run_agnes("--decks", 3, *agnes_peers(modules, [LOST, WON, LOST]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("verdicts agree on 2 of 3 decks") == 2
    differ = re.findall(r"VERDICTS DIFFER: (\S+): (.*) says won, unshuffle \S+ \(\w+\) lost", done.stdout)
    assert differ == [("agnes/up-suit-none@python:12345#2", peer) for peer in ("quagnes 0.8.4", "quagnes-cpp")]


def test_agnes_is_not_compared_where_the_rules_differ(modules: Path) -> None:
    options = agnes_peers(modules, [LOST])
    done = run_apart("--variant", "up-color-none-nosplit", "--decks", 1, *options, bench="agnes.py")
    assert done.returncode == 2
    assert "another rule in colour games without splitting" in done.stderr


@pytest.mark.skipif(engine.native() is None, reason="the Python side leaves lines as they are, and is slow")
def test_lines_of_agnes_are_measured_before_and_after_shortening() -> None:
    done = run("--variant", "up-color-anyrun", "--decks", 4, "--json", bench="agnes_lines.py")
    assert done.returncode == 0, done.stderr
    (lengths,) = json.loads(done.stdout)["lengths"]
    found, tidied, shortened = (lengths[name] for name in ("found", "tidied", "shortened"))
    game = un.game("agnes", "up-color-anyrun")
    results = [un.solve(game.deal(12345, "python", number)) for number in range(1, 5)]
    assert tidied == [len(result.moves) for result in results if result.status is un.Status.SOLVED]
    assert len(found) == len(tidied) == len(shortened)
    assert sum(shortened) <= sum(tidied) < sum(found)
    table = run("--variant", "up-color-anyrun", "--decks", 4, bench="agnes_lines.py").stdout
    assert f"{sum(tidied) / sum(found):.1%}" in table


def test_a_peer_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = run_agnes("--decks", 1, "--cpp", tmp_path / "none")
    assert done.returncode == 2
    assert "there is no quagnes-cpp at" in done.stderr
    done = run_agnes("--decks", 1, "--python-peer", sys.executable)
    assert done.returncode == 1
    assert "No module named 'quagnes'" in done.stderr
    assert "ended with code 1" in done.stderr
