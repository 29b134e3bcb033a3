"""`unshuffle tournament aces-up`: lists of rules, their prefixes and orders, on seeds, stored decks and typed ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.laws import IS_LONG
from unshuffle.cards import format_cards
from unshuffle.cli.progress import ProgressLine
from unshuffle.deals import Source
from unshuffle.games.aces_up.peer import write_deck
from unshuffle.games.aces_up.strategy import expand, parse_list, reduced_lists
from unshuffle.simulate.stored import StoredTournament
from unshuffle.store import Store
from unshuffle.study.statistics import wilson

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

GAME = un.game("aces-up")
FIVE = un.game("aces-up", "five-piles")
"""Lists of aces alone win some of its deals, all others nearly every one."""
TOURNAMENT = ("tournament", "aces-up", "--variant", "five-piles")
KEYS = [
    "game", "variant", "policy", "entered", "information", "n", "wins", "p", "p_low", "p_high", "odds", "mean",
    "mean_low", "mean_high", "scores_from", "scores", "rule_counts", "rule_counts_won", "group", "seconds",
]  # fmt: skip


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for the store, and a terminal of a known width."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UNSHUFFLE_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def test_an_object_for_each_list(run: Run) -> None:
    ended = run(*TOURNAMENT, "--rules", "1,20,5", "--rules", "2", "--policy", "greedy", "--seeds", "0..39", "--json")
    assert ended.code == 0
    assert ended.err.startswith("2 lists entered, 2 after reduction and 1 other policy, on 40 decks: 120 games; about")
    assert [list(each) for each in ended.objects] == [KEYS] * 3
    # A list is named as it is played: what can never move is left out.
    for each, policy in zip(ended.objects, ("rules:1,20", "rules:2", "greedy"), strict=True):
        sim = un.simulate(FIVE, policy, range(40))
        assert (each["game"], each["variant"], each["policy"]) == ("aces-up", "five-piles", policy)
        assert (each["entered"], each["n"], each["wins"], each["information"]) == (1, 40, sim.wins, "hidden")
        assert (each["p"], each["p_low"], each["p_high"]) == pytest.approx((sim.wins / 40, *wilson(sim.wins, 40)))
        assert each["odds"] == (pytest.approx(40 / sim.wins) if sim.wins else None)
        assert each["mean"] == pytest.approx(sim.mean)
        assert len(each["scores"]) == 49
        assert {points: deals for points, deals in enumerate(each["scores"]) if deals} == sim.score_counts
        assert each["rule_counts"] == {str(rule): times for rule, times in sim.rule_counts.items()}
        assert each["rule_counts_won"] == {str(rule): times for rule, times in sim.won_rule_counts.items()}
        assert each["seconds"] > 0
    # One wins every deal and the others hardly any: they are told apart.
    assert [each["wins"] for each in ended.objects][2] == 40
    assert [each["group"] for each in ended.objects][2] == 1
    assert all(each["group"] > 1 for each in ended.objects[:2])


@pytest.mark.parametrize(
    ("lists", "options", "entered"),
    [
        (["1,20,300"], (), 1),
        (["1,20,300"], ("--prefixes",), 3),
        (["1,20,300"], ("--permute",), 6),
        (["1,20,300"], ("--prefixes", "--permute"), 9),
        (["1,2,3,4,5,10,20,100"], ("--prefixes", "--permute"), 46_233),
        (["1,2,3,4,5,10,20,100,200,300"], ("--permute",), 3_628_800),
        (["1,20", "20,1", "300"], ("--permute",), 3),
    ],
)
def test_how_many_lists_are_entered(run: Run, lists: list[str], options: tuple[str, ...], entered: int) -> None:
    given = [word for each in lists for word in ("--rules", each)]
    ended = run("tournament", "aces-up", *given, *options, "--seeds", "0..0", "--json")
    expected = expand(map(parse_list, lists), "--prefixes" in options, "--permute" in options)
    assert {each["policy"]: each["entered"] for each in ended.objects} == {
        f"rules:{each.text}": times for each, times in expected.items()
    }
    assert sum(each["entered"] for each in ended.objects) == entered
    said = f"{entered:,} list{'s' if entered > 1 else ''} entered, {len(expected)} after reduction, on 1 deck:"
    assert ended.err.startswith(said)
    with Store.open(None, create=False) as store:
        [batch] = store.batches("tournament-aces-up-standard")
        assert sum(entry.lists for entry, _ in store.entries(batch)) == entered
        assert batch.settings["rules"] == lists


@pytest.mark.parametrize(
    ("dialect", "lists"),
    [
        pytest.param("classic", 719, marks=pytest.mark.skipif(not IS_LONG, reason="slow on the Python side")),
        ("documented", 394),
    ],
)
def test_every_list(run: Run, dialect: str, lists: int) -> None:
    ended = run("tournament", "aces-up", "--all", "--dialect", dialect, "--seeds", "3..3", "--json")
    assert [each["policy"] for each in ended.objects] == [f"rules:{each.text}" for each in reduced_lists(dialect)]
    assert len(ended.objects) == lists
    scores = {each["policy"]: each["mean"] for each in ended.objects}
    for policy in list(scores)[::60]:
        assert scores[policy] == un.simulate(GAME, policy, range(3, 4)).mean


def test_every_list_that_can_play(run: Run) -> None:
    must = ("tournament", "aces-up", "--variant", "must-fill", "--dialect", "documented")
    ended = run(*must, "--all", "--seeds", "0..0", "--json")
    assert len(ended.objects) == 316
    assert "316 lists entered, 316 after reduction" in ended.err


def test_the_page_for_people(run: Run) -> None:
    lists = ("--rules", "10,3,1", "--rules", "20,3", "--rules", "1", "--rules", "2", "--rules", "5")
    ended = run(*TOURNAMENT, *lists, "--policy", "rules:1,1000", "--seeds", "0..59")
    assert ended.code == 0
    out = ended.out
    assert "5 lists entered, 5 after reduction and 1 other policy, on the same deals, 0..59" in out
    assert "aces-up/five-piles, generator unshuffle (hidden: what a player sees)" in out
    assert re.search(r"^10,3,1 +10,3$", out, re.MULTILINE)
    # 10 and 20 at the head of a list choose alike here.
    assert re.search(r"^ +\d  rules:10,3 = rules:20,3 +2 +60 ", out, re.MULTILINE)
    assert "play alike on these decks" in out
    won = un.simulate(FIVE, "rules:1", range(60)).wins
    assert re.search(rf"^ +\d  rules:1  +1 +60 +{won} ", out, re.MULTILINE)
    assert re.search(r"^ +1  rules:1,1000  +1 +60 +60  100\.0 %", out, re.MULTILINE)
    assert "Group 1: rules:1,1000 alone." in out
    assert "not told apart from it by these 60 decks." in out
    assert "Best score: 48 of 48, by rules:10,3 on aces-up/five-piles@" in out
    assert "Decks won by at least one list: 60 of 60, 100.0 % [94.0, 100.0]" in out
    table = dict(re.findall(r"^(no list|\d+ lists?) +(\d+)$", out, re.MULTILINE))
    wins = [un.simulate(FIVE, f"rules:{each}", range(60)).won for each in ("10,3", "20,3", "1", "2", "5", "1,1000")]
    winners = [sum(bool(won[deal]) for won in wins) for deal in range(60)]
    expected = {1: "1 list"} | {count: f"{count} lists" for count in range(2, 7)}
    assert table == {"no list": "0"} | {expected[count]: str(winners.count(count)) for count in sorted(set(winners))}
    sim = un.simulate(FIVE, "rules:1", range(60))
    assert re.search(rf"^rules:1 +1: {sim.rule_counts[1]} \({sim.won_rule_counts[1]}\)$", out, re.MULTILINE)
    assert "Scores of rules:1,1000:" in out


def test_lists_that_nobody_wins_with(run: Run) -> None:
    out = run("tournament", "aces-up", "--rules", "1", "--rules", "2", "--seeds", "0..19").out
    assert "infinite" not in out
    assert "inf" not in out.split()
    assert "0.0 % [0.0, 16.1]  at best 1 in 6.21" in out
    best = max((un.simulate(GAME, f"rules:{each}", range(20)).scores.max(), each) for each in (1, 2))
    assert re.search(rf"Best score: {best[0]} of 48, by rules:", out)
    assert "Decks won by at least one list: 0 of 20" in out


def test_results_are_reused(run: Run) -> None:
    arguments = (*TOURNAMENT, "--rules", "1,20", "--rules", "2")
    first = run(*arguments, "--seeds", "0..29")
    again = run(*arguments, "--seeds", "0..29")
    assert again.out.splitlines()[:-1] == first.out.splitlines()[:-1]
    assert "all of them were in the store" in again.out
    assert "60 of them in the store already; none is missing" in again.err
    wider = run(*arguments, "--permute", "--seeds", "0..39")
    assert "120 games, 60 of them in the store already" in wider.err


# Decks.


def decks(seeds: range) -> list[Any]:
    return [GAME.deck(Source(seed)) for seed in seeds]


@pytest.mark.parametrize("write", [format_cards, lambda deck: f"Deck: {format_cards(deck)}", write_deck])
def test_decks_of_a_file(run: Run, tmp_path: Path, write: Any) -> None:
    lines = ["# decks", *map(write, decks(range(5))), "", write(decks(range(1))[0])]
    (tmp_path / "decks.txt").write_text("\n".join(lines))
    arguments = ("--rules", "1,1000", "--rules", "10,100,4,200", "--json")
    typed = run("tournament", "aces-up", *arguments, "--deck-file", "decks.txt")
    seeded = run("tournament", "aces-up", *arguments, "--seeds", "0..4", "--name", "seeds")
    assert typed.code == 0
    figures = ["n", "wins", "scores", "rule_counts", "group"]
    assert [[each[key] for key in figures] for each in typed.objects] == [
        [each[key] for key in figures] for each in seeded.objects
    ]
    # They are in the store now, by their ids.
    with Store.open(None, create=False) as store:
        ids = store.deck_ids("aces-up")
    assert len(ids) == 5
    some = run("tournament", "aces-up", *arguments, "--decks", f"{ids[1]},{ids[3]}..{ids[4]}")
    alone = [un.simulate(GAME, f"rules:{each}", [1, 3, 4]) for each in ("1,1000", "10,100,4,200")]
    assert [each["n"] for each in some.objects] == [3, 3]
    assert [each["mean"] for each in some.objects] == pytest.approx([sim.mean for sim in alone])
    assert "6 of them in the store already; none is missing" in some.err


def test_a_deck_that_is_not_in_the_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "decks.txt").write_text("\n".join(map(format_cards, decks(range(2)))))
    assert run("tournament", "aces-up", "--rules", "1", "--deck-file", "decks.txt").code == 0
    ended = run("tournament", "aces-up", "--rules", "1", "--decks", "1,2,5,77")
    assert (ended.code, ended.out) == (2, "")
    assert "has no deck 5, 77 of aces-up" in ended.err


def test_faults_of_a_file_of_decks_are_told_with_their_places(run: Run, tmp_path: Path) -> None:
    good = format_cards(decks(range(1))[0])
    double = good.replace(good[-2:], good[:2])
    peer = write_deck(decks(range(1))[0])
    lines = [good, double, good.replace(good[:2], "1X"), peer.replace(peer[:3], ""), f"Stock: {good}"]
    (tmp_path / "decks.txt").write_text("\n".join(lines))
    ended = run("tournament", "aces-up", "--rules", "1", "--deck-file", "decks.txt")
    assert (ended.code, ended.out) == (255, "")
    for line in ("line 2, column 154", "first at line 2, column 1", "line 3, column 1", "line 4", "line 5"):
        assert line in ended.err
    assert "line 1" not in ended.err
    assert "decks.txt is not a file of decks" in ended.err
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert run("tournament", "aces-up", "--rules", "1", "--deck-file", "empty.txt").code == 255
    assert run("tournament", "aces-up", "--rules", "1", "--deck-file", "nowhere.txt").code == 255


# Before a long run, and when it is cut short.


def test_a_long_run_is_asked_about(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []
    seconds = 125.0
    monkeypatch.setattr(StoredTournament, "estimate", lambda self, threads: seconds)
    monkeypatch.setattr("unshuffle.cli.taking_part.has_person", lambda: True)

    def say_no(text: str, **options: object) -> bool:
        asked.append(text)
        return False

    monkeypatch.setattr("typer.confirm", say_no)
    arguments = ("tournament", "aces-up", "--rules", "1", "--seeds", "0..4")
    ended = run(*arguments)
    assert (ended.code, ended.out, len(asked)) == (0, "", 1)
    assert "5 games; about 2 minutes" in ended.err
    assert "Nothing was played" in ended.err
    with Store.open(None, create=False) as store:
        assert store.studies() == []
    assert "rules:1" in run(*arguments, "--yes").out
    seconds = 60.0
    assert "rules:1" in run(*arguments, "--name", "short").out
    seconds = 125.0
    monkeypatch.setattr("unshuffle.cli.taking_part.has_person", lambda: False)
    assert "rules:1" in run(*arguments, "--name", "nobody").out
    assert len(asked) == 1


def test_ctrl_c_prints_what_was_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def deals(self: ProgressLine, done: int, of: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "deals", deals)
    ended = run(*TOURNAMENT, "--rules", "1", "--rules", "2", "--seeds", "0..999", "--json")
    assert ended.code == 130
    n = ended.objects[0]["n"]
    assert 0 < n < 1000
    for each in ended.objects:
        sim = un.simulate(FIVE, each["policy"], range(n))
        assert (each["n"], each["wins"], each["mean"]) == (n, sim.wins, pytest.approx(sim.mean))
    with Store.open(None, create=False) as store:
        [batch] = store.batches("tournament-aces-up-five-piles")
    assert (batch.state, batch.games) == ("interrupted", 2 * n)


def test_a_race_prints_no_p_values(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unshuffle.study.race.FIRST_BLOCK", 40)
    arguments = (*TOURNAMENT, "--rules", "1", "--rules", "1,1000", "--rules", "4,200", "--seeds", "0..99", "--race")
    ended = run(*arguments)
    assert "at most 300 games" in ended.err
    assert re.search(r"^rules:1,1000 +1 +100 ", ended.out, re.MULTILINE)
    assert re.search(r"^rules:1 +1 +40 ", ended.out, re.MULTILINE)
    assert "exploratory" in ended.out
    for word in ("Holm", "McNemar", " p ", "Group", "group"):
        assert word not in ended.out
    objects = run(*arguments, "--json").objects
    assert {each["policy"]: (each["n"], each["group"]) for each in objects} == {
        "rules:1": (40, None),
        "rules:1,1000": (100, None),
        "rules:4,200": (100, None),
    }


def test_pictures(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("lists.svg", "lists.png"):
        ended = run(*TOURNAMENT, "--rules", "1,20", "--prefixes", "--seeds", "0..19", "--plot", name)
        assert ended.code == 0
        assert (tmp_path / name).stat().st_size > 5_000


def test_policies_alone_are_compared_as_in_any_game(run: Run) -> None:
    ended = run(*TOURNAMENT, "--policy", "rules:1", "--policy", "rules:2", "--seeds", "0..29", "--json")
    assert ended.err == ""
    assert [list(each) for each in ended.objects[:2]] == [KEYS] * 2
    assert ended.objects[2]["comparison"]["a"] == "rules:1"
    page = run(*TOURNAMENT, "--policy", "rules:1", "--policy", "rules:2", "--seeds", "0..29").out
    assert "2 policies on the same deals, 0..29" in page
    assert "Holm's correction for 1 comparison." in page


ACES = ["tournament", "aces-up", "--seeds", "0..3"]
USAGE = {
    "nobody": (ACES, "at least two policies"),
    "undefined rule": ([*ACES, "--rules", "1,30"], "rule 30 is not defined; rules are 1 2 3"),
    "undefined rules": ([*ACES, "--rules", "31,30"], "rules 31, 30 are not defined"),
    "empty list": ([*ACES, "--rules", ""], "empty"),
    "all and rules": ([*ACES, "--all", "--rules", "1"], "leave one out"),
    "prefixes of nothing": ([*ACES, "--prefixes", "--all"], "--prefixes goes with --rules"),
    "orders of nothing": ([*ACES, "--permute"], "--permute goes with --rules"),
    "two dialects": ([*ACES, "--rules", "1@classic", "--dialect", "documented"], "leave one out"),
    "two dialects of a policy": (
        [*ACES, "--policy", "rules:1@classic", "--policy", "greedy", "--dialect", "documented"],
        "leave one out",
    ),
    "unknown dialect": ([*ACES, "--rules", "1", "--dialect", "documentd"], "documentd"),
    "no guarantee": ([*ACES, "--variant", "must-fill", "--rules", "1,10"], "200, 300, 400 or 1000"),
    "no deals": (["tournament", "aces-up", "--rules", "1"], "--seeds A..B"),
    "two kinds of deals": ([*ACES, "--rules", "1", "--decks", "1"], "--seeds and --decks exclude each other"),
    "generator of decks": (
        ["tournament", "aces-up", "--rules", "1", "--decks", "1", "--generator", "ms"],
        "--generator goes with --seeds",
    ),
    "ids": (["tournament", "aces-up", "--rules", "1", "--decks", "1,x"], "'x' is no deck"),
    "ids backwards": (["tournament", "aces-up", "--rules", "1", "--decks", "5..1"], "'5..1' is no deck"),
    "json and detail": ([*ACES, "--rules", "1", "--json", "--detail"], "exclude each other"),
    "policy twice": ([*ACES, "--policy", "rules:1", "--policy", "rules:1,1"], "is given twice"),
    "option of another game": (["tournament", "agnes", "--rules", "1", "--seeds", "0..3"], "belongs to aces-up"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    if (tmp_path / "unshuffle.sqlite").exists():
        with Store.open(tmp_path / "unshuffle.sqlite") as store:
            assert store.studies() == []


def test_the_help_page_explains_the_rules_as_they_are_played(run: Run) -> None:
    ended = run("tournament", "aces-up", "--help")
    for word in (
        "--rules",
        "--prefixes",
        "--permute",
        "--all",
        "--dialect",
        "--race",
        "--decks",
        "--deck-file",
        "--yes",
    ):
        assert word in ended.out
    assert "the highest card that lies on one of its suit, higher or lower" in ended.out
