"""Verdicts that are taken from other runs, in games that both engines play."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import IS_LONG
from tests.study.test_inference import play, rows
from unshuffle.engine import describe_engine

pytestmark = pytest.mark.both_engines

NATIVE = describe_engine() == "native"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def test_agnes_is_decided_alike_with_and_without(tmp_path: Path) -> None:
    deals = 6 if IS_LONG else 3 if NATIVE else 2
    seeds = f"0..{deals - 1}"
    small = {"ranks": 4, "piles": 3}
    play(tmp_path / "with.sqlite", game="agnes", seeds=seeds, rule=small)
    play(tmp_path / "without.sqlite", game="agnes", seeds=seeds, rule=small, infer=False)
    found, searched = rows(tmp_path / "with.sqlite"), rows(tmp_path / "without.sqlite")
    assert len(found) == 40
    for variant, each in found.items():
        for row, other in zip(each, searched[variant], strict=True):
            assert row["status"] == other["status"], (variant, row)
            assert row["inferred_from"] or row == other | {"seconds": row["seconds"]}
    assert sum(row["inferred_from"] is not None for each in found.values() for row in each) > 8 * deals


def test_the_engine_is_asked_only_what_is_not_known(path: Path) -> None:
    loose = "fan"
    deals = 400 if NATIVE else 12
    seeds = f"0..{deals - 1}"
    play(path, "one-deal", "belle-lucie", seeds)
    alone = rows(path)["one-deal"]
    path.unlink()
    play(path, loose, "belle-lucie", seeds, nodes=2_000)
    play(path, "one-deal", "belle-lucie", seeds)
    found = rows(path)
    assert [row["status"] for row in found["one-deal"]] == [row["status"] for row in alone]
    for row, looser, searched in zip(found["one-deal"], found[loose], alone, strict=True):
        is_lost = looser["status"] == "unsolvable"
        assert row["inferred_from"] == (loose if is_lost else None)
        if not is_lost:
            assert (row["score"], row["nodes"]) == (searched["score"], searched["nodes"])
    inferred = [row for row in found["one-deal"] if row["inferred_from"]]
    assert 0 < len(inferred) < deals


def test_a_line_with_forced_discards_becomes_one_in_which_they_are_moves(path: Path) -> None:
    deals = "0..39" if NATIVE else "0..3"
    for variant in ("must-fill", "relaxed-discards"):
        play(path, variant, "aces-up", deals, moves=True, nodes=2_000)
    found = rows(path)
    won = {row["seed"]: row for row in found["must-fill"] if row["status"] == "solved"}
    assert won
    game = un.game("aces-up", "relaxed-discards")
    for row in found["relaxed-discards"]:
        assert row["inferred_from"] == ("must-fill" if row["seed"] in won else None)
        if row["seed"] in won:
            start = game.deal(row["seed"])
            line = un.replay(start, game.parse_moves(row["moves"], start))
            assert (line.outcome, row["moves"].count("x")) == (un.Outcome.WON, 48)
