"""Ctrl-C at each line of the code that writes a file: the file is whole or absent, and nothing is left beside it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from unshuffle import files
from unshuffle.store import Store
from unshuffle.store import files as store_files

TRACED = {module.__file__ for module in (files, store_files, contextlib)}
"""Where Ctrl-C falls: what makes drafts, gives them their names and removes them."""


def interrupted(work: Callable[[], object], place: int) -> bool:
    """Do the work, with a KeyboardInterrupt before the line number `place` that runs; False if it has fewer lines."""
    lines = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code.co_filename not in TRACED:
            return None
        if event == "line":
            lines += 1
            if lines == place:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def write_file(path: Path) -> None:
    files.write_whole(path, b"whole")


def write_new_file(path: Path) -> None:
    files.write_whole(path, b"whole", replaces=False)


def is_store(path: Path) -> bool:
    with Store.open(path, create=False) as store:
        return store.studies() == []


@pytest.mark.parametrize(
    ("work", "is_whole"),
    [
        (store_files._make, is_store),
        (write_file, lambda path: path.read_bytes() == b"whole"),
        (write_new_file, lambda path: path.read_bytes() == b"whole"),
    ],
)
def test_ctrl_c_at_any_line_leaves_no_draft(
    tmp_path: Path, work: Callable[[Path], object], is_whole: Callable[[Path], bool]
) -> None:
    """What was wrong: a new store lost its draft in a `finally`, which Ctrl-C broke off."""
    place = has_named = 0
    path = tmp_path / "file"
    while interrupted(lambda: work(path), place := place + 1):
        assert [each.name for each in tmp_path.iterdir()] in ([], ["file"]), place
        if path.exists():
            has_named += 1
            assert is_whole(path), place
            path.unlink()
    path.unlink()
    assert place > 20
    assert has_named or work is write_file  # there the name is the last that a file gets
