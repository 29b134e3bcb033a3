"""The journeys of docs/design.md, walked: the files and rooms that the page tells."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.docs.pages import read
from tests.laws import ROOT
from unshuffle.engine import describe_engine

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

_ROW = re.compile(r"^\| ([^|`]+) \| (\d+) \| (`.*`) \|$", re.MULTILINE)


def test_the_page_tells_the_files_of_each_journey() -> None:
    """In a process of its own: what another test has called already is remembered, and not called again."""
    if describe_engine() != "native":
        pytest.skip("the page tells the walk with the engine; without it the Python search is one file more")
    run = subprocess.run([sys.executable, ROOT / "tools" / "walk.py"], capture_output=True, text=True, check=True)
    walked = []
    for journey in re.split(r"^(?=\S)", run.stdout, flags=re.MULTILINE)[1:]:
        head, *rows = journey.splitlines()
        files = re.search(r": (\d+) files", head)
        assert files is not None
        walked.append((int(files[1]), [row.split()[0] for row in rows if row.split()[0] != "unshuffle"]))
    told = [(int(count), re.findall(r"`([^`]+)`", rooms)) for _, count, rooms in _ROW.findall(read("design.md"))]
    assert told == walked
    for game, (_, rooms) in zip(("belle_lucie", "gaps", "belle_lucie"), walked, strict=True):
        assert {room.split("/")[1] for room in rooms if room.startswith("games/")} == {game}
