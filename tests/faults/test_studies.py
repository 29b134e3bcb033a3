"""Whatever happens to a run, nothing that was stored is lost and nothing is stored wrong. All by real processes."""

from __future__ import annotations

import random
import shlex
import signal
import subprocess
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import unshuffle.study
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.faults.disks import fill, short
from tests.faults.happening import contents
from tests.laws import IS_LONG
from tests.study.processes import DEALS, QUICK, arguments, check_whole, count, finish, start, stop, table, wait_for
from unshuffle.store import Store

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

TIMES = 10 if IS_LONG else 6


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, ...]]]:
    """The table of a run that nothing happened to."""
    store = tmp_path_factory.mktemp("undisturbed") / "s.sqlite"
    unshuffle.study.run("s", "belle-lucie", solver=True, seeds=range(DEALS), store=store)
    assert check_whole(store) == DEALS
    return table(store)


def test_killed_again_and_again_it_ends_with_the_same_table(
    tmp_path: Path, undisturbed: dict[str, list[tuple[Any, ...]]]
) -> None:
    store = tmp_path / "s.sqlite"
    rng = random.Random(10)
    killed = 0
    for number in range(TIMES):
        process = start(store)
        if number % 3 == 0:
            sleep(rng.uniform(0, 0.15))  # also while it starts
        else:
            wait_for(store, count(store), process)
            sleep(rng.uniform(0, 0.03))
        killed += process.poll() is None
        process.kill()
        process.communicate()
        if store.exists():
            check_whole(store)
    assert killed >= TIMES // 2
    code, out, err = finish(start(store))
    assert (code, err) == (0, "")
    assert f"n = {DEALS:,}, " in out
    assert table(store) == undisturbed


def test_two_at_once_share_the_work(tmp_path: Path, undisturbed: dict[str, list[tuple[Any, ...]]]) -> None:
    store = tmp_path / "s.sqlite"
    both = [start(store), start(store)]
    assert [finish(process)[0] for process in both] == [0, 0]
    assert table(store) == undisturbed


def test_what_a_dead_process_had_claimed_is_taken_over_by_one_that_waits(
    tmp_path: Path, undisturbed: dict[str, list[tuple[Any, ...]]]
) -> None:
    store = tmp_path / "s.sqlite"
    asleep = start(store)
    wait_for(store, 0, asleep)
    stop(store, asleep)
    assert asleep.poll() is None
    try:
        awake = start(store)
        with Store.open(store) as opened:
            run = opened.runs("s")[0]
            (owner,) = opened.claimed(run)
            # All is done but what the sleeper holds, and nobody else holds anything.
            while awake.poll() is None and opened.claimed(run) != {owner: DEALS - count(store)}:
                sleep(0.02)
        sleep(0.3)
        assert awake.poll() is None, "it ended although deals were missing"
    finally:
        asleep.kill()
        asleep.communicate()
    assert finish(awake)[0] == 0
    assert table(store) == undisturbed


def test_ctrl_c_stores_what_was_played_and_says_how_to_go_on(
    run: Run, tmp_path: Path, undisturbed: dict[str, list[tuple[Any, ...]]]
) -> None:
    store = tmp_path / "a store.sqlite"
    process = start(store)
    wait_for(store, 0, process)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert (code, out) == (130, "")
    stored = check_whole(store)
    assert 0 < stored < DEALS
    assert f"{stored:,} of {DEALS:,} deals of belle-lucie/one-deal by solver are stored in" in err
    with Store.open(store) as opened:
        assert opened.claimed(opened.runs("s")[0]) == {}
    command = shlex.split(err.splitlines()[-1].removeprefix("To go on: unshuffle "))
    assert command == ["study", "run", "s", "--store", str(store)]
    assert run(*command).code == 0
    assert table(store) == undisturbed


MANY = 20_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, ...]]]:
    """The table of many quick deals, on a disk with room."""
    store = tmp_path_factory.mktemp("many") / "s.sqlite"
    unshuffle.study.run("s", "belle-lucie", rule=[QUICK[1]], solver=True, seeds=range(MANY), store=store)
    return table(store)


def test_a_disk_that_takes_no_more_ends_the_run_in_clear_words(
    run: Run, tmp_path: Path, many: dict[str, list[tuple[Any, ...]]]
) -> None:
    store = tmp_path / "s.sqlite"
    with short(400_000):
        ended = run(*arguments(store, MANY, *QUICK))
    assert (ended.code, ended.out) == (74, "")
    assert "the disk refuses it (full, over a quota, or broken)" in ended.err
    assert "run again" in ended.err
    assert check_whole(store) < MANY
    assert run(*arguments(store, MANY, *QUICK)).code == 0
    assert table(store) == many


def test_a_full_disk_ends_the_run_and_room_lets_it_go_on(
    run: Run, small_disk: Path, many: dict[str, list[tuple[Any, ...]]]
) -> None:
    store = small_disk / "s.sqlite"
    ended = run(*arguments(store, MANY, *QUICK))
    assert (ended.code, ended.out) == (74, "")
    assert "full" in ended.err
    assert "Everything that was reported as done is stored" in ended.err
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    assert check_whole(store) < MANY
    assert run(*arguments(store, MANY, *QUICK)).code == 0
    assert table(store) == many


def test_a_disk_that_is_full_from_the_start(run: Run, small_disk: Path) -> None:
    fill(small_disk)
    ended = run(*arguments(small_disk / "s.sqlite", 10))
    assert (ended.code, "full" in ended.err) == (74, True)
    assert [each.name for each in small_disk.iterdir()] == ["filler"]


def test_a_read_only_disk(run: Run, small_disk: Path) -> None:
    store = small_disk / "s.sqlite"
    assert run(*arguments(store, 10)).code == 0
    before = store.read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    ended = run(*arguments(store, 20))
    assert (ended.code, "read-only" in ended.err) == (74, True)
    ended = run(*arguments(small_disk / "new.sqlite", 20))
    assert (ended.code, "cannot be used" in ended.err) == (74, True)
    assert store.read_bytes() == before


def test_a_folder_that_may_not_be_written_in(run: Run, read_only: Path) -> None:
    ended = run(*arguments(read_only / "s.sqlite", 10))
    assert (ended.code, "cannot be used" in ended.err) == (74, True)
    assert contents(read_only) == {"old": b"as it was"}


def test_a_foreign_file_is_left_as_it_is(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "thesis.sqlite"
    store.write_bytes(b"not to be lost" * 100)
    ended = run(*arguments(store, 10))
    assert (ended.code, ended.out) == (74, "")
    assert "is not a store of unshuffle; it was left as it is" in ended.err
    assert store.read_bytes() == b"not to be lost" * 100
    assert list(tmp_path.iterdir()) == [store]


@pytest.mark.long
def test_killed_a_hundred_times(tmp_path: Path) -> None:
    deals = 50 * DEALS
    alone, store = tmp_path / "alone.sqlite", tmp_path / "s.sqlite"
    unshuffle.study.run("s", "belle-lucie", solver=True, seeds=range(deals), store=alone)
    rng = random.Random(100)
    for _ in range(50):
        pair = [start(store, deals), start(store, deals)]
        wait_for(store, count(store), pair[0])
        sleep(rng.uniform(0, 0.15))
        for process in pair:
            process.kill()
            process.communicate()
        check_whole(store)
    command = [*PROGRAM, *arguments(store, deals)]
    subprocess.run(command, env=environment(), check=True, capture_output=True)
    assert table(store) == table(alone)
