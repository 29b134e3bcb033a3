"""The benchmark harness measures what it says, and refuses to be fooled."""

from __future__ import annotations

import csv
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.benching import BENCHES, needs_engine, run, run_apart
from tests.laws import ROOT
from tests.scripts import load_script

pytestmark = pytest.mark.one_engine("runs the benchmarks")

# Prints as the peer does; its answers come from a table, so that one can be wrong.
PEER = """
import sys
text = sys.stdin.read()
score = {scores}.get(text.split()[0], 0)
if score:
    print(f"Best sequence has 3 moves, transferring {{score}} cards to the foundation and leaving 3 on the tableau.")
print("Final table state after deal 1:")
"""


@pytest.fixture
def peer(tmp_path: Path) -> Path:
    game = un.game("belle-lucie")
    states = [game.deal(seed) for seed in range(3)]
    scores = {str(s).split()[0].replace("T", "10"): un.solve(s).score for s in states}
    (tmp_path / "lblsolve").mkdir()
    (tmp_path / "lblsolve" / "__init__.py").touch()
    (tmp_path / "lblsolve" / "cards.py").write_text(PEER.format(scores=scores))
    return tmp_path


def test_the_peer_is_run_on_the_same_deals_and_compared(peer: Path) -> None:
    done = run("--deals", 50, "--peer", peer, "--peer-deals", 3)
    assert done.returncode == 0, done.stderr
    assert "scores agree on 3 of 3" in done.stdout
    assert "lblsolve / unshuffle" in done.stdout


def test_a_peer_that_disagrees_is_told(peer: Path) -> None:
    wrong = (peer / "lblsolve" / "cards.py").read_text().replace("score = ", "score = 1 + ")
    (peer / "lblsolve" / "cards.py").write_text(wrong)
    done = run("--deals", 5, "--peer", peer, "--peer-deals", 3)
    assert "scores agree on 0 of 3; not on ['belle-lucie/one-deal@0'" in done.stdout


def test_an_earlier_result_is_set_beside_this_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    assert run("--deals", 30, "--save", kept).returncode == 0
    again = run("--deals", 30, "--against", kept)
    assert "earlier / unshuffle" in again.stdout
    assert "DIFFER" not in again.stdout
    kept.write_text(kept.read_text().replace('"check": ', '"check": 1'))
    assert "THE SCORES DIFFER" in run("--deals", 30, "--against", kept).stdout


# Answers as Solvitaire's --classify does, from a table; a deal that nobody recorded is in no table.
SOLVITAIRE = """#!{python}
import sys
options = sys.argv[1:]
assert options[:3] == ["--type", "gaps-basic-variant", "--random"] and options[4:] == ["--classify"], options
print(options[3], {verdicts}[options[3]], 12, 345, sep=", ")
"""


def solvitaire(folder: Path, *, changed: str | None = None) -> Path:
    """A peer with the recorded verdicts; `changed` is a deal that it tells otherwise."""
    with (ROOT / "tests" / "data" / "gaps" / "basic.csv").open(encoding="utf-8", newline="") as file:
        verdicts = {row["id"].split("-")[1]: row["peer_verdict"].capitalize() for row in csv.DictReader(file)}
    if changed is not None:
        verdicts[changed] = {"Solved": "Unsolvable", "Unsolvable": "Solved"}[verdicts[changed]]
    program = folder / "solvitaire"
    program.write_text(SOLVITAIRE.format(python=sys.executable, verdicts=verdicts))
    program.chmod(0o755)
    return program


@needs_engine
def test_gaps_is_measured_in_its_parts(tmp_path: Path) -> None:
    parts = ("--part", "plain", "--part", "locked", "--part", "free", "--part", "basic", "--first", 11, "--deals", 1)
    done = run(*parts, "--peer", solvitaire(tmp_path), bench="gaps.py")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^plain: [\d,]+ positions per second of the processor", done.stdout, re.MULTILINE)
    for part, limit in (("locked", 2), ("free", 60)):
        assert f"{part}: 1 of 1 = 100.0% decided within {limit} s" in done.stdout
    assert re.search(r"^basic: [\d,.]+ times as fast over 1 deals", done.stdout, re.MULTILINE)
    assert "DIFFER" not in done.stdout


