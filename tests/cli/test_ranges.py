"""Ranges of deals that nothing can count: refused by every command that takes a range, and by the library."""

from __future__ import annotations

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from unshuffle.errors import UsageError

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

TOO_MANY = "0..18446744073709551615"
RANGED = {
    "solve": (),
    "deal": (),
    "simulate": ("--policy", "random"),
    "tournament": ("--policy", "random", "--policy", "greedy", "--yes"),
    "episodes": ("--policy", "random", "--out", "episodes.parquet"),
}


@pytest.mark.parametrize("command", RANGED)
def test_a_range_with_more_deals_than_can_be_counted_is_refused(command: str, run: Run) -> None:
    ended = run(command, "belle-lucie", "--seeds", TOO_MANY, *RANGED[command])
    assert (ended.code, ended.out) == (2, ""), ended.err
    assert "has too many deals; a range has at most 2^63-1" in ended.err


def test_a_study_refuses_such_a_range_too(run: Run) -> None:
    ended = run(
        "study", "run", "all", "--game", "belle-lucie", "--solver", "--seeds", "0..9223372036854775807", "--store", "x"
    )
    assert (ended.code, ended.out) == (2, ""), ended.err
    assert "has too many deals" in ended.err


def test_the_library_refuses_it_too() -> None:
    with pytest.raises(UsageError, match="too many deals"):
        un.simulate(un.game("belle-lucie"), seeds=range(2**64))
    # Solved one by one as they are asked for, such a range needs no count.
    assert next(iter(un.solve_many(un.game("belle-lucie"), seeds=range(2**64)))).score == 10
