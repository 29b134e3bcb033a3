"""The run of a plan: claim some seeds, play them, store them, until none is left. See docs/studies.md."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from unshuffle.pieces import Pace, pieces
from unshuffle.solve import cores
from unshuffle.store import Run, SolverRow, Store
from unshuffle.study.chunks import Search, open_search, play_games
from unshuffle.study.inference import order_parts
from unshuffle.study.ledger import Ledger, Piece
from unshuffle.study.plan import Plan
from unshuffle.study.standing import Progress, StudyInterrupted

if TYPE_CHECKING:
    from unshuffle.study.cluster import Cluster

_MOST = 10_000
"""The most deals in one chunk."""
_COMMIT_SECONDS = 1.0
"""The approximate work of a chunk, and how long a result may wait before it is stored."""


def run_study(
    plan: Plan,
    store_path: str | Path | None = None,
    *,
    dask: str | None = None,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> list[Run]:
    """Play every deal of the plan that is not stored yet, and return its runs as they are stored.

    `dask` names a cluster that plays the deals (docs/clusters.md); this process stores them. `progress` is called about
    ten times a second; `cancel` ends the run soon after it is set. Ctrl-C and `cancel` raise StudyInterrupted.
    """
    with _open_cluster(dask, plan) as cluster, Store.open(store_path or plan.store) as store:
        runs = store.add_runs(plan.name, [part.spec() for part in plan.parts], [part.whole for part in plan.parts])
        for place in order_parts(plan.parts):
            try:
                with store.owner() as owner:
                    ledger = Ledger(store, owner, plan.parts[place], runs[place], progress, cancel)
                    play = partial(_play, threads=plan.threads or cores()) if cluster is None else cluster.play
                    _play_all(ledger, play)
            except KeyboardInterrupt:
                raise StudyInterrupted(plan, store.path) from None
        return runs


def _open_cluster(dask: str | None, plan: Plan) -> AbstractContextManager[Cluster | None]:
    if dask is None:
        return nullcontext()
    from unshuffle.study.cluster import Cluster  # imported only when it is needed

    return Cluster(dask, plan.parts, plan.threads or 1)


def _play_all(ledger: Ledger, play: Callable[[Ledger], None]) -> None:
    """Play until nothing is left to do, here or in other processes."""
    while True:
        play(ledger)
        if not ledger.wait_for_others():
            break
    ledger.show(at_once=True)


def _play(ledger: Ledger, threads: int) -> None:
    """Play what is left of a run, in this process."""
    first, least = (max(8, 4 * threads), threads) if ledger.part.engine == "native" else (1, 1)
    pace = Pace(_COMMIT_SECONDS, first=first, least=least, most=_MOST)
    if ledger.part.policy is not None:
        for piece in pieces(ledger.take, pace, len):
            _play_policy(ledger, piece, threads)
        return
    with closing(open_search(ledger.part, threads, ledger.wins_to_replay)) as search:

        def begin(piece: Piece) -> bool:
            return search.submit(piece.searched)

        for piece in pieces(ledger.take, pace, len, begin=begin, wants_more=search.wants_more):
            _collect(ledger, search, piece)


def _collect(ledger: Ledger, search: Search, piece: Piece) -> None:
    """Fetch and store the answers of one chunk; of a long chunk, store them as they arrive."""
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


def _play_policy(ledger: Ledger, piece: Piece, threads: int) -> None:
    def look(played: int) -> None:
        if ledger.is_due(monotonic()):
            ledger.show(unstored=played)
            ledger.check_cancel()

    keep = partial(ledger.keep_games, piece.first)
    seeds, wins = range(piece.first, piece.last + 1), ledger.wins_to_replay
    keep(play_games(ledger.part, seeds, threads=threads, wins_to_replay=wins, progress=look, interrupted=keep))
    ledger.show()
