"""A store that an earlier unshuffle has written goes on as if it had always been a present one."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import unshuffle.study
from tests.laws import ROOT
from unshuffle.store import Store, schema

TABLES = ("study", "run", "chunk", "score_count", "result", "block", "win")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Written by version 1: a solver run that keeps moves and a policy run, ten deals each."""
    path = tmp_path / "old.sqlite"
    db = sqlite3.connect(path)
    db.executescript((ROOT / "tests" / "data" / "store" / "version-1.sql").read_text(encoding="utf-8"))
    db.close()
    return path


def read(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    db = sqlite3.connect(path)
    try:
        return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    finally:
        db.close()


def columns(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    db = sqlite3.connect(path)
    try:
        return {table: db.execute(f"PRAGMA table_info({table})").fetchall() for table in TABLES}
    finally:
        db.close()


def test_version_1_keeps_all_it_holds_and_gets_the_present_tables(old: Path, tmp_path: Path) -> None:
    before = read(old)
    Store.open(old).close()
    after = read(old)
    for table in TABLES:
        more = {"run": (0,), "result": (None,)}.get(table, ())
        assert after[table] == [(*row, *more) for row in before[table]], table
    Store.open(tmp_path / "new.sqlite").close()
    assert columns(old) == columns(tmp_path / "new.sqlite")
    db = sqlite3.connect(old)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
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


def test_a_reader_alone_brings_it_up_to_date_too(old: Path) -> None:
    with Store.open(old, create=False) as store:
        assert [info.deals for info in store.studies()] == [20]
