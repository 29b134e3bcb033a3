"""Stores with known results, for the tests of what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.store.making import finish_games
from unshuffle.store import Run, RunSpec, SolverRow, Store

OWNER = "nobody"
STATUSES = ("solved", "unsolvable", "node-limit")


def make_spec(count: int, **changes: Any) -> RunSpec:
    """A plan over so many deals from seed 0 on."""
    is_solver = changes.get("method", "solver") == "solver"
    values: dict[str, Any] = {
        "game": "belle-lucie", "variant": "one-deal", "rules": {"fan_size": "3", "redeals": "0"}, "method": "solver",
        "information": "open" if is_solver else "hidden", "generator": "unshuffle", "first_seed": 0,
        "nodes_limit": 100_000 if is_solver else None, "memory_limit": 1 << 30 if is_solver else None,
        "engine": "native", "package_version": "0.1.0",
    }  # fmt: skip
    values |= changes
    return RunSpec(**{"last_seed": values["first_seed"] + count - 1} | values)


def solver_row(seed: int, status: str) -> SolverRow:
    """The result of a deal, all of it made from its seed."""
    won = status == "solved"
    moves = "AS AC" if won and seed % 2 else None
    return seed, status, 52 if won else seed * 7 % 50, won, 1 + seed * seed * 31 % 1009, seed / 8, moves, None


def fill_solver(
    store: Store, study: str, statuses: Sequence[str], *, sizes: Sequence[int] = (), planned: int = 0, **changes: Any
) -> Run:
    """A solver run with these results, stored in chunks of these sizes and the rest."""
    run = store.add_run(study, make_spec(max(len(statuses), planned), **changes))
    done = 0
    for size in (*sizes, len(statuses)):
        piece = statuses[done : done + size]
        if not piece:
            continue
        claim = store.claim(run, OWNER, len(piece))
        assert claim is not None
        first, last = claim
        rows = [solver_row(first + place, status) for place, status in enumerate(piece)]
        store.finish_solver_chunk(run, first, last, rows, owner=OWNER, engine="native", replayed=1)
        done += len(piece)
    return run


def fill_policy(store: Store, study: str, won: Sequence[bool], *, planned: int = 0, **changes: Any) -> Run:
    """A policy run with these endings, in one chunk."""
    changes = {"method": "policy:greedy"} | changes
    run = store.add_run(study, make_spec(max(len(won), planned), **changes))
    claim = store.claim(run, OWNER, len(won))
    assert claim is not None
    scores = bytes(52 if each else place % 50 for place, each in enumerate(won))
    finish_games(store, run, claim[0], scores, won, OWNER)
    return run
