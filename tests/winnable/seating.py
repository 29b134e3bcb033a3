"""Other players at the table of a game's panel."""

from __future__ import annotations

from dataclasses import replace

import pytest

import unshuffle as un
from unshuffle.manifest import Seat


def seat(monkeypatch: pytest.MonkeyPatch, game: str, *seats: Seat) -> None:
    """Let these measure how difficult deals of the game are."""
    cls = type(un.game(game))
    monkeypatch.setattr(cls, "has", replace(cls.has, panel=seats))
