"""Errors as values: they say the same in another process."""

from __future__ import annotations

import copy
import pickle

import pytest

import unshuffle as un
from unshuffle.errors import Fault, InternalError, Place, StoreError

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

ERRORS = [
    un.ParseError("'zz' is not a card"),
    un.UsageError("threads=0 is not allowed"),
    StoreError("the store cannot be used"),
    un.InvalidDealError([Fault("5H twice: r1c3 and r4c2"), Fault("'zz' is not a card", Place(2, 7))]),
    un.InvalidDealError(Fault(f"fault {number}") for number in range(50)),
    un.IllegalMoveError("6H>r2c5", "KS KH", "r2c5 is no gap: KS stands there"),
    InternalError("the two sides disagree", "moves: 6H>r2c5"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_comes_whole_out_of_another_process(error: Exception) -> None:
    error.add_note("stdin is not a deal of gaps/addiction")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert (str(again), again.__dict__) == (str(error), error.__dict__)


def test_an_illegal_move_is_told_in_one_line() -> None:
    error = un.IllegalMoveError("KC", "4D 6D\nWaste: KH\n", "it is covered")
    assert str(error) == "illegal move 'KC' in '4D 6D / Waste: KH': it is covered"
    assert error.position == "4D 6D\nWaste: KH\n"


def test_an_error_says_what_it_is_made_of() -> None:
    deal, more, move, bug = ERRORS[3:]
    assert str(deal) == "5H twice: r1c3 and r4c2\nline 2, column 7: 'zz' is not a card"
    assert str(more).splitlines()[-1] == "... and 20 more"
    assert str(move) == "illegal move '6H>r2c5' in 'KS KH': r2c5 is no gap: KS stands there"
    assert str(bug).startswith("the two sides disagree. This is a bug in unshuffle")
    assert str(bug).endswith("\nmoves: 6H>r2c5")
