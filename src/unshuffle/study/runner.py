"""Doing what a plan says: claim some seeds, play them, store them, until none is left. docs/studies.md has the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from unshuffle.solve import cores
from unshuffle.store import Run, SolverRow, Store
from unshuffle.study.chunks import PolicyGames, Search, open_search, play_games
from unshuffle.study.inference import order_parts
from unshuffle.study.ledger import Ledger, Pace, Piece
from unshuffle.study.plan import Part, Plan
from unshuffle.study.standing import Progress, StudyInterrupted

if TYPE_CHECKING:
    from unshuffle.study.cluster import Cluster

_MOST = 10_000
"""Deals in one chunk, at the most."""
_COMMIT_SECONDS = 1.0
"""About how much work a chunk is, and how long a result waits before it is stored."""


def run_study(
    plan: Plan,
    store_path: str | Path | None = None,
    *,
    dask: str | None = None,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> list[Run]:
    """Play every deal of the plan that is not stored yet, and return its runs as they are stored.

    `dask` names a cluster that plays them (docs/clusters.md); they are stored here. `progress` is told about ten times
    a second how far it has come; `cancel` ends the run soon after it is set.
    """
    with _open_cluster(dask, plan) as cluster, Store.open(store_path or plan.store) as store:
        runs = store.add_runs(plan.name, [part.spec() for part in plan.parts], [part.whole for part in plan.parts])
        for place in order_parts(plan.parts):
            try:
                with closing(Ledger(store, plan.parts[place], runs[place], progress, cancel)) as ledger:
                    play = partial(_play, threads=plan.threads or cores()) if cluster is None else cluster.play
                    _play_all(ledger, play)
            except KeyboardInterrupt:
                raise StudyInterrupted(plan, store.path) from None
        return runs


def _open_cluster(dask: str | None, plan: Plan) -> AbstractContextManager[Cluster | None]:
    if dask is None:
        return nullcontext()
    from unshuffle.study.cluster import Cluster  # seldom asked for

    return Cluster(dask, plan.parts, plan.threads or 1)


def _play_all(ledger: Ledger, play: Callable[[Ledger], None]) -> None:
    """Play until nothing is left, here or anywhere."""
    while True:
        play(ledger)
        if not ledger.wait_for_others():
            break
    ledger.show(at_once=True)


def _pace(part: Part, threads: int) -> Pace:
    if part.engine == "native":
        return Pace(_COMMIT_SECONDS, first=max(8, 4 * threads), least=threads, most=_MOST)
    return Pace(_COMMIT_SECONDS, first=1, least=1, most=_MOST)


def _play(ledger: Ledger, threads: int) -> None:
    """Play what is left of a run, in this process."""
    pace = _pace(ledger.part, threads)
    if ledger.part.policy is not None:
        _play_policy(ledger, pace, threads)
        return
    with closing(open_search(ledger.part, threads, ledger.wins_to_replay)) as search:
        _solve(ledger, pace, search)


def _solve(ledger: Ledger, pace: Pace, search: Search) -> None:
    pieces: deque[Piece] = deque()
    outstanding = 0
    while True:
        while len(pieces) < search.chunks_ahead or outstanding < search.deals_ahead:
            begun = monotonic()
            piece = ledger.take(pace.size)
            if piece is None:
                break
            if not piece.searched:
                # The search has nothing to do with it, and it need not wait for those that the search has.
                _collect(ledger, search, piece)
                pace.adapt(piece.count, monotonic() - begun)
                continue
            search.submit(piece.searched)
            pieces.append(piece)
            outstanding += len(piece.searched)
        if not pieces:
            return
        piece = pieces.popleft()
        outstanding -= len(piece.searched)
        begun = monotonic()
        _collect(ledger, search, piece)
        pace.adapt(piece.count, monotonic() - begun)


def _collect(ledger: Ledger, search: Search, piece: Piece) -> None:
    """Fetch the answers of one chunk and store them; those of a long one as they come."""
    known, last, keeps_moves = piece.known, piece.last, ledger.part.keeps_moves
    found = search.rows(piece.searched)
    rows: list[SolverRow] = []
    before, inferred_lines = search.replayed, 0
    stored = monotonic()

    def keep() -> None:
        ledger.keep(rows, search.replayed - before + inferred_lines)

    try:
        for seed in range(piece.first, last + 1):
            if seed in known:
                rows.append(known[seed])
                inferred_lines += keeps_moves
            else:
                rows.append(next(found))
            if ledger.is_due(now := monotonic()):
                ledger.show(unstored=len(rows))
                ledger.check_cancel()
                if now - stored >= _COMMIT_SECONDS and seed < last:
                    keep()
                    rows, before, inferred_lines, stored = [], search.replayed, 0, now
    except KeyboardInterrupt:
        keep()
        raise
    keep()
    ledger.show()


def _play_policy(ledger: Ledger, pace: Pace, threads: int) -> None:
    from unshuffle.simulate import SimulationInterrupted, policy_of

    policy = policy_of(ledger.part.game, ledger.part.policy or "")

    def look(played: int) -> None:
        if ledger.is_due(monotonic()):
            ledger.show(unstored=played)
            ledger.check_cancel()

    while (seeds := ledger.claim(pace.size)) is not None:
        begun = monotonic()
        try:
            games = play_games(
                ledger.part, policy, seeds, threads=threads, wins_to_replay=ledger.wins_to_replay, progress=look
            )
        except SimulationInterrupted as interrupted:
            ledger.keep_games(seeds[0], PolicyGames.of(interrupted.simulation, monotonic() - begun))
            raise
        ledger.keep_games(seeds[0], games)
        ledger.show()
        pace.adapt(len(seeds), monotonic() - begun)
