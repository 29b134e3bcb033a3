"""Solve many deals on all cores, with results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from unshuffle import engine
from unshuffle.deals import Source
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame, Game
from unshuffle.rulebook import write_rules
from unshuffle.solve.limits import Limits, check_threads, parse_memory
from unshuffle.solve.result import Result
from unshuffle.solve.sides import check_found, check_techniques, known_game, knows, question, search

# Deals submitted ahead of the one whose result is next: enough to keep the threads busy while lines are replayed here,
# few enough that an endless stream of states takes little memory.
_AHEAD_PER_THREAD = 64


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Task(NamedTuple):
    """One deal: its state, or the source of a deck that the engine deals itself."""

    game: AnyGame | None
    given: Any
    asked: Any
    """The state to search; None if the engine deals the deck."""
    asked_game: AnyGame | None
    """The game under whose rules it is searched."""

    def state(self) -> Any:
        return self.game.deal(self.given) if isinstance(self.given, Source) and self.game is not None else self.given


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
    without: Sequence[str] = (),
) -> Iterator[Result]:
    """Yield the results of many deals, in order; they do not depend on the number of threads.

    Pass states (of one game or of several), or a game with `seeds`, which the engine deals. Limits hold for each deal;
    `memory` is the cap of each of the `threads` searches that run at once. Unlike `solve`, lines keep needless moves
    unless `shorten` is set. Searches `without` some technique run one after the other.
    """
    limits = Limits(nodes, seconds, parse_memory(memory))
    threads = check_threads(threads) or cores()
    if isinstance(states, Game) != (seeds is not None):
        raise UsageError("solve_many takes states, or a game and seeds")
    tasks = _deal(states, () if seeds is None else seeds) if isinstance(states, Game) else map(_place, states)
    return _Pool(threads, limits, maximize, without).solve(tasks, shorten)


def _deal(game: AnyGame, seeds: Iterable[int]) -> Iterator[_Task]:
    for seed in seeds:  # the redeals of a seed are known, so the deal is searched as it is
        yield _Task(game, Source(seed), None, game)


def _place(state: Any) -> _Task:
    game = known_game(state)
    return _Task(game, state, *question(state, game))


class _Pool:
    """A batch of the engine for each game; a task of a game without a twin is searched here when its turn comes."""

    def __init__(self, threads: int, limits: Limits, maximize: bool, without: Sequence[str]) -> None:
        self._native: Any = None if without else engine.native()
        self._without = without
        self._threads = threads
        self._limits = limits
        self._maximize = maximize
        self._batches: dict[str, Any] = {}

    def solve(self, tasks: Iterator[_Task], shorten: bool) -> Iterator[Result]:
        waiting: deque[tuple[_Task, Any]] = deque()
        ahead = _AHEAD_PER_THREAD * self._threads
        try:
            while True:
                # Refill in large steps: one call for many deals costs less than many calls for one.
                if len(waiting) < ahead // 2:
                    waiting.extend(self._submit(list(islice(tasks, ahead - len(waiting)))))
                if not waiting:
                    return
                task, batch = waiting.popleft()
                state = task.state()
                until = None if self._limits.seconds is None else monotonic() + self._limits.seconds
                if batch is None:
                    asked = task.asked if task.asked is not None else question(state, task.game)[0]
                    check_techniques(task.game, self._without)
                    found, side = search(asked, task.asked_game, self._limits, self._maximize, without=self._without)
                    if found.interrupted:
                        raise KeyboardInterrupt
                else:
                    found, side = batch.next(), "native"
                result = check_found(state, task.game, found, side, shorten, until)
                yield result
                # A caller may keep millions of results: they keep their moves and drop the states.
                result.drop_line()
        finally:
            for batch in self._batches.values():
                if batch is not None:
                    batch.cancel()

    def _submit(self, tasks: list[_Task]) -> Iterator[tuple[_Task, Any]]:
        """Submit tasks to the batches of their games, which return results in the order of submission."""
        seeds: dict[str, list[int]] = {}
        texts: dict[str, list[str]] = {}
        placed = []
        for task in tasks:
            game = task.asked_game
            batch = self._batch(game)
            placed.append((task, batch))
            if batch is not None and game is not None:
                if task.asked is None:
                    seeds.setdefault(str(game), []).append(task.given.seed)
                else:
                    texts.setdefault(str(game), []).append(game.wire(task.asked))
        for name, numbers in seeds.items():
            self._batches[name].submit_seeds(numbers)
        for name, positions in texts.items():
            self._batches[name].submit(positions)
        return iter(placed)

    def _batch(self, game: AnyGame | None) -> Any:
        if game is None or self._native is None:
            return None
        if str(game) not in self._batches:
            self._batches[str(game)] = self._open(game) if knows(self._native, game) else None
        return self._batches[str(game)]

    def _open(self, game: AnyGame) -> Any:
        return self._native.Batch(
            game.engine_id,
            write_rules(game.rules),
            threads=self._threads,
            nodes=self._limits.nodes,
            seconds=self._limits.seconds,
            memory=self._limits.memory,
            maximize=self._maximize,
        )
