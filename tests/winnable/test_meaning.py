"""One meaning of *winnable* for a deal, in the same words wherever it is said."""

from __future__ import annotations

import re

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle.cli.show import Page
from unshuffle.engine import describe_engine
from unshuffle.game import WINNABLE
from unshuffle.solve import Status
from unshuffle.winnable import find

__all__ = ["run"]  # the fixture

STATIC = ROOT / "src" / "unshuffle" / "web" / "static"


@pytest.mark.both_engines
def test_the_form_the_help_and_the_docs_say_the_same(run: Run) -> None:
    assert f"> {WINNABLE}\n" in (ROOT / "docs" / "winnable.md").read_text(encoding="utf-8")
    assert WINNABLE in " ".join(re.sub("[│|]", " ", run("deal", "--help").out).split())
    form = (STATIC / "play" / "dealing.js").read_text(encoding="utf-8")
    assert f'export const WINNABLE = "{WINNABLE}";' in form
    # The page says it nowhere in words of its own.
    said = [path.name for path in STATIC.rglob("*.js") if "proved with all cards" in path.read_text(encoding="utf-8")]
    assert said == ["dealing.js"]


@pytest.mark.skipif(describe_engine() != "native", reason="whole games of Gaps take minutes in Python")
@pytest.mark.both_engines
def test_a_winnable_deal_may_have_a_phase_that_is_not_won(run: Run) -> None:
    """What was wrong: such a deal was called lost, in red."""
    game = un.game("gaps")
    deals = find(game, None, count=5, start=0, store=None)
    deal = next(deal for deal in deals if deal.proof != "solver")
    assert un.solve(un.deal(deal.deal), nodes=1_000_000).status is Status.UNSOLVABLE
    seed = deal.deal.split("@")[1]
    ended = run("solve", "gaps", "--seed", seed, "--explain", "none")
    assert "Verdict: this phase cannot be won without a redeal; " in ended.out
    # It is proved all the same: the line goes through the redeals of the id.
    assert run("verify", "gaps", "--seed", seed, "--moves", deal.moves).code == 0


def test_a_phase_is_told_in_red_only_where_nothing_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page.__new__(Page)
    monkeypatch.setattr(Page, "style", lambda self, text, colour, *, bold: f"{colour}: {text}")
    assert page.verdict("no", Status.UNSOLVABLE) == "red: no"
    assert page.verdict("no", Status.UNSOLVABLE, goes_on=True) == "yellow: no"
    assert page.verdict("yes", Status.SOLVED, goes_on=True) == "green: yes"
