"""Whether the stated chances of Gaps' ends keep their word: held against games that were played out on other boards.

The games are those of `benches/gaps_coverage.py`, which writes the file that is read here.
"""

from __future__ import annotations

import csv
import sys
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import binom, norm

import unshuffle as un
from tests.benching import BENCHES
from tests.laws import IS_LONG, ROOT
from unshuffle import engine
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.rescoring import Candidate, Rescoring
from unshuffle.games.gaps.hidden.values import TABLES, Shape, Value

FILE = ROOT / "tests" / "data" / "gaps" / "values-coverage.csv"


class Tried(NamedTuple):
    """An end, and what came of the games from it."""

    table: str
    how: str
    number: int
    redeals_left: int
    shape: Shape
    plays: int
    wins: int
    first: int

    @property
    def value(self) -> Value:
        found = values.lookup(TABLES[self.table], self.shape, self.redeals_left)
        assert found is not None
        return found


def tried() -> list[Tried]:
    with FILE.open(encoding="ascii", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [
        Tried(table, how, int(number), int(k), tuple(map(int, shape.split("/"))), int(plays), int(wins), int(first))
        for table, how, number, k, shape, plays, wins, first in rows
    ]


_STEPS = np.linspace(-4, 4, 161)
_WEIGHTS = norm.pdf(_STEPS) / norm.pdf(_STEPS).sum()


def holds(p: float, se: float, wins: int, plays: int) -> bool:
    """Whether so many wins are among the likely 95 % by the stated interval, with the noise of the games.

    The interval is a normal one in log odds. Of 20 games with a chance of 98 % all are won more often than not, though
    no such interval holds 100 %.
    """
    chances = expit(logit(p) + se / (p * (1 - p)) * _STEPS)
    below, above = binom.cdf(wins, plays, chances), binom.sf(wins - 1, plays, chances)
    return bool(min(_WEIGHTS @ below, _WEIGHTS @ above) > 0.025)


def test_the_ends_are_of_all_kinds() -> None:
    ends = tried()
    assert len({(end.table, end.redeals_left, end.shape) for end in ends}) >= 200
    for field, kinds in (("table", list(TABLES)), ("redeals_left", [1, 2, 3]), ("how", ["even", "met"])):
        for kind in kinds:
            assert sum(getattr(end, field) == kind for end in ends) >= 30, kind
    assert sum(end.plays >= 2000 for end in ends) >= 50
    assert not any(end.value.is_exact for end in ends)


def test_stated_intervals_hold_what_came() -> None:
    ends = tried()
    held = [holds(end.value.p, end.value.se, end.wins, end.plays) for end in ends]
    assert sum(held) >= 0.9 * len(held)
    for field in ("table", "redeals_left", "how"):
        for kind in {getattr(end, field) for end in ends}:
            of_kind = [is_in for end, is_in in zip(ends, held, strict=True) if getattr(end, field) == kind]
            # Some dozens of each kind.
            assert sum(of_kind) >= 0.85 * len(of_kind), kind
    # Where many games were played the noise of the games is not enough, nor is half the error.
    sure = [(end, is_in) for end, is_in in zip(ends, held, strict=True) if end.plays >= 1000]
    assert sum(is_in for _, is_in in sure) >= 0.9 * len(sure)
    assert sum(holds(end.value.p, end.value.se / 2, end.wins, end.plays) for end, _ in sure) < 0.9 * len(sure)
    # Nor are they wider than they need be.
    known = [end for end in ends if end.redeals_left == 1 and sum(end.shape) >= 24]
    assert sum(end.value.se for end in known) / len(known) < 0.02


def test_values_promise_hardly_more_than_what_comes() -> None:
    """A maximum over values is too high by what luck is in them: little."""
    ends = tried()
    weights = [1 / (end.value.se**2 + end.value.p * (1 - end.value.p) / end.plays) for end in ends]
    over = sum(weight * (end.value.p - end.wins / end.plays) for end, weight in zip(ends, weights, strict=True)) / sum(
        weights
    )
    assert abs(over) < 0.01


def test_intervals_with_tries_hold_what_came() -> None:
    """Some of the games as the tries of an adviser, against the others: table and tries weighed, with both errors."""
    state: Any = un.game("gaps").deal(1)
    held = []
    for end in tried():
        if end.plays < 400:
            continue
        p, se = end.value.p, end.value.se
        candidate = Candidate((), tuple(("", length) for length in end.shape), p, se)
        tries = [1.0] * end.first + [0.0] * (40 - end.first)
        told, error, count = Rescoring(state, {end.shape: candidate}, {end.shape: tries}).worth(end.shape)
        assert (count, error < se) == (40, True)
        held.append(holds(told, error, end.wins - end.first, end.plays - 40))
    assert len(held) >= 60
    assert sum(held) >= 0.9 * len(held)


@pytest.mark.skipif(engine.native() is None, reason="the games would take hours")
@pytest.mark.both_engines
def test_the_games_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first games from some ends, or in the long run all games from many of them."""
    monkeypatch.syspath_prepend(str(BENCHES))
    bench = import_module("gaps_coverage")
    for table in TABLES:
        ends = [end for end in tried() if end.table == table]
        count, met = bench.counts(table)
        even = list(islice(bench.drawn(table), count))
        assert [(end.number, end.redeals_left, end.shape) for end in ends[:count]] == [
            (end.number, end.redeals_left, end.shape) for end in even
        ]
        assert len(ends) == count + met
        quick = [end for end in ends if sum(end.shape) >= 27]
        for end in quick if IS_LONG else quick[::8]:
            asked = bench.End(*end[:5])
            assert asked.plays == end.plays
            won = bench.played(asked, range(end.plays if IS_LONG else bench.FIRST))
            assert sum(won[: bench.FIRST]) == end.first
            assert not IS_LONG or sum(won) == end.wins
    sys.modules.pop("gaps_coverage", None)
