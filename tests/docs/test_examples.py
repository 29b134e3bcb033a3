"""Every example of every page: what is shown there works, and prints what is shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.docs.pages import PAGES, RUN, blocks, commands, read
from tests.docs.readers_folder import folder
from tests.docs.running import Reader, unrun
from tests.docs.unrun import DIFFERS, NATIVE, NEEDS, SMALLER, UNRUN
from unshuffle.engine import describe_engine

__all__ = ["folder", "run"]  # the fixtures

WITH_EXAMPLES = [name for name in PAGES if any(block.language in RUN for block in blocks(name))]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
@pytest.mark.one_engine("the pages show the native engine")
def test_the_page_is_true(name: str, run: Run, folder: Path) -> None:
    if name in NATIVE and describe_engine() != "native":
        pytest.skip(NATIVE[name])
    if name in NEEDS and "CI" not in os.environ:
        pytest.importorskip(NEEDS[name])
    reader = Reader(name, run, folder)
    for block in blocks(name):
        reader.do(block)


def test_what_is_not_run_is_there() -> None:
    for name, reasons in UNRUN.items():
        lines = [
            text
            for block in blocks(name)
            if block.language in RUN
            for text in ([block.text] if block.language == "python" else [each.line for each in commands(block)])
        ]
        assert {unrun(name, line) for line in lines} - {None} == set(reasons.values()), name
        assert all(any(beginning in line for line in lines) for beginning in reasons), name
    assert all(many in read(name) for name, pairs in SMALLER.items() for many, _ in pairs)
    assert {*NATIVE, *NEEDS, *DIFFERS} <= set(WITH_EXAMPLES)