@needs_engine
def test_a_peer_of_gaps_that_answers_otherwise_ends_the_comparison(tmp_path: Path) -> None:
    done = run("--part", "basic", "--deals", 1, "--peer", solvitaire(tmp_path, changed="0"), bench="gaps.py")
    assert done.returncode == 1
    assert "does not answer deal 0 with 'unsolvable', as recorded: '0, Solved, 12, 345'" in done.stderr
    assert "there is no Solvitaire at" in run("--peer", tmp_path / "none", bench="gaps.py").stderr


@needs_engine
def test_the_order_of_gaps_is_fitted_and_compared() -> None:
    done = run("--fit", 2, "--held-out", 1, "--compare", 2, "--nodes", 20000, bench="gaps_ordering.py")
    assert done.returncode == 0, done.stderr
    assert "fitted: the chosen move is ahead in" in done.stdout
    assert re.search(r"^const WEIGHTS: \[i32; 11\] = \[(-?\d+(, )?){11}\];$", done.stdout, re.MULTILINE)
    orders = re.findall(r"^(none|hand-made|learned|facts) {2,}", done.stdout, re.MULTILINE)
    assert orders == ["none", "hand-made", "learned", "facts"]


@needs_engine
def test_the_most_that_a_player_of_gaps_can_win_is_told() -> None:
    done = run("--deals", 3, "--first", 5001, "--seconds", 5, bench="gaps_ceiling.py")
    assert done.returncode == 0, done.stderr
    assert "gaps/addiction, deals 5001 to 5003: first phase won in 2; of the other 1 not all ends were found in 0" in (
        done.stdout
    )
    assert re.search(r"^a player who knows all ends wins \d\d\.\d\d% ", done.stdout, re.MULTILINE)


@needs_engine
def test_spider_is_measured_in_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_script(BENCHES / "spider.py"), "SHORTENING", 0.1)
    done = run("--deals", 2, "--variant", "1-suit", bench="spider.py")
    assert done.returncode == 0, done.stderr
    assert "1-suit: 2 of 2 = 100.00% won within 10 s; goal 100.0%" in done.stdout
    before, after = (
        int(re.search(rf"moves {when}: mean (\d+)", done.stdout)[1])  # type: ignore[index]
        for when in ("before", "after")
    )
    assert after <= before


# Says what fc-solve says; its verdicts come from a table, so that one can be wrong.
FC_SOLVE = """#!{python}
import sys
options, board = sys.argv[1:], sys.stdin.read()
assert options[:4] == ["--freecells-num", "0", "--stacks-num", "18"], options
assert options[options.index("-to") + 1] == "01ABCDE"
verdict = {verdicts}.get((options[options.index("--empty-stacks-filled-by") + 1], board.splitlines()[0]), "solved")
if verdict == "solved":
    print("This game is solveable.")
else:
    print("I could not solve this game.")
limit = int(options[options.index("-mi") + 1])
print(f"Total number of states checked is {{limit if verdict == 'limit' else 5}}.")
"""


def fc_solve(folder: Path, **wrong: str) -> Path:
    """A program that has the right verdicts of deals 0 to 3 of both variants, but for those that are said otherwise."""
    verdicts = {}
    for variant, fill in (("one-deal", "none"), ("fan-18", "kings")):
        game = un.game("belle-lucie", variant)
        for seed in range(4):
            state = game.deal(seed)
            says = wrong.get(f"{fill}{seed}", str(un.solve(state).status))
            verdicts[(fill, str(state).splitlines()[0] if ":" not in str(state).splitlines()[0] else "")] = says
    program = folder / "fc-solve"
    program.write_text(FC_SOLVE.format(python=sys.executable, verdicts=verdicts))
    program.chmod(0o755)
    return program


@needs_engine
def test_fans_are_solved_beside_fc_solve(tmp_path: Path) -> None:
    # Deal 2 of Fan is given up by the peer, which then says what it says of a lost deal.
    done = run("--fc-solve", fc_solve(tmp_path, kings2="limit"), "--deals", 4, "--json", bench="fans.py")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["comparisons"]
    assert [(row["variant"], row["deals"], row["decided"], row["differences"]) for row in rows] == [
        ("one-deal", 4, 4, []),
        ("fan-18", 4, 3, []),
    ]
    for row in rows:
        assert row["ratios"][0] == pytest.approx(row["peer_seconds"] / row["seconds"])


