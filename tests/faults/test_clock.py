"""A clock that is set back, or jumps ahead, spoils nothing: no duration hangs on it, and stored times are only told."""

from __future__ import annotations

import ast
import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.advise.table import Sit, last_prompt, saved
from tests.cli.conftest import Run
from tests.laws import ROOT
from unshuffle.advise import folder
from unshuffle.store import Store, owner
from unshuffle.study import document

SOURCE = ROOT / "src" / "unshuffle"
# What time it is, for people who read a file; who has left a claim; how old a report is.
TOLD = {"advise/folder.py", "store/owner.py", "study/document.py"}


def test_durations_are_taken_from_clocks_that_nobody_sets() -> None:
    """`time()` and `now()` may be set back by hand or by a server; only what tells a time to people asks for them."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        # Parsed only where such a call may be: to parse all modules takes long.
        for node in ast.walk(ast.parse(text)) if re.search(r"\b(time(_ns)?|(utc)?now)\(", text) else ():
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name in ("time", "time.time", "datetime.now", "datetime.utcnow", "time.time_ns"):
                    found.add(path.relative_to(SOURCE).as_posix())
    assert found == TOLD


def test_the_engine_measures_with_a_clock_that_nobody_sets() -> None:
    assert [path.name for path in (ROOT / "engine" / "src").rglob("*.rs") if "SystemTime" in path.read_text()] == []


Set = Callable[[float], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Set]:
    """Every clock that can be set; so many seconds ahead of the real one."""
    ahead = 0.0

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + timedelta(seconds=ahead)

    for module in (folder, owner, document):
        monkeypatch.setattr(module, "datetime", Shifted)

    def set_clock(seconds: float) -> None:
        nonlocal ahead
        ahead = seconds

    yield set_clock
    assert datetime.now(UTC)


DAY = 86_400.0
JUMPS = [-400 * DAY, 0.0, 4000 * DAY, -3600.0]


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_study_goes_on_whatever_the_clock_says(run: Run, tmp_path: Path, clock: Set) -> None:
    store = tmp_path / "s.sqlite"
    words = ["study", "run", "s", "--game", "belle-lucie", "--rule", "fan_size=13", "--solver", "--store", store]
    for number, ahead in enumerate(JUMPS, 1):
        clock(ahead)
        ended = run(*words, "--seeds", f"0..{50 * number - 1}")
        assert ended.code == 0, ended.err
        assert f"n = {50 * number}" in ended.out
        # A report with dates that go back, and a duration that does not.
        report = run("study", "report", "s", "--store", store, "--markdown", "-")
        assert report.code == 0, report.err
        assert run("study", "show", "s", "--store", store).code == 0
    with Store.open(store, create=False) as opened:
        (each,) = opened.runs("s")
        assert opened.seeds_done(each) == [(0, 50 * len(JUMPS) - 1)]
        assert opened.summary(each).n == 50 * len(JUMPS)


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_tournament_goes_on_whatever_the_clock_says(run: Run, tmp_path: Path, clock: Set) -> None:
    words = ["tournament", "belle-lucie", "--policy", "random", "--policy", "random:seed=1", "--yes", "--json"]
    alone = run(*words, "--seeds", "0..79", "--store", tmp_path / "alone.sqlite")
    assert alone.code == 0, alone.err
    for number, ahead in enumerate(JUMPS, 1):
        clock(ahead)
        ended = run(*words, "--seeds", f"0..{20 * number - 1}", "--store", tmp_path / "s.sqlite")
        assert ended.code == 0, ended.err
    assert ended.objects == alone.objects


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_limits_of_time_are_kept_while_the_clock_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that runs back a day with every look at it."""
    day = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: -DAY * next(day))
    begun = time.monotonic()
    found = un.solve(un.game("belle-lucie", fan_size=1).deal(1), seconds=0.2, maximize=True)
    assert found.status in (un.Status.TIME_LIMIT, un.Status.SOLVED, un.Status.UNSOLVABLE)
    assert 0 <= found.stats.seconds < 60
    assert time.monotonic() - begun < 60


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_claim_of_another_machine_is_given_up_whatever_the_clocks_say(clock: Set) -> None:
    """Its processes cannot be seen from here; only times can be compared."""
    name = "elsewhere:1:unknown:1"
    clock(-DAY)
    early = owner.now()
    clock(DAY)
    late = owner.now()
    clock(0.0)
    assert not owner.is_abandoned(name, owner.now())
    assert owner.is_abandoned(name, early)
    # The clock was set back after it was claimed: nobody waits until it comes to that time again.
    assert owner.is_abandoned(name, late)
    # A process of this machine is looked for, and not its times.
    mine = owner.Owner()
    try:
        assert not owner.is_abandoned(mine.name, early)
        assert not owner.is_abandoned(mine.name, "no time at all")
    finally:
        mine.close()
    assert owner.is_abandoned(mine.name, late)


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_saved_game_is_opened_whatever_its_times_say(sit: Sit, saves: Path, clock: Set) -> None:
    for ahead in JUMPS:
        clock(ahead)
        ended = sit("KC QC", "u", "z", variant=None if (saves / "g.json").exists() else "classic")
        assert ended.code == 0, ended.err
        assert last_prompt(ended).startswith("Fan")
    value = saved(saves)
    assert datetime.fromisoformat(value["updated"]) < datetime.now(UTC)
    (saves / "g.json").write_text(json.dumps(value | {"created": "long ago", "updated": "never"}))
    assert sit("z", variant=None).code == 0
