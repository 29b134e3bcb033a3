"""`unshuffle deal GAME --winnable`."""

from __future__ import annotations

import itertools
import signal
import sqlite3
import subprocess
from pathlib import Path
from time import monotonic, sleep

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.laws import ROOT
from tests.winnable.seating import seat
from unshuffle.cards import format_cards
from unshuffle.store import Store
from unshuffle.winnable import Seat, panels

ONCE = pytest.mark.one_engine("checks the command line and the store, not the answers")
SMALL = ("belle-lucie", "--rule", "fan_size=2")
"""Decided in a blink on either engine; of the first nine deals 0, 3 and 8 can be won."""
CHEAP = ("aces-up",)
"""Its panel plays quickly on the engine; 1 and 17 can be won."""
IDS = [f"belle-lucie/one-deal+fan_size=2@{seed}" for seed in (0, 3, 8)]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test writes into the store of the person who runs it."""
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "s.sqlite"))
    return tmp_path / "s.sqlite"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel of three games."""
    seat(monkeypatch, "belle-lucie", Seat("greedy", 3, slips=5))


@pytest.mark.usefixtures("few")
@pytest.mark.both_engines
def test_ids_come_one_to_a_line_and_each_of_them_is_solved_and_verified(run: Run, store: Path) -> None:
    ended = run("deal", *SMALL, "--winnable", "--seed", "0", "--count", "3")
    assert ended.code == 0
    assert "9 deals looked at: 3 found, 6 lost, 0 undecided" in ended.err
    lines = [line.split("  ") for line in ended.out.splitlines()]
    assert [line[0] for line in lines] == IDS
    with Store.open(store, create=False) as kept:
        deals = kept.graded("belle-lucie", "one-deal+fan_size=2")
    assert lines == [[deal.deal, deal.difficulty, f"{deal.value:.2f}"] for deal in deals]
    for deal in deals:
        seed = ("--seed", deal.source.seed)
        assert run("solve", *SMALL, *seed, "--explain", "none").code == 0
        assert run("verify", *SMALL, *seed, "--moves", deal.moves).code == 0


@pytest.mark.usefixtures("few")
@ONCE
def test_what_is_not_measured_in_time_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0, 100)
    monkeypatch.setattr(panels, "monotonic", lambda: next(clock))
    line = ("deal", *SMALL, "--winnable", "--no-store", "--seeds", "0..0")
    assert run(*line).out == f"{IDS[0]}  not measured\n"
    [told] = run(*line, "--json").objects
    assert (told["difficulty"], told["measure"], told["games"], told["winnable"]) == ("not measured", None, 0, True)
    ended = run(*line, "--difficulty", "easy")
    assert (ended.code, ended.out) == (1, "")
    assert "1 deal looked at: 0 found, 0 lost, 0 undecided, 1 not measured in time" in ended.err


@pytest.mark.usefixtures("few")
@pytest.mark.both_engines
def test_json_has_the_keys_of_a_deal_and_more(run: Run) -> None:
    found = run("deal", *SMALL, "--winnable", "--seeds", "0..8", "--count", "3", "--json").objects
    game = un.game("belle-lucie", fan_size=2)
    for deal, (plain,) in zip(
        found, (run("deal", *SMALL, "--seed", s, "--json").objects for s in (0, 3, 8)), strict=True
    ):
        assert plain.items() <= deal.items()
        assert deal["winnable"] is True
        assert deal["proof"] == "solver"
        assert deal["measure"] == deal["wins"] / deal["games"]
        assert un.replay(game.parse(deal["layout"]), map(game.parse_move, deal["moves"])).outcome is un.Outcome.WON


@pytest.mark.usefixtures("few")
@ONCE
def test_decks_come_with_ids_that_say_how_hard_they_are(run: Run) -> None:
    ended = run("deal", *SMALL, "--winnable", "--seed", "1", "--deck")
    first, second = ended.out.splitlines()
    assert first.startswith(f"# {IDS[1]}  ")
    assert second == f"Deck: {format_cards(next(un.game('belle-lucie').decks(3)))}"


@pytest.mark.usefixtures("few")
@ONCE
def test_the_store_lists_what_it_has(run: Run, store: Path) -> None:
    asked = run("deal", *SMALL, "--winnable", "--seed", "0", "--count", "3")
    assert run("deal", *SMALL, "--winnable", "--stored").out == asked.out
    assert run("deal", *SMALL, "--winnable", "--stored", "--seeds", "1..5").out == asked.out.splitlines(True)[1]
    assert run("deal", *SMALL, "--winnable", "--stored", "--count", "2").out == "".join(asked.out.splitlines(True)[:2])
    less = run("deal", *SMALL, "--winnable", "--stored", "--count", "4")
    assert (less.code, less.out) == (1, asked.out)
    assert "has only 3 of 4 deals" in less.err
    none = run("deal", "belle-lucie", "--winnable", "--stored")
    assert (none.code, none.out) == (1, "")
    assert f"the store {str(store)!r} has no such deal" in none.err
    again = run("deal", *SMALL, "--winnable", "--seed", "0", "--count", "3")
    assert again.out == asked.out
    assert "(9 known from the store)" in again.err


