from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import deal_numbers
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace

pytestmark = pytest.mark.one_engine("checks the rules, not the answers")

GAME = un.game("belle-lucie")


def faults(text: str, game: un.Game[Any, Any] = GAME) -> list[str]:
    with pytest.raises(un.InvalidDealError) as caught:
        game.parse(text)
    return [str(fault) for fault in caught.value.faults]


def test_every_fault_is_named_with_its_place() -> None:
    assert faults("KS KH KC\nKS 1X\n") == [
        "line 2, column 1: 'KS' is on the table twice (first at line 1, column 1)",
        "line 2, column 4: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["no cards: expected fans, one per line, or 'Deck:' and 52 cards"]),
        ("# nothing\n\n", ["no cards: expected fans, one per line, or 'Deck:' and 52 cards"]),
        ("-\n", ["no cards: expected fans, one per line, or 'Deck:' and 52 cards"]),
        (
            "Foundations: KC KD KH",
            [
                "line 1, column 1: the foundation of spades is not listed, but the fans leave KS on top",
            ],
        ),
        ("KD QD 2D", ["diamonds: 3D 4D 5D 6D 7D 8D 9D TD JD are nowhere, but 2D is in fan 1"]),
        ("KC\nKD QD JD TD 9D 8D 7D 6D 5D 4D / 2D", ["diamonds: 3D is nowhere, but 2D is in fan 3"]),
        (
            "Foundations: JC KD KH KS\nKC",
            [
                "line 1, column 14: the foundation of clubs cannot end with JC: the fans leave QC on top",
            ],
        ),
        (
            "Foundations: KC KD KH KS\nKC",
            [
                "line 1, column 14: the foundation of clubs cannot end with KC (KC is in fan 1): "
                "the fans leave QC on top",
            ],
        ),
        (
            "KC\nFondations: QC\n",
            [
                "line 2, column 1: 'fondations' is not a label; expected Foundations:, Deal:, Merci:, Redeal n:, "
                "Deck:, Id: or cards",
            ],
        ),
        ("KC\nDeal: 2", ["line 2, column 1: '2' is not a deal of this game; expected 'Deal: 1', there is no redeal"]),
        (
            "KC / 0H 1H 11H ZH 8Z",
            [
                f"line 1, column {column}: '{token}' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S"
                for column, token in ((6, "0H"), (9, "1H"), (12, "11H"), (16, "ZH"), (19, "8Z"))
            ],
        ),
        (
            "Id: belle-lucie/one-deal+fan_size=4@7",
            [
                "line 1, column 5: 'belle-lucie/one-deal+fan_size=4@7' is not a deal of belle-lucie/one-deal",
            ],
        ),
        ("Deck: KC QC", None),
    ],
)
def test_bad_input_is_named(text: str, expected: list[str] | None) -> None:
    found = faults(text)
    if expected is None:
        assert found[0].startswith("the deck has 2 cards, expected 52; missing: AC 2C")
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("fields", "text", "expected"),
    [
        ({"variant": "classic"}, "KC / Deal: 4", ["'4' is not a deal of this game; expected a number 1..3"]),
        ({"variant": "classic"}, "KC / Deal: 0", ["'0' is not a deal of this game; expected a number 1..3"]),
        ({"variant": "classic"}, "KC / Deal: two", ["'two' is not a deal of this game; expected a number 1..3"]),
        ({"variant": "classic"}, "KC / Deal:", ["'' is not a deal of this game; expected a number 1..3"]),
        ({"variant": "merci"}, "KC / Merci: 2", ["'2' is not a number of mercis left; expected a number 0..1"]),
        ({"variant": "merci"}, "KC / Merci: yes", ["'yes' is not a number of mercis left; expected a number 0..1"]),
        (
            {},
            "KC / Merci: 1",
            ["'1' is not a number of mercis left; expected no such line, there is no merci in these rules"],
        ),
        ({}, "KC / Redeal 1: KC", ["'Redeal 1:' cannot come: no redeal is left"]),
        ({"variant": "classic"}, "KC / Redeal 0: KC", ["'Redeal 0:' cannot come: 2 redeals are left"]),
        ({"variant": "classic"}, "Deal: 3 / KC / Redeal 1: KC", ["'Redeal 1:' cannot come: no redeal is left"]),
        (
            {"variant": "classic"},
            "Deal: 2 / KC / Redeal 1: KC / Redeal 2: KC",
            ["'Redeal 2:' cannot come: 1 redeal is left"],
        ),
        ({"variant": "classic"}, "KC / Redeal n: KC", ["'redeal n' is not a label; expected Foundations:, Deal:"]),
        ({"variant": "classic"}, "KC / Redeal 1234: KC", ["'redeal 1234' is not a label"]),
        ({"variant": "classic"}, "KC / Deal 1: KC", ["'deal 1' is not a label"]),
        ({"variant": "classic"}, "KC / Redeal 2: KC", ["'Redeal 2:' is there without 'Redeal 1:'"]),
        ({"variant": "classic"}, "KC / Redeal 1: KC / Redeal 01: KC", ["'Redeal 1:' is there twice"]),
        (
            {"variant": "classic"},
            "KC QC / Redeal 1: KC 5H KC 1H",
            [
                "'KC' is in redeal 1 twice (first at line 2, column 11)",
                "'1H' is not a card",
                "redeal 1 lacks QC",
            ],
        ),
        (
            {"variant": "merci"},
            "KC / Deal: 9 / Merci: 9 / Redeal 1: QC",
            ["'9' is not a deal", "'9' is not a number of mercis", "redeal 1 lacks KC"],
        ),
        (
            {"variant": "classic"},
            "Id: belle-lucie/classic@7 / KC / Redeal 1: KC",
            ["'Redeal 1:' does not go with 'Id:', which says the redeals"],
        ),
        (
            {"variant": "classic"},
            "Deck: KC / Foundations: KC / Redeal 1: KC",
            ["'Foundations:' does not go with 'Deck:'", "redeal 1 lacks AC 2C", "the deck has 1 card,"],
        ),
    ],
)
def test_faults_about_deal_mercis_and_redeals(fields: dict[str, Any], text: str, expected: list[str]) -> None:
    found = faults(text.replace(" / ", "\n"), un.game("belle-lucie", **fields))
    assert len(found) == len(expected)
    for words in expected:
        assert any(words in fault for fault in found), (words, found)


