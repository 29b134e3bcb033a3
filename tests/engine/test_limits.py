"""The native module's own manners: limits, cancelling, signals, panics."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import pytest

import unshuffle as un
from tests.laws import asked, native_module

pytestmark = pytest.mark.both_engines

GAME = un.game("belle-lucie")
SHORT = asked(GAME, GAME.deal(7))
# Without prunings this deal has many millions of positions: more than any test waits for.
PAIRS = un.game("belle-lucie", fan_size=2)
LONG = asked(PAIRS, PAIRS.deal(20))


def test_a_panic_becomes_an_exception_that_asks_for_a_report() -> None:
    with pytest.raises(RuntimeError, match="please report"):
        native_module()._panic_for_tests()


def test_watch_is_called_and_can_cancel() -> None:
    calls: list[tuple[int, float, int, int]] = []

    def watch(*counts: Any) -> bool:
        calls.append(counts)
        return len(calls) == 2

    found = native_module().solve(*LONG, prune=False, watch=watch)
    assert found.status == "cancelled"
    assert not found.interrupted
    assert len(calls) == 2
    assert calls[0][0] < calls[1][0] <= found.stats["nodes"]


def test_what_watch_raises_is_raised() -> None:
    def watch(*counts: Any) -> bool:
        raise ZeroDivisionError("stop")

    with pytest.raises(ZeroDivisionError, match="stop"):
        native_module().solve(*LONG, prune=False, watch=watch)


@pytest.mark.parametrize(("limit", "status"), [({"nodes": 5000}, "node-limit"), ({"seconds": 0.05}, "time-limit")])
def test_limits_have_their_own_status(limit: dict[str, Any], status: str) -> None:
    found = native_module().solve(*LONG, prune=False, **limit)
    assert found.status == status
    assert found.stats["nodes"] <= limit.get("nodes", found.stats["nodes"])


def test_the_table_keeps_within_its_memory_and_goes_on_when_it_is_full() -> None:
    found = native_module().solve(*LONG, prune=False, nodes=300_000, memory=1_000_000)
    assert found.status == "node-limit"
    assert found.stats["table_bytes"] <= 1_000_000
    assert found.stats["evictions"] > 0
    assert native_module().solve(*SHORT, memory=100).status == "memory-limit"


def test_counts_are_deterministic() -> None:
    def counts() -> dict[str, Any]:
        found = native_module().solve(*SHORT)
        return {name: value for name, value in found.stats.items() if name != "seconds"}

    assert counts() == counts()


CTRL_C = """
import os, signal, sys, unshuffle as un
from unshuffle import _engine
from unshuffle.rulebook import write_rules
game = un.game("belle-lucie", fan_size=2)
asked = game.id, write_rules(game.rules), str(game.deal(20))
if sys.argv[1] == "solve":
    calls = []
    def watch(*counts):
        calls.append(counts)
        if len(calls) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return len(calls) > 5
    found = _engine.solve(*asked, prune=False, watch=watch)
    print(found.status, found.interrupted, len(calls) <= 2)
else:
    batch = _engine.Batch(asked[0], asked[1], threads=2, prune=False)
    batch.submit([asked[2]] * 4)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        batch.next()
    except KeyboardInterrupt:
        print("cancelled True True")
"""


@pytest.mark.parametrize("call", ["solve", "batch"])
def test_ctrl_c_stops_a_search_at_once(call: str) -> None:
    run = subprocess.run([sys.executable, "-c", CTRL_C, call], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "cancelled True True\n"


def test_ctrl_c_in_un_solve_brings_what_was_found() -> None:
    def progress(now: un.Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    un.load("examples/golf.py")
    with pytest.raises(un.Interrupted) as caught:
        un.solve(un.game("golf").deal(1), progress=progress)
    result = caught.value.result
    assert result.status is un.Status.CANCELLED
    assert un.replay(result.state, result.moves).score == result.score


def test_a_batch_gives_results_in_order_and_faults_in_their_place() -> None:
    batch = native_module().Batch(SHORT[0], SHORT[1], threads=2)
    batch.submit([SHORT[2], "nonsense", SHORT[2]])
    batch.submit_seeds([7])
    assert batch.next().score == 5
    with pytest.raises(ValueError, match="nonsense"):
        batch.next()
    assert batch.next().score == 5
    assert batch.next().score == 5
    assert batch.next() is None


@pytest.mark.parametrize(
    ("game", "rules"),
    [("no-such-game", {}), ("belle-lucie", {"no_such_rule": "1"}), ("belle-lucie", {"fan_size": "none"})],
)
def test_what_the_engine_does_not_know_is_a_value_error(game: str, rules: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        native_module().solve(game, rules, SHORT[2])


def test_games_that_only_python_plays_are_said_so() -> None:
    assert not native_module().supports("golf", {})
    with pytest.raises(ValueError, match="golf"):
        native_module().solve("golf", {}, SHORT[2])
