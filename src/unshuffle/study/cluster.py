"""Studies on a Dask cluster. Workers play deals, and this process alone writes the store. See docs/clusters.md."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any
from uuid import uuid4

from unshuffle.errors import ClusterError, InternalError, UsageError, quote
from unshuffle.pieces import Pace
from unshuffle.solve import MOST_THREADS, cores
from unshuffle.store import PolicyGames
from unshuffle.study.ledger import Ledger, Piece
from unshuffle.study.plan import Part
from unshuffle.study.tasks import Answer, Solved, Task, find_fault, play_task

_PATIENCE = 5.0
"""Seconds within which a scheduler must answer."""
_TASK_SECONDS = 5.0
"""The approximate work of a task: a thousand times its cost to the scheduler, and little to lose with a worker."""
_MOST_SOLVED, _MOST_GAMES = 20_000, 200_000
"""The most deals in a task. Until they are stored, a solver row takes some hundred bytes here, a game three."""
_MOST_UNDER_WAY = 2_000_000
"""The most solver rows under way: this process may have to hold them all if storing is slower than playing."""
_TASKS_A_THREAD = 3
"""Tasks sent per thread of the cluster: one being played, one queued, one for a worker that joins."""
_LOOK_SECONDS = 1.0
_POLL_SECONDS = 0.02
_SAME = "is the same unshuffle installed there?"
_NOISY = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")


@dataclass(frozen=True, slots=True)
class _Place:
    """The location of a cluster."""

    address: str | None
    """None: the cluster is started on this machine."""
    workers: int = 0


def parse_place(dask: str) -> _Place:
    """Return the place that the text names: 'local', 'local:N', an address (tcp://host:8786), or a scheduler file."""
    said = dask.strip()
    if match := re.fullmatch(r"local(?::([0-9]{1,6}))?", said):
        workers = cores() if match[1] is None else int(match[1])
        if not 1 <= workers <= MOST_THREADS:
            raise UsageError(f"dask: local:{match[1]} is not a number of workers; expected 1..{MOST_THREADS}")
        return _Place(None, workers)
    if said.endswith(".json"):
        return _Place(_check_address(_read_address(Path(said)), f" in the scheduler file {said!r}"))
    return _Place(_check_address(said))


def _read_address(path: Path) -> str:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"dask: the scheduler file {str(path)!r} cannot be read: {error.strerror or error}") from None
    except ValueError:
        found = None
    address = found.get("address") if isinstance(found, dict) else None
    if not isinstance(address, str):
        raise UsageError(
            f"dask: {str(path)!r} is not a scheduler file; `dask scheduler --scheduler-file FILE.json` writes one"
        )
    return address


def _check_address(text: str, where: str = "") -> str:
    match = re.fullmatch(r"(?:(tcp|tls|ws|wss|ucx)://)?([^\s/:]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})", text)
    if match is None or not 1 <= int(match[3]) <= 65535:
        raise UsageError(
            f"dask: {quote(text)}{where} is not an address; expected tcp://HOST:PORT or tls://HOST:PORT, a scheduler"
            " file (.json), local or local:N"
        )
    return f"{match[1] or 'tcp'}://{match[2]}:{match[3]}"