def test_deal_mercis_and_redeals_are_read_and_written() -> None:
    game = un.game("belle-lucie", "merci")
    state = game.parse("Merci: 0\nKS / QS\nredeal 1: ♠K 5H,Q♠\nDeal: 02")
    assert (state.deal, state.mercis, state.redeals_left) == (2, 0, 1)
    assert str(state) == "Foundations: KC KD KH JS\nDeal: 2\nMerci: 0\nRedeal 1: KS QS\nKS\nQS\n"
    assert game.parse(str(state)) == state
    won = game.parse("Foundations: KC KD KH KS\nDeal: 3")
    assert won.outcome is un.Outcome.WON
    assert game.parse(str(won)) == won
    assert game.parse("Foundations: KC KD KH KS\nRedeal 1:\n").redeals == ()


def test_an_id_beside_a_table_tells_its_redeals() -> None:
    game = un.game("belle-lucie", "classic")
    state = game.parse("Id: belle-lucie/classic@7#2\nDeal: 2\nKS / QS / JS")
    order = [card for card in un.Source(7, number=4).deck(PACK) if card in {fan[0] for fan in state.fans}]
    assert state.redeals == (tuple(order),)
    assert game.parse(str(state)) == state
    assert state.id == "belle-lucie/classic@7#2"
    assert GAME.parse("Id: belle-lucie/one-deal@7\nKS QS").redeals == ()


def test_a_position_with_redeals_that_nobody_knows_is_lost_only_without_them() -> None:
    """What is won without a redeal is won; what is not may still be won by one."""
    merci = un.game("belle-lucie", "merci")
    for text in ("KS / QS", "Redeal 1: KS QS\nKS / QS", "Deal: 3\nQS KS", "Foundations: KC KD KH KS"):
        assert un.solve(merci.parse(text)).status is un.Status.SOLVED
    assert un.solve(un.game("belle-lucie", "trefoil").parse("KS")).status is un.Status.SOLVED
    found = un.solve(merci.parse("QS KS"))
    assert (found.status, found.score, found.score_proved) == (un.Status.UNKNOWN_REDEALS, 50, False)
    assert un.solve(merci.parse("Redeal 1: KS QS\nQS KS")).status is un.Status.SOLVED
    with pytest.raises(un.UsageError) as caught:
        merci.check_open(merci.parse("QS KS"))
    for way_out in ("a seed", "'Redeal' lines", "--redeal", "advise"):
        assert way_out in str(caught.value)


