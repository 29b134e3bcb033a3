"""Whatever happens to a tournament of rule lists, its file stays sound and no stored game is lost. Real processes."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
from collections import Counter
from itertools import chain, compress
from operator import itemgetter
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.laws import IS_LONG
from tests.study.processes import finish
from unshuffle.simulate import play_tournament
from unshuffle.solve import has_twin
from unshuffle.store import Run as StoredRun
from unshuffle.store import Store

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

# So many deals take half a second on the engine and longer without it: time enough to be killed in.
DEALS = 30_000 if has_twin(un.game("aces-up")) else 300
LISTS = ["rules:1", "rules:2,100", "rules:100,1", "rules:200"]


def words(store: Path, deals: int = DEALS) -> list[str]:
    """A tournament of these lists."""
    lists = [word for each in LISTS for word in ("--rules", each.removeprefix("rules:"))]
    return [
        "tournament", "aces-up", *lists, "--seeds", f"0..{deals - 1}", "--threads", "1", "--yes", "--name", "t",
        "--store", str(store),
    ]  # fmt: skip


def start(store: Path, deals: int = DEALS) -> subprocess.Popen[str]:
    """Begin it."""
    command = [*PROGRAM, *words(store, deals)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def read(store: Path, question: str) -> list[tuple[Any, ...]]:
    db = sqlite3.connect(store, timeout=60)
    try:
        return db.execute(question).fetchall()
    finally:
        db.close()


def count(store: Path) -> int:
    return int(read(store, "SELECT coalesce(sum(count), 0) FROM block")[0][0]) if store.exists() else 0


def wait_for(store: Path, more_than: int, process: subprocess.Popen[str]) -> None:
    """Wait until more games than this are stored, or the process has ended."""
    until = monotonic() + 60
    while process.poll() is None and count(store) <= more_than:
        assert monotonic() < until, "nothing was stored in a minute"
        sleep(0.01)


def columns(store: Store, run: StoredRun) -> list[list[int]]:
    """Scores, wins and tableau moves of all games of a run, in the order of the deals."""
    blocks = list(store.games(run, run.first_seed, run.last_seed))
    return [list(chain.from_iterable(map(itemgetter(place), blocks))) for place in (1, 2, 3)]


def check_whole(store: Path) -> int:
    """What is stored agrees with itself: blocks, chunks, wins and counts. The number of games."""
    assert read(store, "PRAGMA integrity_check") == [("ok",)]
    assert read(store, "PRAGMA foreign_key_check") == []
    with Store.open(store, create=False) as opened:
        for run in opened.runs("t"):
            scores, won, moves = columns(opened, run)
            summary = opened.summary(run)
            assert (summary.n, summary.won) == (len(scores), won.count(1))
            seeds = [seed for first, last in opened.seeds_done(run) for seed in range(first, last + 1)]
            assert opened.wins(run) == list(compress(zip(seeds, moves, strict=True), won))
            assert opened.scores(run) == Counter(scores)
            # Every card that went to a space was moved by a rule.
            assert sum(times for times, _ in opened.rule_counts(run).values()) == sum(moves)
    return count(store)


def table(store: Path) -> list[tuple[Any, ...]]:
    """All that a tournament could tell of the games, however they were cut into chunks."""
    with Store.open(store, create=False) as opened:
        return [
            (run.method, opened.seeds_done(run), columns(opened, run), opened.rule_counts(run), opened.scores(run))
            for run in opened.runs("t")
        ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, ...]]:
    """The games of a tournament that nothing happened to."""
    path = tmp_path_factory.mktemp("undisturbed") / "s.sqlite"
    with Store.open(path) as store:
        play_tournament(un.game("aces-up"), LISTS, range(DEALS), store=store, study="t", threads=1)
    assert check_whole(path) == DEALS * len(LISTS)
    return table(path)


def test_killed_again_and_again_it_ends_with_the_same_games(
    run: Run, tmp_path: Path, undisturbed: list[tuple[Any, ...]]
) -> None:
    store = tmp_path / "s.sqlite"
    rng = random.Random(6)
    killed = stored = 0
    for _ in range(3):
        process = start(store)
        wait_for(store, stored, process)
        sleep(rng.uniform(0, 0.1))
        killed += process.poll() is None
        process.kill()
        process.communicate()
        now = check_whole(store)
        assert now >= stored, "stored games are gone"
        stored = now
    assert killed >= 2
    assert run(*words(store)).code == 0
    assert check_whole(store) == DEALS * len(LISTS)
    assert table(store) == undisturbed
    # Also what was killed is told, as what it was.
    states = [state for (state,) in read(store, "SELECT state FROM batch ORDER BY id")]
    assert states == ["begun"] * killed + ["finished"] * (4 - killed)


def test_ctrl_c_keeps_what_was_played_and_says_so(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    process = start(store)
    wait_for(store, 0, process)
    process.send_signal(signal.SIGINT)
    code, _, _ = finish(process)
    assert code == 130
    stored = check_whole(store)
    assert 0 < stored < DEALS * len(LISTS)
    ((state, games, ended),) = read(store, "SELECT state, games, ended IS NOT NULL FROM batch")
    assert (state, ended) == ("interrupted", 1)
    assert 0 < games <= stored
    assert read(store, "SELECT count(*) FROM chunk WHERE finished IS NULL") == [(0,)]


@pytest.mark.skipif(not IS_LONG, reason="two more processes; in the long run")
def test_two_at_once_play_each_deal_once(tmp_path: Path) -> None:
    store, deals = tmp_path / "s.sqlite", DEALS // 2
    both = [start(store, deals), start(store, deals)]
    assert [finish(process)[0] for process in both] == [0, 0]
    assert check_whole(store) == deals * len(LISTS)
    assert [done for _, done, *_ in table(store)] == [[(0, deals - 1)]] * len(LISTS)


def test_a_batch_without_a_win_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store.open(path) as store:
        play_tournament(un.game("aces-up"), LISTS, range(5), store=store, study="t")
    assert read(path, "SELECT state, games, wins FROM batch") == [("finished", 20, 0)]
    assert read(path, "SELECT n, won FROM run_summary") == [(5, 0)] * 4