@needs_engine
def test_a_verdict_of_fc_solve_that_differs_is_named(tmp_path: Path) -> None:
    done = run("--fc-solve", fc_solve(tmp_path, none3="unsolvable"), "--deals", 4, bench="fans.py")
    assert done.returncode == 0, done.stderr
    assert "VERDICTS DIFFER: belle-lucie/one-deal@3: fc-solve says unsolvable, unshuffle solved" in done.stdout
    assert "verdicts agree on 3 of 4" in done.stdout
    assert run("--fc-solve", tmp_path / "none", bench="fans.py").returncode == 2


# Says what Solvitaire says of a deal file; its verdicts come from a table too.
SOLVITAIRE_OF_FANS = """#!{python}
import json, sys
*options, file = sys.argv[1:]
if options[0] == "--type":
    variant = {{"fan": "fan-18"}}[options[1]]
else:
    assert options[0] == "--custom-rules"
    assert json.load(open(options[1]))["tableau piles"]["spaces policy"] == "no-build"
    variant = "one-deal"
assert options[2:] == ["--timeout", "2500", "--classify"], options
first = json.load(open(file))["tableau piles"][0]
verdict = {verdicts}.get((variant, " ".join(first)), "solved")
print(f", {{verdict}}, 12, 345, 6, 7, 8, 0, 9, 10, 11, 12, {{verdict}}")
"""


@needs_engine
def test_fans_are_solved_beside_solvitaire(tmp_path: Path) -> None:
    verdicts = {}
    for variant in ("one-deal", "fan-18"):
        game = un.game("belle-lucie", variant)
        for seed in range(3):
            first = json.loads(game.write_foreign(game.deal(seed), "solvitaire"))["tableau piles"][0]
            verdicts[variant, " ".join(first)] = str(un.solve(game.deal(seed)).status)
    wrong, slow = list(verdicts)[1], list(verdicts)[4]
    verdicts |= {wrong: "unsolvable" if verdicts[wrong] == "solved" else "solved", slow: "timed-out"}
    program = tmp_path / "solvitaire"
    program.write_text(SOLVITAIRE_OF_FANS.format(python=sys.executable, verdicts=verdicts))
    program.chmod(0o755)
    done = run_apart("--solvitaire", program, "--deals", 3, "--seconds", 2.5, "--json", bench="fans.py")
    assert done.returncode == 0, done.stderr
    one_deal, fan = json.loads(done.stdout)["comparisons"]
    assert (one_deal["variant"], one_deal["peer"], one_deal["deals"], one_deal["decided"]) == (
        "one-deal",
        "Solvitaire",
        3,
        3,
    )
    [difference] = one_deal["differences"]
    assert difference.startswith("belle-lucie/one-deal@1: Solvitaire says ")
    assert (fan["variant"], fan["deals"], fan["decided"], fan["differences"]) == ("fan-18", 3, 2, [])
    none = run("--deals", 3, bench="fans.py")
    assert none.returncode == 2
    assert "--fc-solve, --solvitaire or both" in none.stderr


@needs_engine
def test_growth_is_measured_in_processes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    scaling = load_script(BENCHES / "scaling.py")
    monkeypatch.setattr(scaling, "COUNTS", (1_000, 10_000))
    monkeypatch.setattr(scaling, "MEMORY", {"gaps/one-deal": 12})
    monkeypatch.setattr(scaling, "CAPS", ("1MB",))
    done = run("--part", "deals", "--part", "memory", "--share", "0.002", "--json", bench="scaling.py")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [row["deals"] for row in told["deals"]] == [2, 20]
    assert {row["decided"] for row in told["deals"]} == {2, 20}
    [row] = told["memory"]
    assert (row["game"], row["cap"]) == ("gaps/one-deal", "1MB")
    assert row["table"] <= 1e6
    assert row["held"] > 1e6


