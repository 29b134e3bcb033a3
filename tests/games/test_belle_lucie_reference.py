"""The deals with known answers, matched exactly."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

import unshuffle as un
from tests.laws import DATA

GAME = un.game("belle-lucie")
FOLDER = DATA / "belle-lucie"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


def test_proved_maxima_of_whole_deals() -> None:
    data = rows("deals.jsonl")
    results = un.solve_many(GAME.parse(row["fans"]) for row in data)
    for row, result in zip(data, results, strict=True):
        assert (row["id"], result.score, result.status) == (row["id"], row["best"], row["status"])
        assert result.score_proved
    assert len(data) == 120


def test_brute_force_endgames() -> None:
    data = rows("endgames.jsonl")
    for row, result in zip(data, un.solve_many(GAME.parse(row["fans"]) for row in data), strict=True):
        assert (row["id"], result.score) == (row["id"], row["best"]["none"])
    assert len(data) == 320


def test_verdicts_of_another_solver() -> None:
    data = [row for row in rows("verdicts.jsonl") if row["variant"] == "one-deal"]
    for row, result in zip(data, un.solve_many(GAME.parse(row["fans"]) for row in data), strict=True):
        assert (row["id"], result.status, result.score) == (row["id"], row["status"], row["best"])
    assert data


PEER = list(csv.DictReader((FOLDER / "peer.csv").read_text().splitlines()))


@pytest.mark.parametrize("position", PEER, ids=lambda row: row["id"])
def test_deals_that_the_peer_was_run_on(position: dict[str, str]) -> None:
    assert un.solve(GAME.parse(position["fans"])).score == int(position["best"])
