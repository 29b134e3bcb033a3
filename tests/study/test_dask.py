"""A cluster changes nothing in what a study stores, whichever workers die or come."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

import unshuffle as un
import unshuffle.study
from tests.cli.conftest import Run, run
from tests.cli.program import PROGRAM, environment
from tests.laws import ROOT
from tests.study.dask_processes import Workers, cluster_apart, wait_until
from tests.study.processes import check_whole, count, finish, table
from unshuffle.cli.run_line import RunLine
from unshuffle.errors import ClusterError, InternalError, UsageError
from unshuffle.store import SolverRow, Store
from unshuffle.study import Standing, StudyInterrupted, cluster, ledger, tasks
from unshuffle.study.chunks import open_search
from unshuffle.study.cluster import parse_place

pytestmark = pytest.mark.one_engine("checks how a cluster is used, not the answers")

__all__ = ["run"]  # the fixture

DEALS = 5_000
LUCIE: dict[str, Any] = {"game": "belle-lucie", "solver": True, "seeds": range(DEALS)}


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    workers = Workers(tmp_path_factory.mktemp("dask"))
    yield workers
    workers.close()


@pytest.fixture
def crew(scheduler: Workers) -> Workers:
    """A scheduler, and perhaps worker processes of earlier tests."""
    return scheduler


@pytest.fixture
def empty(scheduler: Workers) -> Iterator[Workers]:
    """A scheduler without workers, before the test and after it."""
    scheduler.end_all()
    yield scheduler
    scheduler.end_all()


@pytest.fixture(scope="module")
def lucie(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, ...]]]:
    """What a run without a cluster stores."""
    store = tmp_path_factory.mktemp("here") / "s.sqlite"
    unshuffle.study.run("s", store=store, **LUCIE)
    assert check_whole(store) == DEALS
    return table(store)


@pytest.fixture(autouse=True)
def _short_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small tasks, so that there is always one that a worker can die of, and progress after each."""
    monkeypatch.setattr(cluster, "_TASK_SECONDS", 0.01)
    monkeypatch.setattr(cluster, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(ledger, "SHOW_SECONDS", 0)


@pytest.fixture
def threads(empty: Workers, monkeypatch: pytest.MonkeyPatch) -> Workers:
    """A scheduler for workers that are threads of this process: such a worker has all loaded games already."""
    monkeypatch.setattr(tasks, "loaded_files", list)
    return empty


def claims(store: Path) -> dict[str, int]:
    with Store.open(store, create=False) as opened:
        return opened.claimed(opened.runs("s")[0])


def when_stored(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Act once, after the first results of a run were stored."""
    keep = ledger.Ledger.keep
    done: list[bool] = []

    def keep_and_act(self: ledger.Ledger, *arguments: Any) -> None:
        keep(self, *arguments)
        if not done:
            done.append(True)
            act()

    monkeypatch.setattr(ledger.Ledger, "keep", keep_and_act)


def test_a_worker_that_is_killed_and_one_that_comes_change_nothing(
    tmp_path: Path, crew: Workers, lucie: dict[str, list[tuple[Any, ...]]]
) -> None:
    store = tmp_path / "s.sqlite"
    first = crew.one()
    killed_at: list[int] = []

    def watch(now: Standing) -> None:
        if now.done and not killed_at:
            first.send_signal(signal.SIGKILL)
            first.wait()
            killed_at.append(now.done)
            crew.add()

    unshuffle.study.run("s", store=store, dask=str(crew.file), progress=watch, **LUCIE)
    assert 0 < killed_at[0] < DEALS, "the run ended without the second worker"
    assert check_whole(store) == DEALS
    assert table(store) == lucie
    assert claims(store) == {}


def test_ctrl_c_stores_what_came_and_says_how_to_go_on(
    run: Run,
    tmp_path: Path,
    crew: Workers,
    lucie: dict[str, list[tuple[Any, ...]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crew.one()
    store = tmp_path / "a store.sqlite"
    command = ("study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", f"0..{DEALS - 1}")
    when_stored(monkeypatch, lambda: signal.raise_signal(signal.SIGINT))
    ended = run(*command, "--store", store, "--dask", crew.file)
    assert (ended.code, ended.out) == (130, "")
    stored = check_whole(store)
    assert 0 < stored < DEALS
    assert f"{stored:,} of {DEALS:,} deals" in ended.err
    assert claims(store) == {}
    again = shlex.split(ended.err.splitlines()[-1].removeprefix("To go on: unshuffle "))
    assert again == ["study", "run", "s", "--store", str(store), "--dask", str(crew.file)]
    assert run(*again).code == 0
    assert table(store) == lucie


def everything(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored of several runs, but for times and the bounds of chunks."""
    db = sqlite3.connect(store)
    try:
        found = {
            "result": "SELECT run_id, seed, status, score, score_proved, nodes, moves, inferred_from FROM result",
            "win": "SELECT * FROM win",
            "score_count": "SELECT * FROM score_count",
            "rule": "SELECT run_id, rule, sum(moves), sum(won_moves) FROM rule_count GROUP BY run_id, rule",
            "sums": "SELECT run_id, sum(won), sum(lost), sum(undecided), sum(inferred), sum(last - first + 1), engine"
            " FROM chunk WHERE finished IS NOT NULL GROUP BY run_id",
        }
        tables = {name: sorted(db.execute(query).fetchall()) for name, query in found.items()}
    finally:
        db.close()
    with Store.open(store, create=False) as opened:
        policies = [run for run in opened.runs("s") if not run.is_solver]
        tables["game"] = [tuple(row.values()) for run in policies for row in opened.rows(run)]
    return tables


@pytest.mark.usefixtures("own_registry")
def test_policies_inferred_verdicts_and_games_of_ones_own(tmp_path: Path, crew: Workers) -> None:
    un.load(ROOT / "tests" / "study" / "ladder.py")
    crew.one()
    stores = [tmp_path / "here.sqlite", tmp_path / "there.sqlite"]
    for store, where in zip(stores, (None, crew.address), strict=True):
        common: dict[str, Any] = {"store": store, "dask": where}
        unshuffle.study.run("s", "aces-up", policy=("random", "rules:2,1,100,10"), seeds="5..304", **common)
        unshuffle.study.run("s", "ladder", variant="all", solver=True, seeds="0..59", moves=True, **common)
        unshuffle.study.run("s", "belle-lucie", variant="fan", solver=True, seeds="1..20", generator="ms", **common)
    here, there = map(everything, stores)
    assert there == here
    assert any(row[7] is not None for row in there["result"]), "nothing was inferred"
    assert there["win"]
    assert there["rule"]


def test_one_that_waits_says_so_and_a_worker_of_another_version_is_refused(
    run: Run, tmp_path: Path, threads: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.sqlite"
    monkeypatch.setattr(tasks, "un", SimpleNamespace(__version__="99.0"))
    show = RunLine.show

    def show_and_add(self: RunLine, now: Standing) -> None:
        show(self, now)
        threads.add_here()

    monkeypatch.setattr(RunLine, "show", show_and_add)
    command = ("study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", f"0..{DEALS - 1}")
    ended = run(*command, "--store", store, "--dask", threads.file)
    assert (ended.code, ended.out) == (69, "")
    waiting, error = ended.err.splitlines()
    assert waiting == f"unshuffle: waiting for workers at {threads.file}"
    assert error.startswith("Error: the worker tcp://127.0.0.1:")
    assert error.endswith(f"cannot take part: it has unshuffle 99.0, and the run is of {un.__version__}")
    assert f"(process {os.getpid()} on " in error
    assert (count(store), claims(store)) == (0, {})
    # One that is there already is found before anything begins.
    with pytest.raises(ClusterError, match=r"workers that cannot take part:\n  it has unshuffle 99\.0, .*\n    tcp://"):
        unshuffle.study.run("s", store=tmp_path / "new.sqlite", dask=str(threads.file), **LUCIE)
    assert not (tmp_path / "new.sqlite").exists()


class Failing:
    """A search whose lines fail on the deal 20."""

    def __init__(self, *arguments: Any) -> None:
        self._search = open_search(*arguments)
        self.submit, self.close = self._search.submit, self._search.close

    @property
    def replayed(self) -> int:
        return self._search.replayed

    def rows(self, seeds: Sequence[int]) -> Iterable[SolverRow]:
        if 20 in seeds:
            raise InternalError("the line fails", "evidence")
        return self._search.rows(seeds)


def test_a_line_that_fails_on_a_worker_stops_the_run(
    tmp_path: Path, threads: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.sqlite"
    monkeypatch.setattr(tasks, "open_search", Failing)
    threads.add_here()
    with pytest.raises(InternalError, match="the line fails") as caught:
        unshuffle.study.run("s", "belle-lucie", solver=True, seeds="0..39", store=store, dask=threads.address)
    assert caught.value.evidence == "evidence"
    assert check_whole(store) < 40
    assert 20 not in [row[0] for row in table(store)["result"]]
    assert claims(store) == {}


def test_it_can_be_cancelled_while_it_waits(tmp_path: Path, empty: Workers) -> None:
    store, cancel, seen = tmp_path / "s.sqlite", Event(), []

    def watch(now: Standing) -> None:
        seen.append(now.workers)
        cancel.set()

    with pytest.raises(StudyInterrupted):
        unshuffle.study.run("s", store=store, dask=empty.address, progress=watch, cancel=cancel, **LUCIE)
    assert set(seen) == {0}
    assert claims(store) == {}


def test_workers_on_this_machine_know_nothing_of_ctrl_c(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    command = [*PROGRAM, "study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", "0..9999999"]
    process = subprocess.Popen(
        [*command, "--store", str(store), "--dask", "local:1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), start_new_session=True,
    )  # fmt: skip
    wait_until(lambda: process.poll() is not None or count(store), "nothing was stored")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all of them
    code, out, err = finish(process)
    assert (code, out) == (130, "")
    assert err.startswith("Interrupted. ")
    assert err.splitlines()[1:] == [f"To go on: unshuffle study run s --store {store} --dask local:1"]
    stored = check_whole(store)
    assert claims(store) == {}
    here = tmp_path / "here.sqlite"
    unshuffle.study.run("s", "belle-lucie", solver=True, seeds=range(stored), store=here)
    assert table(store) == table(here)


def test_a_scheduler_that_is_killed_ends_the_run_in_a_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.sqlite"
    command = ("study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", f"0..{DEALS - 1}")
    with cluster_apart() as (process, address):
        when_stored(monkeypatch, process.kill)
        ended = run(*command, "--store", store, "--dask", address)
    assert (ended.code, ended.out) == (69, "")
    # The worker may have come after the run had begun to wait for one.
    waiting = r"(unshuffle: waiting for workers at .*\n)?"
    assert re.fullmatch(waiting + rf"Error: the Dask scheduler at {address} is gone; .*\n", ended.err)
    assert 0 < check_whole(store) < DEALS


@pytest.mark.long
def test_a_task_that_kills_every_worker_is_told(tmp_path: Path, empty: Workers) -> None:
    preload = tmp_path / "dies.py"
    preload.write_text("import os\nimport unshuffle.study.tasks as tasks\ntasks.open_search = lambda *_: os._exit(1)\n")
    store = tmp_path / "s.sqlite"
    for _ in range(4):
        empty.add(str(preload))
    with pytest.raises(ClusterError, match=r"4 workers died, one after the other, while they played the deals 0\.\."):
        unshuffle.study.run("s", "belle-lucie", solver=True, seeds="0..3", store=store, dask=empty.address)
    assert claims(store) == {}


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 \("):
        unshuffle.study.run("s", store=tmp_path / "s.sqlite", dask="127.0.0.1:9", **LUCIE)
    assert not (tmp_path / "s.sqlite").exists()


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", refuse)
    with pytest.raises(UsageError, match=r"pip install 'unshuffle\[dask\]'"):
        unshuffle.study.run("s", store=tmp_path / "s.sqlite", dask="local:1", **LUCIE)


def test_addresses(tmp_path: Path) -> None:
    assert parse_place("host:8786").address == "tcp://host:8786"
    assert parse_place("tls://[::1]:1").address == "tls://[::1]:1"
    assert parse_place("local:3").workers == 3
    file = tmp_path / "s.json"
    file.write_text('{"address": "tcp://10.0.0.1:8786"}')
    assert parse_place(str(file)).address == "tcp://10.0.0.1:8786"
    for wrong in ("", "host", "http://host:1", "host:0", "host:70000", "local:0", "local:x", "localhost", "a b:1"):
        with pytest.raises(UsageError, match=r"^dask: "):
            parse_place(wrong)
    for text in ("[]", "{", '{"address": 7}', '{"address": "x"}'):
        file.write_text(text)
        with pytest.raises(UsageError, match=r"s\.json"):
            parse_place(str(file))
    with pytest.raises(UsageError, match="No such file"):
        parse_place(str(tmp_path / "none.json"))
