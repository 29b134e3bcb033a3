"""Runs and results made by hand, for tests of the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from unshuffle.store import PolicyChunk, PolicyGames, Run, RunSpec, SolverRow, Store
from unshuffle.store.seals import seal_all

STATUSES = ("unsolvable", "unsolvable", "solved", "node-limit")


def spec(first: int = 0, last: int = 99, **changes: Any) -> RunSpec:
    """A solver run."""
    made = RunSpec(
        game="belle-lucie",
        variant="one-deal",
        rules={"fan_size": "3"},
        method="solver",
        information="open",
        generator="unshuffle",
        first_seed=first,
        last_seed=last,
        nodes_limit=1000,
        memory_limit=1 << 30,
        engine="native",
        package_version="0",
    )
    return replace(made, **changes)


def rows(first: int, last: int) -> list[SolverRow]:
    """Results that can be told from their seeds."""
    return [
        (
            seed,
            STATUSES[seed % 4],
            52 if seed % 4 == 2 else seed % 52,
            seed % 4 < 3,
            seed * seed % 1009,
            0.001,
            None,
            None,
        )
        for seed in range(first, last + 1)
    ]


def finish(store: Store, run: Run, first: int, last: int, owner: str = "tests") -> None:
    """Store such results."""
    store.finish_solver_chunk(run, first, last, rows(first, last), owner=owner, engine="native", replayed=1)


def finish_games(
    store: Store, run: Run, first: int, scores: Sequence[int], won: Sequence[int], owner: str = "tests", **more: Any
) -> None:
    """Store games of a policy; `more` are further fields of `PolicyGames`."""
    chunk = PolicyChunk(run, first, PolicyGames(scores, won, **({"replayed": 2} | more)), "python")
    assert store.finish_policy_chunks([chunk], owner=owner) == [chunk]


def rewrite(store: Store, statement: str, *values: object) -> None:
    """Change what is stored, as if it had been written so: with counts and checksums that fit."""
    store._db.execute(statement, values)
    for kind, statuses in (("won", "'solved'"), ("lost", "'unsolvable'")):
        store._db.execute(
            f"UPDATE chunk SET {kind} = (SELECT count(*) FROM result WHERE result.run_id = chunk.run_id"
            f" AND seed BETWEEN first AND last AND status IN ({statuses})) WHERE nodes_sum IS NOT NULL"
        )
    seal_all(store._db)
