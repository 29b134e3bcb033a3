"""Tasks for workers of a cluster, and their answers. A task is pure: repeated anywhere, it gives the same answer."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic

import unshuffle as un
from unshuffle.errors import ClusterError, InternalError, UsageError
from unshuffle.registry import loaded_files
from unshuffle.store import PolicyGames, RunSpec, SolverRow
from unshuffle.study.chunks import open_search, play_games
from unshuffle.study.plan import Part, read_part


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file of `--load`, of which the worker loads the same text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Some seeds of a run, and all that a worker needs to play them."""

    spec: RunSpec
    """The run, with the version and engine of the process that sends the task."""
    files: tuple[LoadedFile, ...]
    values: str
    """A digest of the value table of the policy: the file of this name may differ on another host."""
    threads: int
    """Deals searched at once in this task."""
    seeds: Sequence[int] = ()
    wins_to_replay: int = 0
    """How many wins must be replayed, by what was stored when the task was sent: never too few."""

    @classmethod
    def of(cls, part: Part, threads: int) -> Task:
        """Return a task without seeds for a part of a plan."""
        files = tuple(LoadedFile(path.name, path.read_text(encoding="utf-8")) for path in loaded_files())
        return cls(spec=part.spec(), files=files, values=_digest(part), threads=threads)

    def over(self, seeds: Sequence[int], wins_to_replay: int) -> Task:
        """Return the task for these seeds."""
        return replace(self, seeds=seeds, wins_to_replay=wins_to_replay)


@dataclass(frozen=True, slots=True)
class Solved:
    """The answer to a task of a solver run."""

    rows: list[SolverRow]
    replayed: int
    seconds: float


Answer = Solved | PolicyGames

# The files that this process has loaded. The lock is needed as tasks may run in several threads of a worker.
_loaded: set[LoadedFile] = set()
_loading = Lock()


def play_task(task: Task) -> Answer:
    """Play a task on a worker. Raises ClusterError, which names the worker; errors about a line pass unchanged."""
    try:
        part = _take_part(task)
    except UsageError as error:
        raise ClusterError(f"the worker {_own_name()} cannot take part: {error}") from None
    try:
        return _play(task, part)
    except (InternalError, UsageError):
        raise
    except Exception as error:  # as text, because not every exception can be pickled
        raise ClusterError(
            f"the worker {_own_name()} failed on the deals {task.seeds[0]}..{task.seeds[-1]}:"
            f" {type(error).__name__}: {error}"
        ) from None


def _play(task: Task, part: Part) -> Answer:
    if part.policy is not None:
        seeds = range(task.seeds[0], task.seeds[-1] + 1)
        return play_games(part, seeds, threads=task.threads, wins_to_replay=task.wins_to_replay)
    begun = monotonic()
    with closing(open_search(part, task.threads, task.wins_to_replay)) as search:
        search.submit(task.seeds)
        rows = list(search.rows(task.seeds))
        return Solved(rows, search.replayed, monotonic() - begun)


def find_fault(task: Task) -> str | None:
    """Return why this worker cannot play such tasks; None if it can."""
    try:
        _take_part(task)
    except UsageError as error:
        return str(error)
    return None


def _take_part(task: Task) -> Part:
    """Return the run as this process would play it. Raises UsageError if that differs from what was asked for."""
    spec = task.spec
    if un.__version__ != spec.package_version:
        raise UsageError(f"it has unshuffle {un.__version__}, and the run is of {spec.package_version}")
    with _loading:
        for file in task.files:
            _load(file)
    part = read_part(spec, "has other rules there")
    if part.engine != spec.engine:
        raise UsageError(
            f"its engine for {part.game} is {part.engine}, and the run's is {spec.engine}"
            " (--version tells the engine, UNSHUFFLE_ENGINE chooses it)"
        )
    if _digest(part) != task.values:
        raise UsageError(f"the values of {spec.method.removeprefix('policy:')} are others there")
    return part


def _load(file: LoadedFile) -> None:
    if file in _loaded:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, file.name)
        path.write_text(file.text, encoding="utf-8")
        try:
            un.load(path)
        except UsageError as error:
            why = str(error).replace(str(path), file.name)
            raise UsageError(f"{why} (a worker keeps what it has loaded: after a change start it again)") from None
    _loaded.add(file)


def _digest(part: Part) -> str:
    if part.policy is None:
        return ""
    from unshuffle.simulate import policy_of

    values = policy_of(part.game, part.policy).packed_values(part.game.rules)
    return "" if values is None else sha256(values).hexdigest()


def _own_name() -> str:
    from distributed import get_worker

    return f"{get_worker().address} (process {os.getpid()} on {platform.node()})"