class Cluster:
    """The connection to a cluster, open while it is used as a context manager."""

    def __init__(self, dask: str, parts: Sequence[Part], threads: int) -> None:
        self._place = parse_place(dask)
        self._tasks = {part.method + str(part.game): Task.of(part, threads) for part in parts}
        self._threads = threads
        self._stack = ExitStack()
        self._client: Any = None
        self._looked = float("-inf")
        self._workers = self._slots = 0

    def __enter__(self) -> Cluster:
        _distributed()  # first, as its import sets up the loggers that `_quiet` silences
        with self._stack:
            self._stack.enter_context(_quiet())
            place: Any = self._place.address
            if place is None:
                place = self._stack.enter_context(_start_workers(self._place.workers))
            self._client = self._stack.enter_context(self._connect(place))
            self._check_workers()
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _connect(self, place: Any) -> Any:
        dask = _distributed()
        if self._place.address is not None:
            _check_scheduler(self._place.address)
        try:
            return dask.Client(place, timeout=_PATIENCE, set_as_default=False, name="unshuffle")
        except (OSError, TimeoutError) as error:
            raise _no_answer(self._place.address or "local", error) from None

    def _check_workers(self) -> None:
        """Raise ClusterError if a worker cannot play the tasks. A worker that joins later raises the error itself."""
        faults: dict[str, list[str]] = {}
        for task in self._tasks.values():
            found: dict[str, Any] = self._client.run(find_fault, task, on_error="return")
            for worker, fault in found.items():
                if fault is not None:
                    said = f"{fault}; {_SAME}" if isinstance(fault, Exception) else fault
                    faults.setdefault(said, []).append(worker)
        if faults:
            each = [f"{fault}\n    {', '.join(dict.fromkeys(workers))}" for fault, workers in faults.items()]
            raise ClusterError("workers that cannot take part:\n  " + "\n  ".join(each))

    def play(self, ledger: Ledger) -> None:
        """Play what is left of a run: send tasks, and store the answers in the order in which they arrive."""
        asked = self._tasks[ledger.part.method + str(ledger.part.game)]
        most = _MOST_SOLVED if ledger.part.policy is None else _MOST_GAMES
        least = self._threads if ledger.part.engine == "native" else 1
        pace = Pace(_TASK_SECONDS, first=4 * least, least=least, most=most)
        sent: dict[str, tuple[Any, Piece]] = {}
        came = _distributed().as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        token = uuid4().hex[:8]

        def send() -> None:
            """Send as many tasks as the cluster can use."""
            self._look()
            ledger.workers = self._workers
            while len(sent) < max(2, _TASKS_A_THREAD * self._slots) and (
                not sent or pace.size * len(sent) < _MOST_UNDER_WAY
            ):
                piece = ledger.take(pace.size)
                if piece is None:
                    return
                if not piece.searched:
                    _keep(ledger, piece, Solved([], 0, 0.0))
                    continue
                key = f"unshuffle-{ledger.run.id}-{piece.first}..{piece.last}-{token}"
                task = asked.over(piece.searched, ledger.wins_to_replay)
                future = self._client.submit(play_task, task, key=key, pure=False)
                sent[key] = future, piece
                came.add(future)

        def store_what_came() -> bool:
            batch = came.next_batch(block=False)
            for future, found in batch:
                _, piece = sent.pop(future.key)
                answer = self._read(found, piece)
                future.release()
                _keep(ledger, piece, answer)
                pace.adapt(len(piece.searched), answer.seconds)
            return bool(batch)

        try:
            send()
            while sent:
                if not store_what_came():
                    sleep(_POLL_SECONDS)
                self._check_connection()
                ledger.show()
                ledger.check_cancel()
                send()
        except KeyboardInterrupt:
            store_what_came()
            raise
        finally:
            with suppress(Exception):  # the scheduler itself may have failed
                self._client.cancel([future for future, _ in sent.values()], force=True)

    def _look(self) -> None:
        """Update the numbers of workers and threads, at most once per _LOOK_SECONDS."""
        if monotonic() - self._looked < _LOOK_SECONDS:
            return
        self._looked = monotonic()
        with suppress(OSError, TimeoutError):
            threads: dict[str, int] = self._client.nthreads()
            self._workers, self._slots = len(threads), sum(threads.values())

    def _check_connection(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise ClusterError(self._lost)

    @property
    def _lost(self) -> str:
        where = f"at {self._place.address}" if self._place.address else "here"
        return f"the Dask scheduler {where} is gone; what was stored is there, and the same command goes on"

    def _read(self, found: Any, piece: Piece) -> Answer:
        """Return the answer of a task, or raise its error."""
        # An answer that has arrived counts, even if its future is lost by now because the worker has died since.
        if isinstance(found, Answer):
            return found
        if not isinstance(found, tuple):  # cancelled, which happens to all when the scheduler ends
            raise ClusterError(self._lost)
        error = found[1]
        seeds = f"the deals {piece.first}..{piece.last}"
        if isinstance(error, ClusterError | InternalError | UsageError):
            raise error from None
        if type(error).__name__ == "KilledWorker":
            raise ClusterError(
                f"{error.allowed_failures + 1} workers died, one after the other, while they played {seeds};"
                " perhaps they had too little memory (--memory is for each deal, Dask's --memory-limit for a worker)"
            )
        raise ClusterError(f"a worker failed on {seeds}: {type(error).__name__}: {error}; {_SAME}")


def _distributed() -> Any:
    """Import and return the package, only when a cluster is used: it takes half a second."""
    try:
        return import_module("distributed")
    except ImportError:
        raise UsageError("a cluster needs the package `distributed`: pip install 'unshuffle[dask]'") from None


def _check_scheduler(address: str) -> None:
    """Raise ClusterError unless a scheduler answers. A client would wait for ever for a server of another kind."""
    dask = _distributed()

    async def ask() -> str:
        arguments = dask.Security().get_connection_args("client")
        async with dask.rpc(address, timeout=_PATIENCE, connection_args=arguments) as server:
            identity = await server.identity()
            return str(identity["type"])

    async def ask_for_a_while() -> str:
        return await asyncio.wait_for(ask(), 1.2 * _PATIENCE)

    try:
        # In a thread, as the caller may run in an event loop, for example in a notebook.
        with ThreadPoolExecutor(1) as thread:
            kind = thread.submit(asyncio.run, ask_for_a_while()).result()
    except (OSError, TimeoutError, TypeError, ValueError, KeyError) as error:
        raise _no_answer(address, error) from None
    if kind != "Scheduler":
        raise ClusterError(
            f"at {address} is a {kind.lower()} of a Dask cluster; the address of its scheduler is needed"
        )


def _no_answer(address: str, error: Exception) -> ClusterError:
    why = str(error).partition("\n")[0] or "no answer that Dask would give"
    return ClusterError(f"no Dask scheduler answers at {address} ({why})")


def _start_workers(count: int) -> Any:
    """Start a cluster of worker processes with one thread each on this machine."""
    dask = _distributed()
    try:
        with _sheltered():
            return dask.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # none: the run limits the memory of a deal
                dashboard_address="127.0.0.1:0",  # a server starts in any case; 0 takes a free port
                silence_logs=logging.CRITICAL + 1,
            )
    except (RuntimeError, OSError, TimeoutError) as error:
        raise ClusterError(
            f"the workers did not start ({error}); in a script of your own the call stands under"
            " `if __name__ == '__main__':`, for every worker imports the script"
        ) from None


@contextmanager
def _sheltered() -> Iterator[None]:
    """Block Ctrl-C for processes that are started here; this process gets one that came meanwhile at the end."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Start it now: started along with the first process, it would unblock the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _keep(ledger: Ledger, piece: Piece, answer: Answer) -> None:
    """Store the answers of a worker together with the inferred results of the piece, in one transaction."""
    if isinstance(answer, PolicyGames):
        ledger.keep_games(piece.first, answer)
    else:
        inferred_lines = ledger.part.keeps_moves * len(piece.known)
        ledger.keep(sorted([*answer.rows, *piece.known.values()]), answer.replayed + inferred_lines)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's loggers: the errors that matter are raised here."""
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
