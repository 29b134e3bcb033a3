"""`unshuffle simulate aces-up`: rule lists, dialects, one game in detail, the peer's notation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from unshuffle.games.aces_up.moves import ToSpace
from unshuffle.games.aces_up.strategy import RULES
from unshuffle.study.statistics import wilson

pytestmark = pytest.mark.both_engines

GAME = un.game("aces-up")
KEYS = ["game", "variant", "deal", "policy", "score", "won", "moves", "tableau_moves", "rule_counts"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def test_the_overview_has_rule_counts_for_won_games_and_for_all(run: Run) -> None:
    ended = run("simulate", "aces-up", "--policy", "rules:2,1,10,1000", "--seeds", "0..199")
    sim = un.simulate(GAME, "rules:2,1,10,1000", range(200))
    low, high = wilson(sim.wins, 200)
    assert (ended.code, ended.err) == (0, "")
    assert "Policy rules:2,1,10,1000 on the deals 0..199" in ended.out
    assert re.search(rf"Won: +{sim.wins}\n", ended.out)
    assert f"[{100 * low:.1f}, {100 * high:.1f}]" in ended.out
    assert f"Mean score: {sim.mean:.2f} [" in ended.out
    assert "of 48 cards discarded" in ended.out
    for score, deals in sim.score_counts.items():
        assert re.search(rf"^ +{score} +{deals} +\S+ % +#", ended.out, re.MULTILINE)
    assert sim.wins > 0
    for rule in (2, 1, 10, 1000):
        row = rf"^ *{rule} +{sim.won_rule_counts.get(rule, 0)} +{sim.rule_counts[rule]:,}  {RULES[rule].description()}$"
        assert re.search(row, ended.out, re.MULTILINE), row


def test_the_words_are_those_of_the_dialect_that_plays(run: Run) -> None:
    asked = ("simulate", "aces-up", "--policy", "rules:400", "--seeds", "0..9")
    plain, documented = run(*asked), run(*asked, "--dialect", "documented")
    assert "Policy rules:400 on" in plain.out
    assert RULES[400].description("classic") in plain.out
    assert "Policy rules:400@documented on" in documented.out
    assert RULES[400].description("documented") in documented.out
    for options in (("rules:400@documented",), ("rules:400@documented", "--dialect", "documented")):
        [one] = run("simulate", "aces-up", "--seed", "3", "--json", "--policy", *options).objects
        assert one["policy"] == "rules:400@documented"
    page = run("simulate", "aces-up", "--help").out
    for rule in RULES.values():
        assert f"{rule.number}  {rule.description('classic')}\n" in page
        assert (f"(documented: {rule.description('documented')})\n" in page) == rule.differs


def test_one_game_in_detail(run: Run) -> None:
    ended = run("simulate", "aces-up", "--policy", "rules:2,1,10,1000", "--seed", "3", "--detail")
    record = un.simulate(GAME, "rules:2,1,10,1000", [3])[0]
    states = un.replay(GAME.deal(3), record.moves).states
    rows = re.findall(
        r"^ *\d+  (?:\w+ )+ +(\S+)  +(rule \d+)? +((?:[A2-9TJQK][CDHS] |-- ){4}) ((?: *\d+){4})  (.*)$",
        ended.out,
        re.MULTILINE,
    )
    assert ended.code == 0
    assert [row[0] for row in rows] == [move.token for move in record.moves]
    used = [row[1] for row in rows if row[1]]
    assert {rule: used.count(f"rule {rule}") for rule in record.rule_counts} == record.rule_counts
    for move, before, after, (_, rule, tops, sizes, prose) in zip(record.moves, states, states[1:], rows, strict=False):
        assert tops.split() == [str(pile[-1]) if pile else "--" for pile in after.piles]
        assert sizes.split() == [str(len(pile)) for pile in after.piles]
        assert bool(rule) == isinstance(move, ToSpace)
        if isinstance(move, ToSpace):
            assert prose.startswith(f"{before.piles[move.source - 1][-1]} from pile {move.source}")
    for rule, times in record.rule_counts.items():
        assert f"Rule {rule}, {times} move{'s' * (times > 1)}: {RULES[rule].description()}" in ended.out


def test_json_has_moves_and_rule_counts(run: Run) -> None:
    ended = run("simulate", "aces-up", "--policy", "rules:1,1000", "--seeds", "0..4", "--json")
    assert [list(each) for each in ended.objects] == [KEYS] * 5
    for each, record in zip(ended.objects, un.simulate(GAME, "rules:1,1000", range(5)), strict=True):
        assert (each["score"], each["won"], each["tableau_moves"]) == (record.score, record.won, record.tableau_moves)
        assert {int(rule): times for rule, times in each["rule_counts"].items()} == record.rule_counts
        [line] = run(
            "verify", "aces-up", "--seed", each["deal"].partition("@")[2], "--moves", " ".join(each["moves"]), "--json"
        ).objects
        assert (line["valid"], line["score"]) == (True, each["score"])


def test_games_in_the_peers_notation(run: Run) -> None:
    ended = run("simulate", "aces-up", "--policy", "rules:1,1000", "--seeds", "0..2", "--format", "peer")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert len(lines) == 3
    for seed, line in enumerate(lines):
        record = un.simulate(GAME, "rules:1,1000", [seed])[0]
        steps = re.findall(r"\[([2-9TJQKA][cdhs]), (-?\d), (\d), (\d+)\]", line)
        assert record.tableau_moves is not None
        assert len(steps) == 52 + record.score + record.tableau_moves
        assert [int(step[3]) for step in steps] == list(range(1, len(steps) + 1))
        dealt = [step[0] for step in steps if step[1] == "-1"]
        assert [card.lower() for card in dealt] == [str(card).lower() for card in GAME.deal(seed).stock]
        assert sum(step[2] == "4" for step in steps) == record.score
    one = run("simulate", "aces-up", "--policy", "rules:1,1000", "--seed", "2", "--format", "peer")
    assert one.out.splitlines() == lines[2:]


def test_typed_decks(run: Run, tmp_path: Path) -> None:
    deck = "Deck: " + " ".join(map(str, GAME.deal(3).stock))
    (tmp_path / "deck.txt").write_text(deck)
    asked = ("--policy", "rules:1,1000", "--json")
    [typed] = run("simulate", "aces-up", "deck.txt", *asked).objects
    [piped] = run("simulate", "aces-up", *asked, stdin=deck).objects
    [dealt] = run("simulate", "aces-up", "--seed", "3", *asked).objects
    assert typed == piped == dealt | {"deal": None}


ASKED = ["simulate", "aces-up", "--seed", "1"]
USAGE = {
    "undefined rule": ([*ASKED, "--policy", "rules:1,30"], "rule 30 is not defined; rules are 1 2 3 4 5 10 20 100 200"),
    "undefined rules": ([*ASKED, "--policy", "rules:30,7"], "rules 30, 7 are not defined"),
    "no rules": ([*ASKED, "--policy", "rules:"], "a list of rules is empty"),
    "two dialects": (
        [*ASKED, "--policy", "rules:1@classic", "--dialect", "documented"],
        "names the dialect classic, and documented is asked for",
    ),
    "dialect without a list": ([*ASKED, "--policy", "random", "--dialect", "classic"], "has no list"),
    "unknown dialect": ([*ASKED, "--policy", "rules:1", "--dialect", "modern"], "--dialect"),
    "not guaranteeing": ([*ASKED, "--policy", "rules:1,2", "--variant", "must-fill"], "200, 300, 400 or 1000"),
    "two formats": ([*ASKED, "--policy", "rules:1", "--format", "peer", "--json"], "--format and --json exclude"),
    "notation and detail": ([*ASKED, "--policy", "rules:1", "--format", "peer", "--detail"], "--format and --detail"),
    "another game": (
        ["simulate", "belle-lucie", "--seed", "1", "--dialect", "classic"],
        "has no option --dialect; it belongs to aces-up",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage(run: Run, arguments: list[str], message: str) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
