"""Settings that all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: these machines are shared, and no test asserts a time. Derandomised, so that a failure can be repeated.
COMMON = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", COMMON, max_examples=15)
settings.register_profile("long", COMMON, max_examples=100)
settings.load_profile("long" if os.environ.get("UNSHUFFLE_TESTS") == "long" else "short")

# Read before any test module is imported: one that changed it would move all the others to the other engine.
ENGINE = os.environ.get("UNSHUFFLE_ENGINE")


@pytest.fixture(autouse=True)
def _the_engine_is_the_one_that_was_asked_for() -> Iterator[None]:
    assert os.environ.get("UNSHUFFLE_ENGINE") == ENGINE
    yield
    assert os.environ.get("UNSHUFFLE_ENGINE") == ENGINE