CANNED: dict[str, Any] = {
    "agnes.py": {
        "comparisons": [
            {
                "ours": {"decks": 9},
                "peer": {"program": "quagnes 1.1.0", "undecided": 2},
                "ratios": [12.5, 40.0],
                "compared": 7,
                "differences": ["x"],
            }
        ]
    },
    "fans.py": {
        "comparisons": [
            {"variant": "fan-18", "peer": "fc-solve", "deals": 4, "decided": 4, "ratios": [8.0, 8.0], "differences": []}
        ]
    },
    "gaps.py": {"peer": "Solvitaire, recorded", "deals": 45, "ratio": 77.7, "differences": []},
    "envs.py": {
        "rates": {name: {"best": 10.0, "median": 9.0} for name in ("CartPole-v1, batch", "CartPole-v1, single")}
    },
    "instructions.py": [{"game": "belle-lucie/one-deal", "deals": 2000, "instructions": 74321}],
    "scaling.py": {
        "threads": [
            {"game": "g", "work": "study", "deals": 2, "one": 2.0, "two": 1.0, "times_as_fast": 2.0, "processor": 1.0}
        ],
        "deals": [{"deals": 2, "processor": 2.0, "held": 3e6}],
        "memory": [
            {
                "game": "g",
                "cap": "1MB",
                "decided": 1,
                "deals": 2,
                "nodes": 7,
                "table": 1e6,
                "held": 3e6,
                "processor": 1.0,
            }
        ],
    },
}


def test_the_page_of_all_benchmarks_tells_what_was_measured_and_what_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHES))
    everything = import_module("everything")
    monkeypatch.setattr(everything.Run, "ask", lambda self, bench, *options: CANNED[bench])
    monkeypatch.setattr(everything, "install", lambda package, folder: Path(sys.executable))
    page = tmp_path / "page.md"
    monkeypatch.setattr(sys, "argv", ["everything.py", "--fc-solve", sys.executable, "--page", str(page)])
    everything.main()
    text = page.read_text()
    assert "$" not in text
    agnes = (
        r"`agnes/up-suit-none` +\| quagnes 1\.1\.0 +\| decide 9 decks; the peer gave 2 up \| +12\.5 \| +40\.0 \| 6 of 7"
    )
    assert re.search(agnes, text)
    assert re.search(r"`belle-lucie/fan-18` +\| fc-solve .*\| +8\.0 \| +\| 4 of 4 verdicts", text)
    assert re.search(r"`gaps/basic` .* 77\.7 .*recorded elsewhere", text)
    assert "74,321" in text
    for peer in ("quagnes-cpp", "lblsolve", "Solvitaire", "aces-up", "Spider"):
        assert peer in text.partition("Not at hand")[2].partition("##")[0]
    assert "short run" not in text
    assert str(tmp_path) not in text


def test_views_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    views = load_script(BENCHES / "views.py")
    monkeypatch.setattr(views, "SEEDS", range(1))
    monkeypatch.setattr(views, "LONGEST", 5)
    done = run("--here", bench="views.py")
    assert done.returncode == 0, done.stderr
    times = json.loads(done.stdout)
    assert {"spider: view", "spider: play", "spider: parse"} < times.keys()
    assert min(times.values()) > 0


def test_views_are_set_beside_those_of_another_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    views = load_script(BENCHES / "views.py")
    turns = [{"spider: play": 4.0}, {"spider: play": 2.0}, {"spider: play": 3.0}, {"spider: play": 5.0}]
    monkeypatch.setattr(views, "asked", lambda source: turns.pop(0))
    done = run("--turns", 2, "--against", ROOT / "src", bench="views.py")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^spider: play +3\.0 +2\.0 +1\.50$", done.stdout, re.MULTILINE)
    assert "holds no package 'unshuffle'" in run("--against", ROOT / "tests", bench="views.py").stderr


def test_each_checkout_is_measured_in_a_process_that_imports_it(tmp_path: Path) -> None:
    (tmp_path / "unshuffle").mkdir()
    (tmp_path / "unshuffle" / "__init__.py").write_text("raise ImportError('the other checkout')")
    with pytest.raises(SystemExit, match="the other checkout"):
        load_script(BENCHES / "views.py").asked(tmp_path)
