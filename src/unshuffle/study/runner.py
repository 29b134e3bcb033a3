"""Doing what a plan says: claim some seeds, play them, store them, until none is left. docs/studies.md has the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import unshuffle as un
from unshuffle import engine
from unshuffle.deals import OURS, Source
from unshuffle.errors import StoreError
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, check_found, cores
from unshuffle.store import ClaimLostError, Owner, Run, SolverRow, Store
from unshuffle.study.inference import Inference, order_parts
from unshuffle.study.plan import Part, Plan
from unshuffle.study.standing import Progress, Standing, StudyInterrupted

REPLAYED_WINS = 1_000
"""With `replay='sample'` the lines of so many wins of a run are replayed, and of every hundredth deal besides."""

_MOST = 10_000
"""Deals in one chunk, at the most."""
_COMMIT_SECONDS = 1.0
"""About how much work a chunk is, and how long a result waits before it is stored."""
_SHOW_SECONDS = 0.1
_POLL_SECONDS = 0.2
_CHUNKS_AHEAD = 3
"""Chunks handed to the threads before the first of them is stored, so that they never wait for the disk."""


def run_study(
    plan: Plan,
    store_path: str | Path | None = None,
    *,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> list[Run]:
    """Play every deal of the plan that is not stored yet, and return its runs as they are stored.

    `progress` is told about ten times a second how far it has come; `cancel` ends the run soon after it is set.
    """
    with Store.open(store_path or plan.store) as store:
        runs = store.add_runs(plan.name, [part.spec() for part in plan.parts])
        threads = plan.threads or cores()
        for place in order_parts(plan.parts):
            try:
                _Work(store, plan.parts[place], runs[place], threads, progress, cancel).do()
            except KeyboardInterrupt:
                raise StudyInterrupted(plan, store.path) from None
        return runs


@dataclass(frozen=True, slots=True)
class _Piece:
    """Seeds that are ours to play, and the results of those among them that need no search."""

    first: int
    last: int
    known: Mapping[int, SolverRow]
    searched: list[int]
    """The other seeds."""

    @property
    def count(self) -> int:
        """All of its deals."""
        return self.last - self.first + 1


class _Work:
    """One run of a plan on one store."""

    def __init__(
        self, store: Store, part: Part, run: Run, threads: int, progress: Progress | None, cancel: Event | None
    ) -> None:
        self._store = store
        self._part = part
        self._run = run
        self._threads = threads
        self._progress = progress
        self._cancel = cancel
        self._owner = Owner()
        self._begun = self._shown = monotonic()
        self._size = max(8, 4 * threads) if part.engine == "native" else 1
        self._played = 0
        self._at_start = store.summary(run)
        self._inference = Inference(store, part, run)
        # The wins of this run whose lines have been replayed, as far as anyone can know; inferred ones have none here.
        self._wins = max(0, self._at_start.won - self._at_start.inferred)
        self._done_before = _overlap(store.seeds_done(run), part.seeds)
        self._counts = {"won": 0, "lost": 0, "undecided": 0}

    def do(self) -> None:
        """Play until nothing is left."""
        try:
            while True:
                if self._part.policy is not None:
                    self._play_policy()
                elif self._part.engine == "native":
                    self._solve_natively()
                else:
                    self._solve_in_python()
                if not self._wait_for_others():
                    break
            self._show(at_once=True)
        finally:
            self._owner.close()
            with suppress(StoreError):
                self._store.release(self._run, self._owner.name)

    def _claim(self) -> tuple[int, int] | None:
        return self._store.claim(self._run, self._owner.name, self._size, self._part.seeds)

    def _claims(self) -> Iterator[tuple[int, int]]:
        while (claim := self._claim()) is not None:
            yield claim

    def _take(self) -> _Piece | None:
        """The next deals to be decided, and what is known of them; None if there are none."""
        claim = self._claim()
        if claim is None:
            return None
        first, last = claim
        known = self._inference.look_up(first, last)
        return _Piece(first, last, known, [seed for seed in range(first, last + 1) if seed not in known])

    def _wait_for_others(self) -> bool:
        """Wait while other processes hold what is left; True if some of it has come back to be played here."""
        seeds = self._part.seeds
        # Nothing is under way here: what we still hold is the rest of a claim that others broke into.
        self._store.release(self._run, self._owner.name)
        while True:
            missing = len(seeds) - _overlap(self._store.seeds_done(self._run), seeds)
            if missing == 0:
                return False
            claim = self._store.claim(self._run, self._owner.name, 1, seeds)
            if claim is not None:
                self._store.release(self._run, self._owner.name)
                return True
            self._show(waiting=missing, at_once=True)
            self._check_cancel()
            sleep(_POLL_SECONDS)

    def _check_cancel(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise KeyboardInterrupt

    def _adapt(self, deals: int, seconds: float) -> None:
        """Make the next chunk about a second of work; grow with care, for the first deals may be easy ones."""
        wanted = int(deals * _COMMIT_SECONDS / max(seconds, 1e-6))
        least = self._threads if self._part.engine == "native" else 1
        self._size = max(least, min(wanted, 4 * self._size, _MOST))

    def _note(self, rows: int, won: int, lost: int) -> None:
        self._played += rows
        self._counts["won"] += won
        self._counts["lost"] += lost
        self._counts["undecided"] += rows - won - lost

    def _show(self, *, waiting: int = 0, at_once: bool = False, unstored: int = 0) -> None:
        now = monotonic()
        if now - self._shown < _SHOW_SECONDS and not at_once:
            return
        self._shown = now
        if self._progress is None:
            return
        start = self._at_start
        self._progress(
            Standing(
                run=self._run,
                wanted=len(self._part.seeds),
                done=self._done_before + self._played,
                played=self._played + unstored,
                seconds=now - self._begun,
                won=start.won + self._counts["won"],
                lost=start.lost + self._counts["lost"],
                undecided=start.undecided + self._counts["undecided"],
                waiting=waiting,
            )
        )

    # The solver, in the engine.

    def _solve_natively(self) -> None:
        native: Any = engine.native()
        game, limits = self._part.game, self._part.limits
        assert limits is not None
        batch = native.Batch(
            game.id,
            write_rules(game.rules),
            threads=self._threads,
            nodes=limits.nodes,
            seconds=limits.seconds,
            memory=limits.memory,
            maximize=self._part.maximize,
        )
        pieces: deque[_Piece] = deque()
        outstanding = 0
        try:
            while True:
                while len(pieces) < _CHUNKS_AHEAD or outstanding < 2 * self._threads:
                    begun = monotonic()
                    piece = self._take()
                    if piece is None:
                        break
                    if not piece.searched:
                        # The engine has nothing to do with it, and it need not wait for those that the engine has.
                        self._collect(batch.next, piece)
                        self._adapt(piece.count, monotonic() - begun)
                        continue
                    self._submit(batch, piece.searched)
                    pieces.append(piece)
                    outstanding += len(piece.searched)
                if not pieces:
                    return
                piece = pieces.popleft()
                outstanding -= len(piece.searched)
                begun = monotonic()
                self._collect(batch.next, piece)
                self._adapt(piece.count, monotonic() - begun)
        finally:
            batch.cancel()

    def _submit(self, batch: Any, seeds: list[int]) -> None:
        game, generator = self._part.game, self._part.generator
        if generator == OURS:
            batch.submit_seeds(seeds)
        else:
            batch.submit([game.wire(game.deal(Source(seed, generator))) for seed in seeds])

    def _collect(self, next_found: Callable[[], Any], piece: _Piece) -> None:
        """Fetch the answers of one chunk, replay what is to be replayed, and store them."""
        known, last = piece.known, piece.last
        game, generator, keeps_moves = self._part.game, self._part.generator, self._part.keeps_moves
        all_lines = keeps_moves or self._part.replay == "all"
        rows: list[SolverRow] = []
        replayed = 0
        wins = self._wins
        stored = monotonic()
        tokens = None
        try:
            # Some microseconds a deal are all that a fast engine leaves: this loop does nothing that can be done later.
            for seed in range(piece.first, last + 1):
                if seed in known:
                    rows.append(known[seed])
                    replayed += keeps_moves
                    continue
                found = next_found()
                row = found.row
                status = row[0]
                checks = all_lines or seed % 100 == 0
                if status == "solved":
                    wins += 1
                    checks = checks or wins <= REPLAYED_WINS
                elif status == "cancelled":
                    raise KeyboardInterrupt
                if checks:
                    check_found(game.deal(Source(seed, generator)), game, found)
                    replayed += 1
                    if keeps_moves:
                        tokens = " ".join(found.moves)
                rows.append((seed, *row, tokens, None))
                if (now := monotonic()) - self._shown >= _SHOW_SECONDS:
                    self._show(unstored=len(rows))
                    self._check_cancel()
                    if now - stored >= _COMMIT_SECONDS and seed < last:
                        rows, replayed = self._keep(rows, replayed)
                        stored = now
        except KeyboardInterrupt:
            self._keep(rows, replayed)
            raise
        finally:
            self._wins = wins
        self._keep(rows, replayed)
        self._show()

    def _keep(self, rows: list[SolverRow], replayed: int) -> tuple[list[SolverRow], int]:
        """Store these results; an empty list for the next ones."""
        if rows:
            first, last = rows[0][0], rows[-1][0]
            # Results of seeds that another process has taken over meanwhile are those of that process.
            with suppress(ClaimLostError):
                self._store.finish_solver_chunk(
                    self._run, first, last, rows, owner=self._owner.name, engine=self._part.engine, replayed=replayed
                )
                statuses = [row[1] for row in rows]
                self._note(len(rows), statuses.count(Status.SOLVED), statuses.count(Status.UNSOLVABLE))
        return [], 0

    # The solver, in Python: a game without a twin, or no engine.

    def _solve_in_python(self) -> None:
        limits = self._part.limits
        assert limits is not None
        while (piece := self._take()) is not None:
            begun = monotonic()
            states = (self._part.game.deal(Source(seed, self._part.generator)) for seed in piece.searched)
            results = un.solve_many(
                states,
                threads=self._threads,
                seconds=limits.seconds,
                nodes=limits.nodes,
                memory=limits.memory,
                maximize=self._part.maximize,
            )
            self._collect_results(results, piece)
            self._adapt(piece.count, monotonic() - begun)

    def _collect_results(self, results: Iterator[un.Result], piece: _Piece) -> None:
        """Store the answers of one chunk; `solve_many` has replayed every line."""
        rows: list[SolverRow] = []
        replayed = 0
        stored = monotonic()
        try:
            for seed in range(piece.first, piece.last + 1):
                if seed in piece.known:
                    rows.append(piece.known[seed])
                    replayed += self._part.keeps_moves
                    continue
                result = next(results)
                tokens = " ".join(move.token for move in result.moves) if self._part.keeps_moves else None
                counts = (result.stats.nodes, result.stats.seconds)
                rows.append((seed, str(result.status), result.score, result.score_proved, *counts, tokens, None))
                replayed += 1
                self._show(unstored=len(rows))
                self._check_cancel()
                if monotonic() - stored >= _COMMIT_SECONDS and seed < piece.last:
                    rows, replayed = self._keep(rows, replayed)
                    stored = monotonic()
        except KeyboardInterrupt:
            self._keep(rows, replayed)
            raise
        self._keep(rows, replayed)

    # A policy.

    def _play_policy(self) -> None:
        from unshuffle.simulate import SimulationInterrupted, policy_of
        from unshuffle.simulate.playing import Deals
        from unshuffle.simulate.simulation import run_policy

        game, generator = self._part.game, self._part.generator
        policy = policy_of(game, self._part.policy or "")
        for first, last in self._claims():
            begun = monotonic()
            deals = Deals(game, numbers=range(first, last + 1), generator=generator)
            wins = max(0, REPLAYED_WINS - self._wins)
            try:
                games = run_policy(
                    deals, policy, threads=self._threads, replay_wins=wins, progress=self._look_at_policy
                )
            except SimulationInterrupted as interrupted:
                self._keep_games(first, interrupted.simulation, monotonic() - begun)
                raise
            self._keep_games(first, games, monotonic() - begun)
            self._adapt(last - first + 1, monotonic() - begun)

    def _look_at_policy(self, played: int) -> None:
        if monotonic() - self._shown >= _SHOW_SECONDS:
            self._show(unstored=played)
            self._check_cancel()

    def _keep_games(self, first: int, games: Any, seconds: float) -> None:
        """Store what a policy has played."""
        if not len(games):
            return
        scores, won = games.packed
        with suppress(ClaimLostError):
            self._store.finish_policy_chunk(
                self._run,
                first,
                scores,
                won,
                owner=self._owner.name,
                engine=self._part.engine,
                replayed=games.replayed,
                seconds=seconds,
                tableau_moves=games.packed_moves,
                counts={
                    str(rule): (times, games.won_rule_counts.get(rule, 0)) for rule, times in games.rule_counts.items()
                },
            )
            wins = sum(map(bool, won))
            self._wins += wins
            self._note(len(won), wins, len(won) - wins)
        self._show()


def _overlap(ranges: list[tuple[int, int]], seeds: range) -> int:
    """How many of the seeds lie in the ranges."""
    return sum(max(0, min(last, seeds[-1]) - max(first, seeds[0]) + 1) for first, last in ranges)
