"""The board of Gaps on a terminal and in a pipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.terminal import on_terminal
from tests.games.gaps_reference import reference

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

ROWS = reference("addiction-one-deal")["gaps-001"]["layout"].split("/")
LAYOUT = "\n".join(ROWS) + "\n"


def test_a_terminal_shows_suits_in_colour_and_locked_runs_in_bold(tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(LAYOUT)
    asked = ("verify", "gaps", str(tmp_path / "deal.txt"), "--explain", "short", "--moves", "7S 2H>r1c1")
    code, text = on_terminal(*asked)
    assert code == 1
    before, _, after = text.partition("After 2 moves")
    # The 2 of clubs is dealt into column 1; the 2 of hearts comes there by a move.
    assert "2    \x1b[1m2♣\x1b[0m   4♣" in before
    assert "\x1b[31m2♥\x1b[0m" in before
    assert "1    \x1b[31m\x1b[1m2♥\x1b[0m   \x1b[31mK♦\x1b[0m" in after
    assert "[\x1b[31mQ♥\x1b[0m]" in before
    assert " ··" in before


def test_a_plain_page_shows_the_text_that_can_be_read_again(run: Run) -> None:
    shown = run("verify", "gaps", "-", "--explain", "short", "--plain", "--moves", "7S", stdin=LAYOUT)
    assert LAYOUT in shown.out
    shown = run("solve", "gaps", "-", "--plain", "--nodes", "1", stdin=LAYOUT)
    assert LAYOUT in shown.out


def test_a_verdict_is_about_the_phase(run: Run) -> None:
    stuck = reference("addiction-one-deal")["gaps-039"]["layout"]
    ended = run("solve", "gaps", "-", "--explain", "none", stdin=stuck)
    assert ended.code == 1
    assert "Verdict: this phase cannot be won without a redeal; every way of playing it was ruled out" in ended.out
    assert "(open: all cards known, but no redeal)" in ended.out
    ended = run("solve", "gaps", "-", "--variant", "addiction-one-deal", "--explain", "none", stdin=stuck)
    assert "Verdict: this deal cannot be won" in ended.out


def test_what_is_proved_of_a_phase_is_not_said_of_the_game(run: Run) -> None:
    """What was wrong: "no line of play does better" where a redeal was left, and lists told no deal from a phase."""
    stuck = reference("addiction-one-deal")["gaps-039"]["layout"]
    asked = ("solve", "gaps", "-", "--maximize", "--explain", "none")
    assert "; proved: no line of play does better without a redeal\n" in run(*asked, stdin=stuck).out
    ended = run(*asked, "--variant", "addiction-one-deal", stdin=stuck)
    assert "; proved: no line of play does better\n" in ended.out
    for variant, is_phase in (("addiction", True), ("addiction-one-deal", False)):
        listed = ("solve", "gaps", "--variant", variant, "--seeds", "1..2", "--nodes", "1")
        assert f"(open: all cards known{', but no redeal' * is_phase})\n" in run(*listed).out
        rows = [json.loads(line) for line in run(*listed, "--json").out.splitlines()]
        assert [row["is_phase"] for row in rows] == [is_phase, is_phase]
    assert "is_phase" not in run("solve", "belle-lucie", "--seed", "1", "--nodes", "1", "--json").out


def test_the_faults_are_those_of_the_library(run: Run) -> None:
    ended = run("solve", "gaps", "-", stdin=LAYOUT.replace("9H", "c3"))
    assert ended.code == 255
    assert "r3c6: 'c3' is not a card or a gap; the only card missing is 9H\n" in ended.err
