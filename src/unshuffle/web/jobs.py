"""Jobs: long work in threads of a pool, with progress, and an end on request."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, RLock, Timer
from time import monotonic
from typing import Literal

from unshuffle.errors import ClusterError, ParseError, StoreError, UsageError, quote
from unshuffle.web import job_shapes, shapes
from unshuffle.web.trouble import BusyError, NotThereError

_KEPT = 100
"""The number of finished jobs that are kept."""
_SHOWN_EVERY = 0.1
"""The least seconds between two progress events."""
_GRACE_SECONDS = 1.0
"""The time that a cancelled job has to return its result."""
_log = logging.getLogger("unshuffle.web")

Status = Literal["queued", "running", "done", "failed", "cancelled"]
Work = Callable[["Job"], shapes.Json | None]


class Job:
    """One job. Its thread writes the state, and requests read it."""

    def __init__(self, kind: str, table: str | None, work: Work) -> None:
        self.id = secrets.token_hex(8)
        self.kind = kind
        self.table = table
        self.status: Status = "queued"
        self.result: shapes.Json | None = None
        self.error: str | None = None
        self.cancel = Event()
        self.is_at_work = False
        """Whether a thread still works on it, perhaps after it was cancelled."""
        self._work = work
        self._progress: shapes.Json | None = None
        self._told_at = 0.0
        self._begun: float | None = None
        self._ended: float | None = None
        self._lock = RLock()
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self.status in ("done", "failed", "cancelled")

    def tell(self, progress: shapes.Json) -> None:
        """Set the progress. Notifies listeners at most ten times a second."""
        self._progress = progress
        now = monotonic()
        if now - self._told_at >= _SHOWN_EVERY:
            self._told_at = now
            self._ring()

    def run(self) -> None:
        """Do the work, in a thread of the pool."""
        with self._lock:
            if self.is_over:
                return
            self.status, self._begun, self.is_at_work = "running", monotonic(), True
        self._ring()
        try:
            result = self._work(self)
        except (ParseError, UsageError, StoreError, ClusterError) as error:
            self._end("failed", error=str(error))
        except KeyboardInterrupt:
            self._end("cancelled")  # a study raises this when it is cancelled
        except Exception:
            _log.exception("a job of the kind %s has failed", self.kind)
            self._end("failed", error="a bug in unshuffle; the server's log tells where it happened. Please report it")
        else:
            self._end("cancelled" if self.cancel.is_set() else "done", result)
        finally:
            self.is_at_work = False

    def stop(self) -> None:
        """Cancel: a queued job at once, a running one when its work checks `cancel`. Its result so far is kept."""
        with self._lock:
            if self.is_over or self.cancel.is_set():
                return
            self.cancel.set()
            if self.status == "queued":
                self._end("cancelled")
                return
        # Some work checks `cancel` rarely. The job then ends without it, but its thread stays busy until it returns.
        patience = Timer(_GRACE_SECONDS, self._end, ["cancelled"])
        patience.daemon = True
        patience.start()

    def _end(self, status: Status, result: shapes.Json | None = None, error: str | None = None) -> None:
        with self._lock:
            self.result, self.error = result or self.result, error
            if self.is_over:
                return
            self._ended = monotonic()
            self.status = status
        self._ring()

    def shown(self) -> job_shapes.Job:
        """Return the state of the job."""
        with self._lock:
            ended = self._ended or monotonic()
            return job_shapes.Job(
                id=self.id,
                kind=self.kind,
                table=self.table,
                status=self.status,
                progress=self._progress,
                result=self.result,
                error=self.error,
                seconds=0.0 if self._begun is None else round(ended - self._begun, 3),
            )

    # Listeners.

    def _ring(self) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for loop, bell in listeners:
            try:
                loop.call_soon_threadsafe(bell.set)
            except RuntimeError:  # the event loop of the listener has ended
                self._listeners.discard((loop, bell))

    async def changes(self, patience: float) -> AsyncIterator[job_shapes.Job | None]:
        """Yield the state after each change until the job ends, and None after `patience` seconds without one."""
        listener = asyncio.get_running_loop(), asyncio.Event()
        bell = listener[1]
        with self._lock:
            self._listeners.add(listener)
        try:
            while True:
                bell.clear()
                now = self.shown()
                yield now
                if now.status in ("done", "failed", "cancelled"):
                    return
                while not bell.is_set():
                    try:
                        await asyncio.wait_for(bell.wait(), patience)
                    except TimeoutError:
                        yield None
        finally:
            with self._lock:
                self._listeners.discard(listener)


class Jobs:
    """All jobs: running, queued, and the last ones that ended."""

    def __init__(self, workers: int, most_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="job")
        self._most = workers + most_waiting
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = RLock()

    def check_room(self) -> None:
        """Raise BusyError if the queue is full. A cancelled job counts as long as its thread works on it."""
        with self._lock:
            under_way = sum(not job.is_over or job.is_at_work for job in self._jobs.values())
        if under_way >= self._most:
            raise BusyError(f"{under_way} jobs run or wait already; end one, or try again later")

    def add(self, job: Job) -> Job:
        """Queue a job and return it."""
        with self._lock:
            self.check_room()
            self._jobs[job.id] = job
            over = [name for name, each in self._jobs.items() if each.is_over and not each.is_at_work]
            for name in over[: max(0, len(over) - _KEPT)]:
                del self._jobs[name]
        self._pool.submit(job.run)
        return job

    def get(self, name: str) -> Job:
        """Return the job with this id."""
        with self._lock:
            job = self._jobs.get(name)
        if job is None:
            raise NotThereError(f"there is no job {quote(name)}")
        return job

    def stop_all(self) -> None:
        """Cancel every job."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            if not job.is_over:
                job.stop()

    def close(self) -> None:
        """Cancel every job, and wait for the threads."""
        self.stop_all()
        self._pool.shutdown(cancel_futures=True)
