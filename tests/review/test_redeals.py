"""What a review says where redeals are chance: of each part of the line just what was proved of it."""

from __future__ import annotations

import unshuffle as un
from unshuffle.review.ledger import Verdict
from unshuffle.review.words import summary


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
