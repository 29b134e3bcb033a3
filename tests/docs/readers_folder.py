"""The folder in which a reader tries what a page shows."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.laws import DATA, ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_registry: dict[str, Any]) -> Path:
    """Where a reader sits, with a store of their own; the games of their files are not known elsewhere."""
    monkeypatch.chdir(tmp_path)
    # A person's Python finds the files that lie beside it.
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", "s.sqlite")
    monkeypatch.delenv("UNSHUFFLE_SAVES", raising=False)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    furnish(tmp_path)
    return tmp_path


def furnish(place: Path) -> None:
    """What the repository has, and what people bring along who come from other programs."""
    for name in ("examples", "studies"):
        (place / name).symlink_to(ROOT / name)
    (place / "docs" / "images").mkdir(parents=True)
    shutil.copy(DATA / "aces-up" / "peer-sample.sqlite", place)
    decks = place / "decks" / "o0"
    decks.mkdir(parents=True)
    for number, deck in enumerate(islice(un.game("agnes").decks(12345, "python"), 3), 1):
        lines = (f"({card.rank - 1:2d}, {'CDSH'.index(card.suit.letter)})\n" for card in deck)
        (decks / f"deck{number}.txt").write_text("".join(lines))
