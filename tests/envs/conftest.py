"""A game of which no environment was written, for the default one."""

from __future__ import annotations

import pytest

from tests.ladder import Ladder
from unshuffle import registry


@pytest.fixture(autouse=True)
def _ladder_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """For these tests alone: another game has its id elsewhere."""
    monkeypatch.setitem(registry._registered, "ladder", Ladder())
