"""Studies of how often a game can be won: plans, resumable runs, statistics and reports. See docs/studies.md."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

from unshuffle.game import AnyGame
from unshuffle.store import Run
from unshuffle.study.plan import Part, Plan, make_parts, stored_plan
from unshuffle.study.planfile import read_plan
from unshuffle.study.runner import run_study
from unshuffle.study.standing import Progress, Standing, StudyInterrupted

__all__ = [
    "Part",
    "Plan",
    "Standing",
    "StudyInterrupted",
    "make_parts",
    "read_plan",
    "run",
    "run_study",
    "stored_plan",
]


def run(
    name: str,
    game: str | AnyGame,
    *,
    variant: str | Iterable[str] | None = None,
    solver: bool = False,
    policy: str | Iterable[str] | None = None,
    seeds: str | range | None = None,
    store: str | Path | None = None,
    threads: int | None = None,
    dask: str | None = None,
    progress: Progress | None = None,
    cancel: Event | None = None,
    **options: Any,
) -> list[Run]:
    """Play the missing deals of a study, as `unshuffle study run` does, and return its runs as they are stored.

    The other options are those of `make_parts`: rule, precision, guess, nodes, seconds, memory, maximize, generator,
    replay, moves and infer. `dask` names a cluster that plays the deals (docs/clusters.md). Ctrl-C raises
    `StudyInterrupted`; the deals that were played are stored.
    """
    parts = make_parts(game, variant=variant, solver=solver, policy=policy, seeds=seeds, **options)
    plan = Plan(name=name, parts=parts, threads=threads)
    return run_study(plan, store, dask=dask, progress=progress, cancel=cancel)
