"""What a test without the marks `both_engines` and `one_engine` cannot do: ask an engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.program import program
from tests.laws import native_games, native_module
from unshuffle import engine


@pytest.mark.parametrize("ask", [engine.native, engine.describe_engine, native_module, native_games])
def test_who_asks_for_an_engine_fails(ask: Callable[[], object]) -> None:
    # Not an exception that the code under test could turn into a message.
    with pytest.raises(pytest.fail.Exception, match="mark it both_engines"):
        ask()


def test_a_process_that_asks_stops_with_an_error() -> None:
    ended = program("solve", "belle-lucie", "--seed", "3")
    assert ended.code == 2
    assert "'unmarked' is not known" in ended.err