def test_the_won_position_is_four_kings() -> None:
    state = GAME.parse("Foundations: KC KD KH KS")
    assert state.outcome is un.Outcome.WON
    assert state.score == 52
    assert str(state) == "Foundations: KC KD KH KS\n"
    assert un.solve(state).status is un.Status.SOLVED


def test_spellings_labels_and_separators_mean_the_same() -> None:
    plain = GAME.parse("KH TH\nQH JH\nKS")
    assert GAME.parse("[ 1] k♥,10h  # a comment\n\n2: ♡Q HJ\n[3]\tks\n") == plain
    assert GAME.parse("kh10♥ / QHJH / K♠\ufe0f") == plain
    assert GAME.parse("Foundations: 9H QS KD KC\nDeal: 1\r\nKH TH\r\nQH JH / - / KS") == plain


@given(seed=deal_numbers, data=st.data())
def test_nothing_is_ever_dropped(seed: int, data: st.DataObject) -> None:
    """A token that is spoiled is a fault, never a card that is silently on the foundations."""
    cards = [[str(card) for card in fan] for fan in GAME.deal(seed).fans]
    fan = data.draw(st.integers(0, len(cards) - 1))
    place = data.draw(st.integers(0, len(cards[fan]) - 1))
    cards[fan][place] = data.draw(st.sampled_from(["1H", "0S", "X", "QQ", "5", "♠", "K.", "1OH"]))
    message = "\n".join(faults("\n".join(" ".join(row) for row in cards)))
    assert repr(cards[fan][place]) in message


@given(seed=deal_numbers)
def test_any_layout_of_a_whole_deal_is_read(seed: int) -> None:
    deck = un.Source(seed).deck(PACK)
    state = GAME.parse("/".join(" ".join(map(str, deck[start : start + 13])) for start in range(0, 52, 13)))
    assert [len(fan) for fan in state.fans] == [13] * 4


@pytest.mark.parametrize("text", ["8S>9S", "8s>9s", "8♠>9♠", "S8>♤9", " 8S>9S "])
def test_moves_are_read_leniently(text: str) -> None:
    assert GAME.parse_move(text) == ToFan(un.Card.parse("8S"), un.Card.parse("9S"))
    assert GAME.parse_move("10h^") == ToFoundation(un.Card.parse("TH"))


@pytest.mark.parametrize(
    ("texts", "move"),
    [
        (["KH>-", "k♥>-"], ToSpace(un.Card.parse("KH"))),
        (["*JC", "!jc", "*♣J"], Merci(un.Card.parse("JC"))),
        (["*JC^", "!jc^"], Merci(un.Card.parse("JC"), up=True)),
        (["*JC>QC", "!cj>♧Q"], Merci(un.Card.parse("JC"), un.Card.parse("QC"))),
        (["r", "R"], Redeal()),
        (["r=KHTS", "R=kh10♠"], Redeal((un.Card.parse("KH"), un.Card.parse("TS")))),
        (["r=KH", "r=♥k"], Redeal((un.Card.parse("KH"),))),
    ],
)
def test_moves_of_the_family_are_read_leniently(texts: list[str], move: Move) -> None:
    assert [GAME.parse_move(text) for text in texts] == [move] * len(texts)
    assert move.token == texts[0]
    assert GAME.parse_moves(" ".join(texts)) == (move,) * len(texts)


@pytest.mark.parametrize(
    "text", ["r=", "r=K", "rr", "*", "*>QC", "*JC>-", "**JC", "JC*", "JC>*QC", "*r", "=KH", "KH>--"]
)
def test_what_is_no_move_of_the_family_is_refused(text: str) -> None:
    with pytest.raises(un.ParseError) as caught:
        GAME.parse_move(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["", "8S", "8S>", ">9S", "8S>9S>TS", "8S^^", "8X>9S", "8S>9X", "^"])
def test_what_is_no_move_is_refused_by_name(text: str) -> None:
    with pytest.raises(un.ParseError) as caught:
        GAME.parse_move(text)
    assert repr(text) in str(caught.value)
