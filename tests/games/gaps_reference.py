"""The reference deals of Gaps, as the tests read them."""

from __future__ import annotations

import csv

import unshuffle as un
from tests.laws import DATA
from unshuffle.games.gaps import State

FOLDER = DATA / "gaps"


def reference(variant: str) -> dict[str, dict[str, str]]:
    """The rows of the variant's file by their id."""
    with (FOLDER / f"{variant}.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def board(variant: str, name: str, rules: str | None = None) -> State:
    """A reference deal, by the rules of its own variant or of another one."""
    state = un.game("gaps", rules or variant).parse(reference(variant)[name]["layout"])
    assert isinstance(state, State)
    return state


def play(state: State, line: str) -> State:
    """The board after these moves."""
    for move in un.game_of(state).parse_moves(line, state):
        state = state.play(move)
    return state
