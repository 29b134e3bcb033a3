"""The deals with known answers, matched exactly."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

import unshuffle as un
from tests.laws import DATA, effort
from unshuffle.solve import has_twin

pytestmark = pytest.mark.both_engines

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


@pytest.mark.parametrize("merci", ["play", "front"])
def test_proved_maxima_of_whole_deals_with_a_merci(merci: str) -> None:
    game = un.game("belle-lucie", merci=merci)
    if not has_twin(game):
        pytest.skip("too slow for the Python side")
    data = [row for row in rows("deals.jsonl") if f"best_merci_{merci}" in row]
    results = un.solve_many(game.parse(row["fans"]) for row in data)
    for row, result in zip(data, results, strict=True):
        assert (row["id"], result.score, result.score_proved) == (row["id"], row[f"best_merci_{merci}"], True)
    assert len(data) == 40


ENDGAMES: dict[str, dict[str, Any]] = {
    "none": {},
    "play": {"merci": "play"},
    "front": {"merci": "front"},
    "anywhere": {"merci": "anywhere"},
    "second": {"merci": "second"},
    "fan": {"variant": "fan"},
    "any": {"build": "any"},
    "shamrocks": {"variant": "shamrocks"},
}


@pytest.mark.parametrize("key", ENDGAMES)
def test_brute_force_endgames(key: str) -> None:
    game = un.game("belle-lucie", **ENDGAMES[key])
    data = [row for row in rows("endgames.jsonl") if key in row["best"]]
    assert len(data) == (320 if key in ("none", "play", "front", "anywhere") else 120)
    if key in ("anywhere", "shamrocks"):
        data = data[:: effort(game, 1, 12)]
    results = un.solve_many((game.parse(row["fans"]) for row in data), maximize=True)
    for row, result in zip(data, results, strict=True):
        assert (row["id"], result.score, result.score_proved) == (row["id"], row["best"][key], True)


@pytest.mark.parametrize("redeals", range(3))
def test_brute_force_with_known_redeals(redeals: int) -> None:
    data = rows("redeals.jsonl")
    assert len(data) == 40
    games = {"none": un.game("belle-lucie", redeals=redeals)}
    if redeals == 2:
        games["play"] = un.game("belle-lucie", "merci")
    for row in data:
        lines = [f"Redeal {number}: {order}" for number, order in enumerate(row["redeals"][:redeals], 1)]
        for merci, game in games.items():
            result = un.solve(game.parse("\n".join([*lines, row["fans"]])), maximize=True)
            best = row["best"][redeals] if merci == "none" else row["best_merci_play"]
            assert (row["id"], result.score, result.score_proved) == (row["id"], best, True)


@pytest.mark.parametrize("variant", ["one-deal", "fan"])
def test_verdicts_of_another_solver(variant: str) -> None:
    game = un.game("belle-lucie", variant)
    data = [row for row in rows("verdicts.jsonl") if row["variant"] == variant]
    assert data
    if variant == "fan" and not has_twin(game):
        pytest.skip("too slow for the Python side")
    for row, result in zip(data, un.solve_many(game.parse(row["fans"]) for row in data), strict=True):
        assert (row["id"], result.status) == (row["id"], row["status"])
        assert result.score == row.get("best", result.score)


PEER = list(csv.DictReader((FOLDER / "peer.csv").read_text().splitlines()))


@pytest.mark.parametrize("position", PEER, ids=lambda row: row["id"])
def test_deals_that_the_peer_was_run_on(position: dict[str, str]) -> None:
    assert un.solve(GAME.parse(position["fans"])).score == int(position["best"])
