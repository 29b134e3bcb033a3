"""How fast something went is told only where it lasted: else what it costs to begin would be told as slowness."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from unshuffle.cli.show import speed
from unshuffle.solve import result
from unshuffle.solve.result import per_second

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

RATE = re.compile(r"[\d,]+(?:\.\d+)? (?:a second|(?:nodes|deals|games)/s)|nodes per second +[\d,]+")
NEARLY_WON = """Redeals used: 3
2D 3D 4D 5D 6D 7D 8D 9D TD JD QD -- KD
2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --
2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS --
"""
ASKED = {
    "advise gaps": ("advise", "gaps", "-"),
    "solve gaps": ("solve", "gaps", "-", "--stats"),
    "solve belle-lucie": ("solve", "belle-lucie", "--seed", "7", "--nodes", "100", "--stats"),
    "solve spider": ("solve", "spider", "--seed", "7", "--nodes", "100", "--stats"),
    "solve many": ("solve", "aces-up", "--seeds", "0..3", "--nodes", "100"),
    "simulate": ("simulate", "agnes", "--seeds", "0..3"),
    "tournament": ("tournament", "aces-up", "--policy", "greedy", "--policy", "random", "--seeds", "0..3"),
}


def test_a_second_is_enough_to_tell() -> None:
    assert per_second(12, 0.999) is None
    assert per_second(0, 0.0) is None
    assert per_second(3_000, 1.5) == 2_000


def test_a_rate_below_one_has_digits_or_is_left_out() -> None:
    told = [speed(count, 20.0, "deals") for count in (0, 5, 20, 30, 50_000)]
    assert told == ["", ", 0.25 deals/s", ", 1 deals/s", ", 2 deals/s", ", 2,500 deals/s"]
    assert speed(1, 1_000.0, "deals") == ""


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_short_work_tells_no_rate(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    """A search of one position was told as 12 positions a second."""
    # No test asserts a time: however slow the machine is, this was short.
    monkeypatch.setattr(result, "_TELLING", 1e9)
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "first.sqlite"))
    ended = run(*asked, stdin=NEARLY_WON)
    assert ended.out, ended.err
    assert RATE.search(ended.out) is None, ended.out
    monkeypatch.setattr(result, "_TELLING", 1e-9)
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "second.sqlite"))
    assert RATE.search(run(*asked, stdin=NEARLY_WON).out), "it would be told of work that lasts"
