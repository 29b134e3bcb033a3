"""Exports: every format holds every result, whole or not at all."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

import unshuffle as un
from tests.study.filled import fill_policy, fill_solver, solver_row
from unshuffle.cards import format_cards
from unshuffle.deals import DealId
from unshuffle.errors import UsageError
from unshuffle.simulate import play_tournament
from unshuffle.store import Store
from unshuffle.study import export as exporting
from unshuffle.study import stored_plan
from unshuffle.study.conditions import describe_batches
from unshuffle.study.export import COLUMNS, export
from unshuffle.study.overview import print_list

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

RESULTS = ["solved", "unsolvable", "node-limit", "time-limit", "solved"]
PLAYED = [False, True, False, True, True, False, False, True, True, False, True]
FORMATS = ["csv", "json", "parquet"]
WORDS = {"true": True, "false": False, "": None}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        fill_solver(opened, "lucie", RESULTS, sizes=(2,), planned=9)
        fill_policy(opened, "lucie", PLAYED, generator="python", first_seed=70)
        yield opened


def expected() -> list[dict[str, Any]]:
    rows = []
    shared = {"game": "belle-lucie", "variant": "one-deal"}
    for seed, status in enumerate(RESULTS):
        _, _, score, proved, nodes, seconds, moves, origin = solver_row(seed, status)
        won = {"solved": True, "unsolvable": False}.get(status)
        rows.append(
            shared
            | {"method": "solver", "information": "open", "generator": "unshuffle", "seed": seed}
            | {"deal": f"belle-lucie/one-deal@{seed}", "won": won, "status": status, "score": score}
            | {"score_proved": proved, "nodes": nodes, "seconds": seconds, "moves": moves}
            | {"inferred_from": origin, "tableau_moves": None, "deck": None}
        )
    for place, won in enumerate(PLAYED):
        rows.append(
            shared
            | {"method": "policy:greedy", "information": "hidden", "generator": "python", "seed": 70 + place}
            | {"deal": f"belle-lucie/one-deal@python:{70 + place}", "won": won, "status": None}
            | {"score": 52 if won else place, "score_proved": None, "nodes": None, "seconds": None, "moves": None}
            | {"inferred_from": None, "tableau_moves": None, "deck": None}
        )
    return rows


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return list(parquet.read_table(path).to_pylist())
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".json":
            return [json.loads(line) for line in file]
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    for row in rows:
        row |= {name: WORDS[row[name]] for name in ("won", "score_proved")}
        row |= {name: int(row[name]) if row[name] else None for name in ("seed", "score", "nodes", "tableau_moves")}
        row |= {"seconds": float(row["seconds"]) if row["seconds"] else None}
        row |= {name: row[name] or None for name in ("status", "moves", "inferred_from", "deal", "deck")}
    return rows


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("batch", [1, 3, 50_000])
def test_every_format_holds_every_result(
    store: Store, tmp_path: Path, kind: str, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: what was stored is read back, row by row, however it was batched."""
    monkeypatch.setattr(exporting, "_BATCH", batch)
    path = tmp_path / f"results.{kind}"
    assert export(store, "lucie", path, None) == len(RESULTS) + len(PLAYED)
    rows = read(path)
    assert rows == expected()
    assert all(tuple(row) == COLUMNS for row in rows)
    assert all(str(DealId.parse(row["deal"])) == row["deal"] for row in rows)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_rows_come_with_their_provenance(store: Store, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"results.{kind}"
    export(store, "lucie", path)
    if kind == "parquet":
        origin = json.loads(parquet.read_metadata(path).metadata[b"unshuffle"])
    else:
        origin = json.loads((tmp_path / f"results.{kind}.provenance.json").read_text(encoding="utf-8"))
    assert (origin["study"], origin["rows"], origin["columns"]) == ("lucie", 16, list(COLUMNS))
    solver, policy = origin["runs"]
    assert (solver["rows"], solver["planned"], solver["nodes_limit"], solver["seeds_done"]) == (5, 9, 100_000, [[0, 4]])
    assert (policy["rows"], policy["method"], policy["rules"]["redeals"]) == (11, "policy:greedy", "0")
    assert sorted(each.name for each in tmp_path.iterdir() if "results" in each.name) == sorted(
        {path.name, path.name if kind == "parquet" else f"{path.name}.provenance.json"}
    )


def test_a_format_may_be_given(store: Store, tmp_path: Path) -> None:
    export(store, "lucie", tmp_path / "results.txt", "JSON")
    assert len((tmp_path / "results.txt").read_text(encoding="utf-8").splitlines()) == 16
    for suffix in ("jsonl", "ndjson", "pq"):
        assert export(store, "lucie", tmp_path / f"results.{suffix}") == 16


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_failure_leaves_what_was_there(
    store: Store, tmp_path: Path, kind: str, error: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"results.{kind}"
    path.write_text("the old one", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    rows = exporting.export_rows

    def some_rows(*arguments: Any) -> Iterator[Any]:
        yield from rows(*arguments)
        raise error

    monkeypatch.setattr(exporting, "export_rows", some_rows)
    with pytest.raises((KeyboardInterrupt, UsageError), match=r"No space left|^$"):
        export(store, "lucie", path)
    assert path.read_text(encoding="utf-8") == "the old one"
    assert sorted(tmp_path.iterdir()) == before


def test_a_link_stays_one(store: Store, tmp_path: Path) -> None:
    (tmp_path / "real.csv").touch()
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    export(store, "lucie", tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert len(read(tmp_path / "real.csv")) == 16


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("results.xls", None, "cannot tell the format of"),
        ("results", None, "cannot tell the format of"),
        ("results.csv", "cvs", "unknown format 'cvs'; did you mean 'csv'"),
        ("folder.csv", None, "is not a file"),
        ("nowhere/results.csv", None, "No such file or directory"),
        ("nowhere/results.parquet", None, "cannot write"),
        ("store.sqlite", "csv", "is the store itself"),
    ],
)
def test_what_cannot_be_written_is_refused(
    store: Store, tmp_path: Path, name: str, kind: str | None, message: str
) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UsageError, match=message):
        export(store, "lucie", tmp_path / name, kind)


def test_an_unknown_study_makes_no_file(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'lucie'"):
        export(store, "lucy", tmp_path / "results.csv")
    assert not (tmp_path / "results.csv").exists()


def test_without_pyarrow_the_remedy_is_named(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"needs pyarrow.*pip install 'unshuffle\[study\]'"):
        export(store, "lucie", tmp_path / "results.parquet")
    assert export(store, "lucie", tmp_path / "results.csv") == 16


# Tournaments of rule lists: tableau moves, typed decks, and all that was asked for.


@pytest.mark.parametrize("kind", FORMATS)
def test_tableau_moves_and_stored_decks_are_unpacked(tmp_path: Path, kind: str) -> None:
    game = un.game("aces-up")
    decks = [game.deal(seed).stock for seed in (98, 44, 7)]
    with Store.open(tmp_path / "decks.sqlite") as store:
        ids = store.add_decks("aces-up", decks)
        play_tournament(game, ["rules:200", "rules:1"], decks=[ids[0], ids[2]], store=store, study="typed")
        play_tournament(game, ["rules:200"], range(98, 100), store=store, study="seeded")
        path = tmp_path / f"typed.{kind}"
        assert export(store, "typed", path) == 4
        typed = read(path)
        assert export(store, "seeded", path) == 2
        seeded = read(path)
        (batch,) = describe_batches(store, "typed")
    assert [(row["method"], row["seed"], row["won"], row["deal"]) for row in typed[:2]] == [
        ("policy:rules:200", ids[0], True, None),
        ("policy:rules:200", ids[2], False, None),
    ]
    assert [row["deck"] for row in typed[:2]] == [format_cards(decks[place]) for place in (0, 2)]
    assert (seeded[0]["deal"], seeded[0]["deck"]) == ("aces-up/standard@98", None)
    expected = [un.simulate(game, "rules:200", states=[game.start(deck)])[0].tableau_moves for deck in decks]
    assert [row["tableau_moves"] for row in typed[:2]] == [expected[0], expected[2]]
    assert seeded[0]["tableau_moves"] == expected[0]
    assert (batch["state"], batch["games"], batch["wins_only"]) == ("finished", 4, False)
    assert [(each["policy"], each["reduced"]) for each in batch["entered"]] == [("rules:1", "1"), ("rules:200", "200")]


def test_the_batches_and_strategies_are_in_the_provenance(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        play_tournament(un.game("aces-up"), ["rules:2,2,1", "random"], range(3), store=store, study="t")
        export(store, "t", tmp_path / "t.csv")
    origin = json.loads((tmp_path / "t.csv.provenance.json").read_text(encoding="utf-8"))
    assert [run["strategy"] for run in origin["runs"]] == [
        {"policy": "rules:2,1", "reduced": "2,1", "dialect": "classic"},
        {"policy": "random", "reduced": None, "dialect": None},
    ]
    assert [batch["state"] for batch in origin["batches"]] == ["finished"]
    assert set(origin["runs"][0]["rule_counts"]) <= {"1", "2"}


def test_a_study_of_stored_decks_is_finished_and_goes_on_as_a_tournament(tmp_path: Path) -> None:
    game = un.game("aces-up")
    with Store.open(tmp_path / "s.sqlite") as store:
        ids = store.add_decks("aces-up", [game.deal(seed).stock for seed in range(9)])
        play_tournament(game, ["rules:200"], decks=[ids[0], ids[8]], store=store, study="t")
        out = StringIO()
        print_list(store, json=True, out=out)
        shown = json.loads(out.getvalue())
        assert (shown["deals"], shown["planned"]) == (2, 2)
        with pytest.raises(UsageError, match="is played on stored decks; `unshuffle tournament"):
            stored_plan(store, "t")
