"""Can this deal be won, and how? With all cards known (open information), every line replayed before it is shown."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame, Game, Hooks, game_class
from unshuffle.rulebook import write_rules
from unshuffle.solve.limits import Limits, parse_memory
from unshuffle.solve.replay import Line, check, replay
from unshuffle.solve.result import Interrupted, Progress, Result, Stats, Status
from unshuffle.solve.shorten import shorten as shorten_line

if TYPE_CHECKING:
    from unshuffle.solve import reference

__all__ = [
    "Interrupted",
    "Limits",
    "Line",
    "Progress",
    "Result",
    "Stats",
    "Status",
    "check_found",
    "cores",
    "has_twin",
    "replay",
    "solve",
    "solve_many",
    "solve_on",
]

# Deals handed to the pool ahead of the one that is waited for: enough to keep the threads busy while lines are
# replayed here, few enough that an endless stream of states costs no memory.
_AHEAD_PER_THREAD = 64


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
) -> Result:
    """Decide whether the position can be won, and give the line.

    `maximize` asks for the proved best score where deciding is cheaper; `shorten` for a shorter line, within what is
    left of `seconds`. `progress` is called about every 0.1 s; `cancel` stops the search when it is set. Ctrl-C raises
    `Interrupted`, which holds what was found so far.
    """
    until = None if seconds is None else monotonic() + seconds
    limits = Limits(nodes, seconds, parse_memory(memory))
    game = _game_of(state)
    found, side = _search(state, game, limits, maximize, _watcher(progress, cancel))
    result = _checked(state, game, found, side, shorten, until)
    if found.interrupted:
        raise Interrupted(result)
    return result


def _game_of(state: Any) -> AnyGame | None:
    """The registered game of a state; None for a state of a class that was never registered."""
    try:
        return game_class(state.game_id).of(state)
    except (AttributeError, UsageError):
        return None


def _watcher(progress: Callable[[Progress], object] | None, cancel: Event | None) -> Callable[[Progress], bool] | None:
    if progress is None and cancel is None:
        return None

    def watch(now: Progress) -> bool:
        if progress is not None:
            progress(now)
        return cancel is not None and cancel.is_set()

    return watch


def _search(
    state: Any,
    game: AnyGame | None,
    limits: Limits,
    maximize: bool,
    watch: Callable[[Progress], bool] | None = None,
) -> tuple[Any, str]:
    """One search on the best side that can do it, and the name of that side."""
    native = engine.native()
    if game is not None and native is not None and _has_twin(native, game):
        return _search_natively(native, state, game, limits, maximize, watch), "native"
    return _search_in_python(state, game, limits, maximize, watch), "python"


def _search_natively(
    native: Any,
    state: Any,
    game: AnyGame,
    limits: Limits,
    maximize: bool,
    watch: Callable[[Progress], bool] | None = None,
) -> Any:
    return native.solve(
        game.id,
        write_rules(game.rules),
        game.format(state),
        nodes=limits.nodes,
        seconds=limits.seconds,
        memory=limits.memory,
        maximize=maximize,
        watch=None if watch is None else lambda *counts: watch(Progress(*counts)),
    )


def _search_in_python(
    state: Any, game: AnyGame | None, limits: Limits, maximize: bool, watch: Callable[[Progress], bool] | None = None
) -> reference.Found:
    from unshuffle.solve import reference  # slow to import, and not needed where the engine serves

    if game is None:
        return reference.search(state, limits, maximize=maximize, hooks=Hooks(), watch=watch)
    return reference.search(
        state,
        limits,
        maximize=maximize or game.always_maximizes,
        most_score=game.most_score,
        hooks=game.hooks(),
        watch=watch,
    )


def solve_on(side: str, state: Any, limits: Limits, *, maximize: bool = False) -> Result:
    """Solve on one side, 'native' or 'python', whichever would serve: to set one beside the other."""
    game = _game_of(state)
    if side == "python":
        return _checked(state, game, _search_in_python(state, game, limits, maximize), side)
    from unshuffle import _engine  # whatever the environment says: this side was asked for

    assert game is not None
    return _checked(state, game, _search_natively(_engine, state, game, limits, maximize), side)


def has_twin(game: AnyGame) -> bool:
    """True if the native engine serves and knows this game under these rules."""
    native = engine.native()
    return native is not None and _has_twin(native, game)


def check_found(state: Any, game: AnyGame, found: Any, side: str = "native") -> Result:
    """The result of a search whose line the Python rules have replayed; InternalError if they disagree with it."""
    return _checked(state, game, found, side)


def _has_twin(native: Any, game: AnyGame) -> bool:
    return game.id in native.games() and native.supports(game.id, write_rules(game.rules))


def _checked(
    state: Any, game: AnyGame | None, found: Any, side: str, shorten: bool = False, until: float | None = None
) -> Result:
    """The result, its line replayed by the Python rules and, if asked for, made shorter."""
    status = Status(found.status)
    moves = tuple(game.parse_move(move) if isinstance(move, str) and game is not None else move for move in found.moves)
    line = check(state, moves, status, found.score, side)
    if shorten:
        line = shorten_line(line, until)
    return Result(state, status, line.moves, found.score, found.score_proved, Stats(found.stats), side)


def solve_many(
    states: Iterable[Any] | AnyGame,
    *,
    seeds: Iterable[int] | None = None,
    threads: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | str = "1GiB",
    maximize: bool = False,
    shorten: bool = False,
) -> Iterator[Result]:
    """Solve many deals over all cores; results come in order and do not depend on the number of threads.

    Either states (of one game or of several), or a game with `seeds`: those are dealt in the engine. Limits hold for
    each deal; `memory` is the cap of each search, of which `threads` run at once.
    """
    limits = Limits(nodes, seconds, parse_memory(memory))
    if threads is None:
        threads = cores()
    if threads < 1:
        raise UsageError(f"threads={threads}: at least one is needed")
    if isinstance(states, Game) != (seeds is not None):
        raise UsageError("solve_many takes states, or a game and seeds")
    if isinstance(states, Game):
        assert seeds is not None
        tasks: Iterable[tuple[Any, AnyGame | None]] = ((states.deal(seed), states) for seed in seeds)
    else:
        tasks = ((state, _game_of(state)) for state in states)
    return _solve_in_order(iter(tasks), threads, limits, maximize, shorten)


def cores() -> int:
    """How many searches can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_cores = cores


