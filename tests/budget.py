"""Record the processor time of every test where `tools/budget.py` asks for it."""

from __future__ import annotations

import os
import resource
from collections.abc import Generator
from pathlib import Path

import pytest

FOLDER = "UNSHUFFLE_BUDGET"
"""The variable that names the folder of the records. Without it nothing is recorded."""


def used() -> float:
    """Return the seconds of processor time that this process and its ended children have used so far."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write a line for the test: its name, the time of its call, and the time with all its fixtures."""
    before = used()
    try:
        return (yield)
    finally:
        if folder := os.environ.get(FOLDER):
            call = item.stash.get(CALL, 0.0)
            worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
            with (Path(folder) / f"{worker}.tsv").open("a") as file:
                file.write(f"{item.nodeid}\t{call:.3f}\t{used() - before:.3f}\n")


CALL = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the test without its fixtures: a session's server belongs to nobody's call."""
    before = used()
    try:
        return (yield)
    finally:
        item.stash[CALL] = used() - before