@pytest.mark.usefixtures("few")
@ONCE
def test_nothing_is_kept_if_that_is_the_wish(run: Run, store: Path) -> None:
    assert run("deal", *SMALL, "--winnable", "--seed", "0", "--no-store").code == 0
    assert not store.exists()


@pytest.mark.usefixtures("few")
@pytest.mark.both_engines
def test_a_range_without_such_a_deal_is_told(run: Run) -> None:
    ended = run("deal", *SMALL, "--winnable", "--seeds", "4..7")
    assert (ended.code, ended.out) == (1, "")
    assert "4 deals looked at: 0 found, 4 lost, 0 undecided" in ended.err
    assert "there was no such deal" in ended.err


@pytest.mark.usefixtures("few")
@ONCE
def test_without_a_number_the_search_begins_anywhere(run: Run) -> None:
    first, second = (run("deal", *SMALL, "--winnable", "--no-store") for _ in range(2))
    assert first.code == second.code == 0
    assert first.out != second.out


@ONCE
def test_a_game_of_ones_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seat(monkeypatch, "golf", Seat("rollout:1", 1))  # the whole panel is tried in tests/winnable
    golf = ("golf", "--load", str(ROOT / "examples" / "golf.py"))
    ended = run("deal", *golf, "--winnable", "--seed", "49", "--nodes", "300")
    assert (ended.code, ended.out) == (0, "golf/plain@49  easy  1.00\n")
    assert "the deals of golf/plain were never measured" in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--difficulty", "hard"], "--difficulty goes with --winnable only"),
        (["--count", "2", "--store", "x", "--nodes", "5"], "--count, --store, --nodes go with --winnable only"),
        (["--winnable", "--difficulty", "heard"], "unknown difficulty 'heard'; did you mean 'hard'?"),
        (["--winnable", "--count", "0"], "0 is not in the range"),
        (["--winnable", "--seed", "1", "--seeds", "0..9"], "--seed and --seeds exclude each other"),
        (["--winnable", "--seeds", "9..0"], "is empty"),
        (["--winnable", "--deck", "--json"], "--deck and --json exclude each other"),
        (["--winnable", "--no-store", "--store", "x"], "--no-store and --store exclude each other"),
        (["--winnable", "--stored", "--nodes", "5"], "--nodes goes with a search, and --stored searches nothing"),
        (["--winnable", "--stored", "--seed", "5"], "--seed goes with a search; --stored takes --seeds A..B"),
        (["--winnable", "--memory", "much"], "--memory: "),
        (["--winnable", "--threads", "0"], "threads=0 is not allowed"),
        (["--winnable", "--generator", "dice"], "unknown generator 'dice'"),
        (["--winnable", "deal.txt"], "FILE and --winnable exclude each other"),
        (["--winnable", "--seed", "18446744073709551615"], "a store has the seeds"),
    ],
)
def test_wrong_usage_is_told(run: Run, arguments: list[str], message: str) -> None:
    ended = run("deal", *SMALL, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_a_store_that_is_none_is_told(run: Run, tmp_path: Path) -> None:
    assert run("deal", *SMALL, "--winnable", "--stored").code == 74
    (tmp_path / "text").write_text("no store")
    ended = run("deal", *SMALL, "--winnable", "--store", tmp_path / "text")
    assert ended.code == 74
    assert "is not a store of unshuffle" in ended.err


def _start(store: Path) -> subprocess.Popen[str]:
    command = [*PROGRAM, "deal", *CHEAP, "--winnable", "--seed", "0", "--count", "500", "--store", str(store)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def _count(store: Path) -> int:
    try:
        db = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=60)
        try:
            return int(db.execute("SELECT count(*) FROM graded_deal").fetchone()[0])
        finally:
            db.close()
    except sqlite3.OperationalError:  # there is none yet
        return 0


def _wait(store: Path, process: subprocess.Popen[str], deals: int) -> None:
    until = monotonic() + 60
    while _count(store) < deals:
        assert process.poll() is None, process.communicate()
        assert monotonic() < until, "nothing was stored in a minute"
        sleep(0.02)


@ONCE
def test_ctrl_c_leaves_what_was_found_on_paper_and_in_the_store(store: Path) -> None:
    process = _start(store)
    _wait(store, process, 1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "deals looked at: " in err or "deal looked at: " in err
    with Store.open(store, create=False) as kept:
        deals = kept.graded("aces-up", "standard")
    assert [line.split("  ")[0] for line in out.splitlines()] == [deal.deal for deal in deals]


@ONCE
def test_killed_it_goes_on_from_what_is_stored(run: Run, store: Path) -> None:
    process = _start(store)
    _wait(store, process, 2)
    process.kill()
    process.communicate()
    db = sqlite3.connect(store)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    moves = db.execute("SELECT seed, moves, wins FROM graded_deal ORDER BY seed").fetchall()
    db.close()
    assert [seed for seed, *_ in moves][:2] == [1, 17]
    again = run("deal", *CHEAP, "--winnable", "--seed", "0", "--count", "2", "--store", store, "--json")
    found = again.objects
    assert [(each["moves"], each["wins"]) for each in found] == [(line.split(), wins) for _, line, wins in moves[:2]]
    assert "known from the store" in again.err