def _solve_in_order(
    tasks: Iterator[tuple[Any, AnyGame | None]], threads: int, limits: Limits, maximize: bool, shorten: bool
) -> Iterator[Result]:
    """Runs of tasks of one game go through one batch; a task without a twin is searched here."""
    native = engine.native()
    batches: dict[str, Any] = {}
    waiting: deque[tuple[Any, AnyGame | None, Any]] = deque()
    ahead = _AHEAD_PER_THREAD * threads
    try:
        while True:
            missing = ahead - len(waiting)
            # Topped up in gulps: one call for many deals costs less than many calls for one.
            if missing > ahead // 2:
                _submit(list(islice(tasks, missing)), waiting, batches, native, threads, limits, maximize)
            if not waiting:
                return
            state, game, batch = waiting.popleft()
            until = None if limits.seconds is None else monotonic() + limits.seconds
            if batch is None:
                found, side = _search_in_python(state, game, limits, maximize), "python"
                if found.interrupted:
                    raise KeyboardInterrupt
            else:
                found, side = batch.next(), "native"
            yield _checked(state, game, found, side, shorten, until)
    finally:
        for batch in batches.values():
            if batch is not None:
                batch.cancel()


def _submit(
    tasks: list[tuple[Any, AnyGame | None]],
    waiting: deque[tuple[Any, AnyGame | None, Any]],
    batches: dict[str, Any],
    native: Any,
    threads: int,
    limits: Limits,
    maximize: bool,
) -> None:
    """Hand tasks to the batch of their game; results of one batch come back in the order of submission."""
    positions: dict[str, list[str]] = {}
    for state, game in tasks:
        batch = None
        if game is not None and native is not None:
            name = str(game)
            if name not in batches:
                batches[name] = (
                    None
                    if not _has_twin(native, game)
                    else native.Batch(
                        game.id,
                        write_rules(game.rules),
                        threads=threads,
                        nodes=limits.nodes,
                        seconds=limits.seconds,
                        memory=limits.memory,
                        maximize=maximize,
                    )
                )
            batch = batches[name]
            if batch is not None:
                positions.setdefault(name, []).append(game.format(state))
        waiting.append((state, game, batch))
    for name, texts in positions.items():
        batches[name].submit(texts)
