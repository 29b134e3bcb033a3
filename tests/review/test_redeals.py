"""What a review says where redeals are chance: of each part of the line just what was proved of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.contract import luck
from tests.laws import IS_LONG
from tests.review import brute
from unshuffle.hidden.chance import Chance
from unshuffle.review import searching as searching_room
from unshuffle.review.ledger import By, Verdict
from unshuffle.review.words import lines, summary

pytestmark = pytest.mark.both_engines


def test_a_lost_last_deal_is_not_a_game_that_was_lost_from_its_start() -> None:
    game = un.game("belle-lucie", "merci")
    start = game.parse("KH QH\nKD QD TD\nJD\n")
    found = un.review(start, "r=QHKHJDKDQDTD r=JDKDTDQHQDKH TD^", chances=False)
    names = ["deal 1 of 3", "deal 2 of 3", "deal 3 of 3"]
    assert [span.name for span in found.spans] == names
    assert [span["name"] for span in found.values()["spans"]] == names
    assert found.positions[2].verdict is Verdict.LOST
    assert "Deal 3 of 3 could not be won from its start; no move lost it." in summary(found)
    assert "The game" not in summary(found)


def test_a_part_has_the_name_of_the_deals_that_its_verdicts_are_about() -> None:
    game = un.game("belle-lucie", "classic")
    fans = "KC QC\nKD JD QD\nKH\nKS\n"
    redeals = "Redeal 1: QC KC KD QD JD KH KS\nRedeal 2: KC QC KD QD JD KH KS\n"
    names = {
        f"{fans}{redeals}": "",
        f"{fans}Deal: 2\n{redeals.splitlines()[0]}\n": "deals 2 to 3 of 3",
        f"{fans}Deal: 3\n": "deal 3 of 3",
    }
    for text, name in names.items():
        found = un.review(game.parse(text), "QC^", nodes=0, chances=False)
        assert [span.name for span in found.spans] == [name]
    assert [span.name for span in un.review(un.game("belle-lucie").parse(fans), "QC^").spans] == [""]


def test_a_lost_phase_is_told_from_a_lost_game() -> None:
    """What was wrong: a phase that is lost was red, whether or not a redeal could still win the game."""
    ends = {("gaps", "addiction"): True, ("gaps", "addiction-one-deal"): False, ("belle-lucie", "merci"): False}
    for names, goes_on in ends.items():
        state = un.game(*names).deal(7)
        (span,) = un.review(state, [state.legal_moves()[0]], nodes=0, chances=False).spans
        assert span.goes_on is goes_on
    typed = un.game("belle-lucie", "classic").parse("KH QH\nKD QD TD\nJD\n")
    found = un.review(typed, "r=QHKHJDKDQDTD r=JDKDTDQHQDKH TD^", chances=False)
    assert [span["goes_on"] for span in found.values()["spans"]] == [True, True, False]
    assert [found.span_at(position.after).name for position in found.positions] == [
        "deal 1 of 3", "deal 2 of 3", "deal 3 of 3", "deal 3 of 3",
    ]  # fmt: skip


def test_unknown_redeals_leave_undecided_only_what_they_decide() -> None:
    """A win without them is proved, and so is from where on only they could win."""
    game = un.game("belle-lucie", "classic")
    start = game.parse("9C KD JC\nKC KH QC\nTC\n")
    found = un.review(start, "TC>JC r=9CKDJCTCKCKHQC KH^", seconds=5.0)
    assert [position.verdict for position in found.positions] == [Verdict.WINNABLE] + [Verdict.UNDECIDED] * 3
    assert [position.by for position in found.positions[1:]] == [By.REDEALS] * 3
    first, second = found.spans
    assert (first.lost_by, first.first_lost, first.lost_between) == (None, None, None)
    assert first.left_by is not None
    assert first.left_by.number == first.first_left == 1
    assert un.replay(start, first.left_by.instead).outcome is un.Outcome.WON
    assert (second.first_left, second.left_by, second.left_between) == (2, None, None)
    chances = [position.chance for position in found.positions]
    assert chances[0] == Chance(1.0, 0.0)
    assert all(chance is not None and 0 < chance.p < 1 for chance in chances[1:])
    said = summary(found)
    assert "Deal 1 of 3 could not be won any more without a redeal that nobody knows after move 1 (TC>JC); " in said
    assert "Deal 2 of 3 could not be won from its start without a redeal that nobody knows, which is proved." in said
    assert lines(found)[-2].startswith("Verdicts: open: all cards known, but no redeal; ")
    spans = found.values()["spans"]
    assert spans[0]["left_by"]["token"] == "TC>JC"
    assert [span["lost_by"] for span in spans] == [span["left_between"] for span in spans] == [None, None]


def test_a_limit_is_not_taken_for_a_proof_that_only_a_redeal_could_win(monkeypatch: pytest.MonkeyPatch) -> None:
    game = un.game("belle-lucie", "classic")
    start = game.parse("9C KD JC\nKC KH QC\nTC\nKS QS\n")
    hard = start.play(game.parse_move("TC>JC"))

    def hits_its_limit(position: Any, **options: Any) -> un.Result:
        result = un.solve(position, **options)
        if position != hard:
            return result
        return un.Result(position, un.Status.NODE_LIMIT, (), position.score, False, result.stats, result.engine)

    monkeypatch.setattr(searching_room, "solve", hits_its_limit)
    found = un.review(start, "TC>JC QS^", seconds=None, chances=False)
    assert [position.by for position in found.positions] == [By.SEARCH, By.LIMIT, By.REDEALS]
    assert found.spans[0].left_between == (1, 2)
    assert "after one of moves 1 to 2; not decided by which one." in summary(found)


@pytest.mark.parametrize("name", ["classic", "merci", "super-flower-garden"])
@pytest.mark.parametrize("seed", range(20 if IS_LONG else 4))
def test_verdicts_without_the_redeals_are_those_of_every_move_and_every_order(name: str, seed: int) -> None:
    game = un.game("belle-lucie", name)
    rng = Random(seed)
    cards = [f"{rank}{suit}" for suit in "CDHS" for rank in "KQJT"[: rng.randint(0, 2)]] or ["KC"]
    rng.shuffle(cards)
    start = game.parse("\n".join(" ".join(cards[first : first + 3]) for first in range(0, len(cards), 3)))
    moves = list(brute.random_play(start, seed, 3).moves)
    found = un.review(start, moves, seconds=None, chances=False)
    known = {un.Status.SOLVED: Verdict.WINNABLE, un.Status.UNSOLVABLE: Verdict.LOST}
    for position in found.positions:
        truth = luck.status(position.state, lambda _: ())
        # What no line wins is no loss while a redeal is left: some order of it wins (tests/contract/test_redeals.py).
        expected = Verdict.UNDECIDED if truth is un.Status.UNSOLVABLE else known[truth]
        assert position.verdict is expected
        assert (position.by is By.REDEALS) == (expected is Verdict.UNDECIDED)
