"""The curve of chances: by what the player saw, coarse to fine, and certain where it can be."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

import unshuffle as un
from tests.laws import ROOT, UNKNOWN
from tests.review import brute
from unshuffle.hidden.chance import Chance
from unshuffle.review import chances
from unshuffle.review.chances import coarse_to_fine
from unshuffle.review.ledger import By, Verdict
from unshuffle.review.words import bar, lines, summary

HIDDEN = ("aces-up", "agnes")
TRAP = (ROOT / "examples" / "king-trap.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 65])
def test_every_position_is_looked_at_once_and_the_ends_first(count: int) -> None:
    order = list(coarse_to_fine(count))
    assert sorted(order) == list(range(count))
    assert order[:2] == [0, count - 1][: min(count, 2)]
    if count == 65:
        assert sorted(order[:5]) == [0, 16, 32, 48, 64]


class Spy:
    """An adviser who only notes what it is shown."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def advise(self, view: Any) -> Any:
        self.shown.append(view)
        return SimpleNamespace(chance=None)


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.both_engines
def test_no_hidden_card_plays_a_part(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Law: the adviser is shown views only, and those of two deals that look the same are the same."""
    game = un.game(name)
    state = game.deal(7)
    twin = state.view().sample(random.Random(1))
    assert twin != state
    shown = []
    for deal in (state, twin):
        spy = Spy()
        monkeypatch.setattr(chances, "adviser_of", lambda _, spy=spy: spy)
        un.review(deal, "", nodes=0)
        shown.append(spy.shown)
    assert shown[0] == shown[1] == [state.view()]


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.both_engines
def test_chances_stand_beside_the_verdicts(name: str) -> None:
    game = un.game(name)
    line = brute.random_play(game.deal(7), 7, 5)
    found = un.review(line.states[0], line.moves, seconds=0.5)
    assert found.has_chances
    told = [position.chance for position in found.positions if position.chance is not None]
    assert told
    assert all(0 <= chance.p <= 1 for chance in told)
    values = found.values()
    assert values["chance_information"] == "hidden"
    assert values["positions"][0]["chance"].keys() == {"p", "se"}
    assert "Chances: hidden: what a player sees; told at " in lines(found)[-1]


@pytest.mark.both_engines
def test_a_number_of_samples_decides_the_chances_and_no_clock() -> None:
    start = un.game("agnes", ranks=4, piles=3).deal(3)
    moves = start.legal_moves()[:1]
    found = [un.review(start, moves, samples=samples, seconds=None) for samples in (30, 30, 90)]
    told = [[position.chance for position in each.positions] for each in found]
    assert told[0] == told[1] != told[2]
    assert any(chance is not None and chance.se for chance in told[0])
    with pytest.raises(un.UsageError, match="samples has no effect on golf here"):
        un.review(un.game("golf").deal(1), "", samples=30)


@pytest.mark.both_engines
def test_open_games_have_no_curve_and_none_can_be_asked_for() -> None:
    found = un.review(un.game("belle-lucie").deal(3), "AC^")
    assert not found.has_chances
    assert {position.chance for position in found.positions} == {None}
    asked_not = un.review(un.game("aces-up").deal(3), "d d", chances=False, seconds=2)
    assert not asked_not.has_chances
    golf = un.game("golf")
    state = golf.deal(3)
    assert not un.review(state, [state.legal_moves()[0]], nodes=10, seconds=2).has_chances


@pytest.mark.both_engines
def test_gaps_is_reviewed_phase_by_phase() -> None:
    """A phase that can be won is certain to one who sees the board; a lost one may still be saved by a redeal."""
    game = un.game("gaps", "addiction")
    state = game.parse(TRAP)
    found = un.review(state, "8C>r1c7 KD>r1c12", seconds=4.0)
    assert [span.name for span in found.spans] == ["phase 1 of 4"]
    assert [position.verdict for position in found.positions] == [Verdict.WINNABLE, Verdict.WINNABLE, Verdict.LOST]
    assert [position.chance for position in found.positions[:2]] == [Chance(1.0, 0.0)] * 2
    last = found.positions[2].chance
    assert last is not None
    assert 0 < last.p < 1
    assert summary(found).startswith("Phase 1 of 4 was lost by move 2 (KD>r1c12); ")
    drop = found.drop
    assert drop is not None
    assert (drop.number, drop.is_luck) == (2, False)
    assert "fell most with move 2 (KD>r1c12), from 100 % to " in summary(found)


@pytest.mark.both_engines
def test_redeals_of_gaps_part_the_line() -> None:
    game = un.game("gaps", "montana")
    state = game.deal(7)
    found = un.review(state, [game.parse_move("r")], nodes=50, chances=False)
    assert [(span.name, span.first, span.last) for span in found.spans] == [
        ("phase 1 of 3", 0, 0),
        ("phase 2 of 3", 1, 1),
    ]
    assert summary(found).startswith("Phase 1 of 3 ")
    assert " Phase 2 of 3 " in summary(found)


@pytest.mark.both_engines
def test_known_redeals_are_searched_over_all_deals_and_unknown_ones_are_left_open() -> None:
    game = un.game("belle-lucie", "classic")
    typed = game.parse("KC QC\nKD JD QD\nKH\nKS\n")
    order = "KCQCKDQDJDKHKS"
    found = un.review(typed, f"QC^ r={order.replace('QC', '', 1)}", seconds=5.0)
    assert [span.name for span in found.spans] == ["deal 1 of 3", "deal 2 of 3"]
    assert [position.by for position in found.positions] == [By.REDEALS, By.REDEALS, By.SEARCH]
    assert "what one brings nobody can say. Deal 2 of 3 can still be won: " in summary(found)
    # What the redeal brought can be won without another one.
    assert found.positions[-1].chance == Chance(1.0, 0.0)
    assert all(position.chance is not None for position in found.positions)
    known = game.parse("KC QC\nKD JD QD\nKH\nKS\nRedeal 1: KC QC KD QD JD KH KS\nRedeal 2: KC QC KD QD JD KH KS\n")
    over_all = un.review(known, "QC^ r", seconds=5.0)
    assert [span.name for span in over_all.spans] == [""]
    assert {position.verdict for position in over_all.positions} == {Verdict.WINNABLE}
    win = over_all.win(0)
    assert win is not None
    assert "r" in [move.token for move in win]
    # A player does not know what the redeal brings; after it the win needs no other.
    assert over_all.positions[0].chance != Chance(1.0, 0.0)
    assert over_all.positions[-1].chance == Chance(1.0, 0.0)


def test_bars_are_as_long_as_chances_are_great() -> None:
    lengths = [len(bar(part)) for part in (0.0, 0.001, 0.25, 0.5, 1.0)]
    assert lengths == [0, 1, 5, 10, 20]
    assert bar(0.125) == "██▌"


@pytest.mark.both_engines
def test_the_ends_are_certain() -> None:
    game = un.game("aces-up")
    line = brute.random_play(game.deal(7), 7, 100)
    found = un.review(line.states[0], line.moves, seconds=0.0)
    assert line.outcome is un.Outcome.STUCK
    assert found.positions[-1].chance == Chance(0.0, 0.0)
    assert found.positions[0].chance is None
