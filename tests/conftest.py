"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadlines: these machines are shared, and no test asserts a time. Derandomised, so that a failure can be repeated.
settings.register_profile(
    "unshuffle", deadline=None, derandomize=True, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unshuffle")
