"""Settings that all tests share."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NoReturn

# Before NumPy is loaded, here and in what the tests start: a second thread of its linear algebra waits by spinning, and
# doubles the processor time of small matrices.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests.budget import pytest_runtest_call as pytest_runtest_call
from tests.budget import pytest_runtest_protocol as pytest_runtest_protocol
from unshuffle import engine, registry

# No deadlines: these machines are shared, and no test asserts a time. Derandomised, so that a failure can be repeated.
COMMON = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", COMMON, max_examples=15)
settings.register_profile("long", COMMON, max_examples=100)
settings.load_profile("long" if os.environ.get("UNSHUFFLE_TESTS") == "long" else "short")

# With several processes each is told the width of the terminal, and would break lines that are whole without it.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)

# A shell starts what runs in the background with Ctrl-C ignored, and what a test starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Read before any test module is imported: one that changed it would move all the others to the other engine.
ENGINE = os.environ.get("UNSHUFFLE_ENGINE")


def refuse(*_: object) -> NoReturn:
    """Fail a test without a mark that asks which engine serves, or for the engine itself."""
    pytest.fail("this test asks for an engine: mark it both_engines, or one_engine with the reason")


def may_ask(item: pytest.Item) -> bool:
    """Return whether the test is marked to ask an engine. Raise UsageError for a mark without its reason."""
    for mark in item.iter_markers("one_engine"):
        if len(mark.args) != 1 or not isinstance(mark.args[0], str):
            raise pytest.UsageError(f"{item.nodeid}: one_engine needs its reason: one_engine('...')")
    return any(item.get_closest_marker(name) for name in ("both_engines", "one_engine"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Check the marks of all tests before the first one runs."""
    for item in items:
        may_ask(item)


@pytest.fixture(autouse=True)
def _what_is_registered_is_forgotten() -> Iterator[None]:
    """Forget the games and policies that the test has made known: tests share a process, in any order."""
    from unshuffle.hidden import policy

    tables: list[dict[Any, Any]] = [registry._registered, registry._origins, policy._registered]
    tables += policy._registered.values()
    before = [set(table) for table in tables]
    modules = set(sys.modules)
    yield
    for table, names in zip(tables, before, strict=True):
        for name in set(table) - names:
            del table[name]
    for module in set(sys.modules) - modules:
        if module.startswith(registry._LOADED):
            del sys.modules[module]


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the games of the package by their ids, without those that test modules have loaded."""
    from tests.laws import OURS  # it loads a game, which not every test wants

    for name in ("_registered", "_origins"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    for name in set(registry._registered) - set(OURS):
        del registry._registered[name]
    return registry._registered


@pytest.fixture(autouse=True)
def _the_engine_is_the_one_that_was_asked_for(request: pytest.FixtureRequest) -> Iterator[None]:
    assert os.environ.get(engine.VARIABLE) == ENGINE
    if may_ask(request.node):
        yield
    else:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, "os", SimpleNamespace(environ=SimpleNamespace(get=refuse)))
            patch.setattr(engine, "_native_module", refuse)
            # A process that the test starts has no engine by this name, and stops with an error if it asks.
            patch.setenv(engine.VARIABLE, "unmarked")
            yield
    assert os.environ.get(engine.VARIABLE) == ENGINE
