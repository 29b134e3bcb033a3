"""Searches and policy games over some seeds, the same here and on a worker of a cluster. No store is involved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any, Protocol

import unshuffle as un
from unshuffle import engine
from unshuffle.deals import OURS, Source
from unshuffle.rulebook import write_rules
from unshuffle.solve import check_found
from unshuffle.store import PolicyGames, SolverRow
from unshuffle.study.plan import Part

_CHUNKS_AHEAD = 3
"""Chunks submitted to the engine before the answers of the first are fetched."""


class Search(Protocol):
    """A search for the deals of one run. Its rows come in the order in which the seeds were submitted."""

    replayed: int
    """Lines that the Python rules have replayed so far."""

    def wants_more(self) -> bool:
        """Return whether to submit further seeds before fetching answers, so that the search never waits for disk."""

    def submit(self, seeds: Sequence[int]) -> bool:
        """Submit seeds; return False if there are none."""

    def rows(self, seeds: Sequence[int]) -> Iterator[SolverRow]:
        """Yield the results of the next submitted seeds; an interrupted search raises KeyboardInterrupt."""

    def close(self) -> None:
        """Cancel the searches under way."""


def open_search(part: Part, threads: int, wins_to_replay: int) -> Search:
    """Return the search of a run. With `replay='sample'` it replays `wins_to_replay` wins and every hundredth deal."""
    if part.engine == "native":
        return _NativeSearch(part, threads, wins_to_replay)
    return _PythonSearch(part, threads)


class _NativeSearch:
    """A search on the engine's threads."""

    def __init__(self, part: Part, threads: int, wins_to_replay: int) -> None:
        native: Any = engine.native()
        limits = part.limits
        assert limits is not None
        self.replayed = 0
        self._chunks = self._deals = 0  # under way
        self._deals_ahead = 2 * threads
        self._part = part
        self._wins_left = wins_to_replay
        self._batch = native.Batch(
            part.game.engine_id,
            write_rules(part.game.rules),
            threads=threads,
            nodes=limits.nodes,
            seconds=limits.seconds,
            memory=limits.memory,
            maximize=part.maximize,
        )

    def wants_more(self) -> bool:
        return self._chunks < _CHUNKS_AHEAD or self._deals < self._deals_ahead

    def submit(self, seeds: Sequence[int]) -> bool:
        if not seeds:
            return False
        self._chunks += 1
        self._deals += len(seeds)
        game, generator = self._part.game, self._part.generator
        if generator == OURS:
            self._batch.submit_seeds(list(seeds))
        else:
            self._batch.submit([game.wire(game.deal(Source(seed, generator))) for seed in seeds])
        return True

    def rows(self, seeds: Sequence[int]) -> Iterator[SolverRow]:
        self._chunks -= 1
        self._deals -= len(seeds)
        game, generator, keeps_moves = self._part.game, self._part.generator, self._part.keeps_moves
        all_lines = keeps_moves or self._part.replay == "all"
        next_found = self._batch.next
        tokens = None
        # A fast engine leaves only some microseconds per deal: this loop does nothing that can be done later.
        for seed in seeds:
            found = next_found()
            row = found.row
            status = row[0]
            checks = all_lines or seed % 100 == 0
            if status == "solved":
                checks = checks or self._wins_left > 0
                self._wins_left -= 1
            elif status == "cancelled":
                raise KeyboardInterrupt
            if checks:
                check_found(game.deal(Source(seed, generator)), game, found)
                self.replayed += 1
                if keeps_moves:
                    tokens = " ".join(found.moves)
            yield (seed, *row, tokens, None)

    def close(self) -> None:
        self._batch.cancel()


class _PythonSearch:
    """A search by the Python rules, for a game that the engine lacks, or without an engine. It replays every line."""

    def __init__(self, part: Part, threads: int) -> None:
        self.replayed = 0
        self._is_busy = False
        self._part = part
        self._threads = threads

    def wants_more(self) -> bool:
        return not self._is_busy

    def submit(self, seeds: Sequence[int]) -> bool:
        """Note whether there are seeds. They are searched when `rows` is read: no threads work ahead."""
        self._is_busy = bool(seeds)
        return self._is_busy

    def rows(self, seeds: Sequence[int]) -> Iterator[SolverRow]:
        self._is_busy = False
        part, limits = self._part, self._part.limits
        assert limits is not None
        results = un.solve_many(
            (part.game.deal(Source(seed, part.generator)) for seed in seeds),
            threads=self._threads,
            seconds=limits.seconds,
            nodes=limits.nodes,
            memory=limits.memory,
            maximize=part.maximize,
        )
        for seed, result in zip(seeds, results, strict=True):
            tokens = " ".join(move.token for move in result.moves) if part.keeps_moves else None
            self.replayed += 1
            counts = (result.stats.nodes, result.stats.seconds)
            yield (seed, str(result.status), result.score, result.score_proved, *counts, tokens, None)

    def close(self) -> None:
        """Do nothing: no search is under way."""


def play_games(
    part: Part,
    seeds: range,
    *,
    threads: int,
    wins_to_replay: int,
    progress: Callable[[int], object] | None = None,
    interrupted: Callable[[PolicyGames], object] | None = None,
) -> PolicyGames:
    """Let the policy of a run play these seeds. On Ctrl-C `interrupted` is called with the games that were played."""
    from unshuffle.simulate import Deals, SimulationInterrupted, policy_of, run_policy

    begun = monotonic()
    deals = Deals(part.game, numbers=seeds, generator=part.generator)
    policy = policy_of(part.game, part.policy or "")
    try:
        games = run_policy(deals, policy, threads=threads, replay_wins=wins_to_replay, progress=progress)
    except SimulationInterrupted as ended:
        if interrupted is not None and len(ended.simulation):
            interrupted(ended.simulation.kept(monotonic() - begun))
        raise
    return games.kept(monotonic() - begun)
