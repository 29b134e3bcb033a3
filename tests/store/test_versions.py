"""A store that an earlier unshuffle has written goes on as if it had always been a present one."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
import unshuffle.study
from tests.laws import ROOT
from tests.store.making import finish_games
from unshuffle.store import Store, schema
from unshuffle.winnable import find

pytestmark = pytest.mark.one_engine("checks what is stored, not the answers")

TABLES = ("study", "run", "chunk", "score_count", "result", "block", "win")
"""Those that version 1 had already."""

# What later versions added to a row.
SINCE: dict[int, dict[str, tuple[Any, ...]]] = {
    1: {"run": (0, None), "result": (None,), "block": (None,), "win": (None,)},
    2: {"run": (None,), "block": (None,), "win": (None,)},
    3: {},
    4: {},
    5: {},
}


def write_old(version: int, path: Path) -> Path:
    """A store as that version wrote it: a solver run that keeps moves and policy runs, ten deals each."""
    db = sqlite3.connect(path)
    db.executescript((ROOT / "tests" / "data" / "store" / f"version-{version}.sql").read_text(encoding="utf-8"))
    db.close()
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Written by version 1: one solver run and one policy run."""
    return write_old(1, tmp_path / "old.sqlite")


def read(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row, without the checksums that version 6 has given it."""
    db = sqlite3.connect(path)
    try:
        found = {}
        for table in TABLES:
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] not in ("digest", "seal")]
            found[table] = db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        return found
    finally:
        db.close()


def known_scores(rows: dict[str, list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """The counts of scores that are left: of policies all, of the solver those that it has proved of decided deals."""
    solvers = {row[0] for row in rows["run"] if row[5] == "solver"}
    kept = [row for row in rows["score_count"] if row[0] not in solvers]
    proved = Counter((row[0], row[3]) for row in rows["result"] if row[4] and not row[2].endswith("-limit"))
    return sorted([*kept, *((*key, deals) for key, deals in proved.items())])


def shape(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table and view with its columns and foreign keys, and every index."""
    db = sqlite3.connect(path)
    try:
        found: dict[str, list[tuple[Any, ...]]] = {}
        for kind, name in db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall():
            found[f"{kind} {name}"] = []
            if kind != "index":
                found[f"{kind} {name}"] = [
                    *db.execute(f"PRAGMA table_info({name})"),
                    *sorted(row[2:] for row in db.execute(f"PRAGMA foreign_key_list({name})")),
                ]
        return found
    finally:
        db.close()


@pytest.mark.parametrize("version", SINCE)
def test_an_old_version_keeps_all_it_holds_and_gets_the_present_tables(version: int, tmp_path: Path) -> None:
    old = write_old(version, tmp_path / "old.sqlite")
    before = read(old)
    before["score_count"] = known_scores(before)
    Store.open(old).close()
    after = read(old)
    for table in TABLES:
        more = SINCE[version].get(table, ())
        if table == "run" and more:
            # The last column is the strategy, which the test below looks at.
            after[table] = [(*row[:-1], None) for row in after[table]]
        assert after[table] == [(*row, *more) for row in before[table]], table
    Store.open(tmp_path / "new.sqlite").close()
    assert shape(old) == shape(tmp_path / "new.sqlite")
    db = sqlite3.connect(old)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    db.close()


@pytest.mark.parametrize(("version", "policies"), [(1, ["random"]), (2, ["greedy", "random"])])
def test_the_policies_of_an_old_version_become_strategies(version: int, policies: list[str], tmp_path: Path) -> None:
    old = write_old(version, tmp_path / "old.sqlite")
    Store.open(old).close()
    db = sqlite3.connect(old)
    assert db.execute("SELECT game, policy FROM strategy ORDER BY id").fetchall() == [
        ("belle-lucie", policy) for policy in policies
    ]
    rows = db.execute(
        "SELECT method, policy FROM run LEFT JOIN strategy ON strategy.id = strategy_id ORDER BY run.id"
    ).fetchall()
    assert rows == [("solver", None), *((f"policy:{policy}", policy) for policy in policies)]
    db.close()


def test_version_1_is_read_and_goes_on(old: Path) -> None:
    with Store.open(old, create=False) as store:
        solver, policy = store.runs("old")
        summary = store.summary(solver)
        rows = list(store.rows(solver))
    assert (solver.infers, policy.infers) == (False, False)
    assert (summary.won, summary.lost, summary.undecided, summary.inferred, summary.completed) == (3, 6, 1, 0, 9)
    assert [row["inferred_from"] for row in rows] == [None] * 10
    # The same command as then, over more deals.
    unshuffle.study.run(
        "old",
        "belle-lucie",
        rule={"fan_size": 2},
        solver=True,
        seeds="0..14",
        nodes=20,
        seconds=0,
        moves=True,
        store=old,
    )
    unshuffle.study.run("old", "belle-lucie", policy="random", seeds="0..14", store=old)
    with Store.open(old, create=False) as store:
        assert [store.summary(run).n for run in store.runs("old")] == [15, 15]
        assert list(store.rows(solver))[:10] == rows


def test_version_2_is_read_and_goes_on(tmp_path: Path) -> None:
    old = write_old(2, tmp_path / "old.sqlite")
    with Store.open(old, create=False) as store:
        _, greedy, _ = store.runs("old")
        games = list(store.games(greedy, 0, 9))
        assert [store.rule_counts(run) for run in store.runs("old")] == [{}] * 3
        assert store.batches("old") == []
    assert [each.first for each in games] == [0, 1, 5]
    assert b"".join(each.won for each in games) == bytes([1, 0, 0, 1, 0, 0, 0, 0, 1, 0])
    assert {each.tableau_moves for each in games} == {None}
    unshuffle.study.run("old", "belle-lucie", rule={"fan_size": 2}, policy="greedy", seeds="0..14", store=old)
    with Store.open(old, create=False) as store:
        assert store.summary(greedy).n == 15
        assert list(store.games(greedy, 0, 9)) == games


def test_version_3_is_read_and_goes_on(tmp_path: Path) -> None:
    """Its scores are bytes, as those of most games are now; two bytes come beside them where they are needed."""
    old = write_old(3, tmp_path / "old.sqlite")
    with Store.open(old, create=False) as store:
        first, second = store.runs("lists")
        games = list(store.games(second, 0, 9))
    assert [each.scores.tolist() for each in games] == [[35], [44, 31, 36, 38], [36, 24, 39, 33, 29]]
    assert b"".join(each.tableau_moves or b"" for each in games) == bytes([1, 5, 1, 1, 2, 2, 0, 1, 2, 2])
    unshuffle.study.run("lists", "aces-up", policy="rules:2,1,10", seeds="0..14", store=old)
    with Store.open(old, create=False) as store:
        store.add_run("lists", replace(first, last_seed=12))
        store.claim(first, "t", 3)
        finish_games(store, first, 10, [-2000, 255, 990], [0, 0, 1], "t")
        assert list(store.games(second, 0, 9)) == games
        assert [each.scores.tolist() for each in store.games(first, 9, 12)] == [[29], [-2000, 255, 990]]
        assert store.summary(second).n == 15


def test_version_4_is_read_and_goes_on(tmp_path: Path) -> None:
    """It knew nothing of winnable deals, and keeps them from now on."""
    old = write_old(4, tmp_path / "old.sqlite")
    with Store.open(old, create=False) as store:
        solver, _, spider = store.runs("old")
        assert store.graded("spider", "4-suits") == []
        assert [each.scores.tolist()[0] for each in store.games(spider, 0, 9)] == [-1036, -904, -1040]
    list(find(un.game("belle-lucie", fan_size=2), store=old))
    with Store.open(old, create=False) as store:
        assert [each.source.seed for each in store.graded("belle-lucie", "one-deal+fan_size=2")] == [0]
        assert store.summary(solver).n == 10


def test_version_5_is_read_and_goes_on(tmp_path: Path) -> None:
    """It counted scores that a search had only seen, and kept the last plan of a run only."""
    old = write_old(5, tmp_path / "old.sqlite")
    with Store.open(old, create=False) as store:
        solver, policy = store.runs("old")
        assert store.scores(solver) == {20: 3}
        assert sum(store.scores(policy).values()) == 10
        rows = store._db.execute("SELECT mean_score, scored FROM run_summary ORDER BY run_id").fetchall()
        assert rows == [(None, 3), (13.2, 10)]
        # It was extended from 0..4; nobody can know that now.
        assert [(each.first_seed, each.last_seed, each.finished, each.created) for each in store.plans(solver)] == [
            (0, 9, 10, None)
        ]
    unshuffle.study.run(
        "old", "agnes", variant="up-suit-none", rule={"ranks": 5, "piles": 4}, solver=True, seeds="0..11", nodes=2000,
        seconds=0, store=old,
    )  # fmt: skip
    with Store.open(old, create=False) as store:
        assert store.summary(solver).n == 12
        assert [(each.last_seed, each.finished, each.created is None) for each in store.plans(solver)] == [
            (9, 10, True), (11, 10, False),
        ]  # fmt: skip


def test_a_reader_alone_brings_it_up_to_date_too(old: Path) -> None:
    with Store.open(old, create=False) as store:
        assert [info.deals for info in store.studies()] == [20]
