"""Solve deals with all cards known (open information). Every line is replayed by the rules before it is returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from time import monotonic
from typing import Any

from unshuffle.errors import UsageError
from unshuffle.solve.limits import MOST_THREADS, Limits, check_threads, parse_memory
from unshuffle.solve.many import cores, solve_many
from unshuffle.solve.replay import Line, replay
from unshuffle.solve.result import Interrupted, Progress, Result, Stats, Status
from unshuffle.solve.sides import (
    can_ask,
    check_found,
    check_techniques,
    has_twin,
    known_game,
    question,
    search,
    solve_on,
    tidied,
)

__all__ = [
    "MOST_THREADS",
    "Interrupted",
    "Limits",
    "Line",
    "Progress",
    "Result",
    "Stats",
    "Status",
    "can_ask",
    "check_found",
    "check_techniques",
    "check_threads",
    "cores",
    "has_twin",
    "replay",
    "solve",
    "solve_many",
    "solve_on",
    "tidied",
]


def solve(
    state: Any,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | str = "1GiB",
    maximize: bool = False,
    shorten: bool = False,
    progress: Callable[[Progress], object] | None = None,
    cancel: Event | None = None,
    trace: Callable[[str], object] | None = None,
    without: Sequence[str] = (),
) -> Result:
    """Decide whether the position can be won, and return the result with the best line found.

    If redeals are unknown, a win without them is `solved`; a position that no redeal can win is `unsolvable`; else the
    status is `unknown-redeals`, and an adviser may know the chance.

    `maximize` searches for the proved best score where deciding is cheaper. The line never has moves that the engine
    finds needless; `shorten` looks for a still shorter line in what is left of `seconds`. `progress` is called about
    every 0.1 s; setting `cancel` stops the search. Ctrl-C raises `Interrupted`, which holds the result so far.

    `trace`, such as `file.write`, is called with whole lines of JSON, one line for every position visited; docs/cli.md
    lists their keys. A traced search is the general one of its game.

    `without` names techniques to switch off, to measure what each is worth; `game.techniques` has the names. The answer
    is the same unless a limit is hit.
    """
    limits = Limits(nodes, seconds, parse_memory(memory))
    until = None if seconds is None else monotonic() + seconds
    game = known_game(state)
    check_techniques(game, without)
    if without and trace is not None:
        raise UsageError("a traced search is the general one: without= does not go with trace=")
    asked, asked_game = question(state, game)
    watch = _watcher(progress, cancel)
    found, side = search(asked, asked_game, limits, maximize, watch, trace, without)
    try:
        result = check_found(state, game, found, side, shorten, until, tidy=True)
    except KeyboardInterrupt:
        # Ctrl-C while the line was shortened: the result is known.
        raise Interrupted(check_found(state, game, found, side)) from None
    if found.interrupted:
        raise Interrupted(result)
    return result


def _watcher(progress: Callable[[Progress], object] | None, cancel: Event | None) -> Callable[[Progress], bool] | None:
    if progress is None and cancel is None:
        return None

    def watch(now: Progress) -> bool:
        if progress is not None:
            progress(now)
        return cancel is not None and cancel.is_set()

    return watch
