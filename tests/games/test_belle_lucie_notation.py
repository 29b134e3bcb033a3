from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import deal_numbers
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie import ToFan, ToFoundation

GAME = un.game("belle-lucie")


def faults(text: str) -> list[str]:
    with pytest.raises(un.InvalidDealError) as caught:
        GAME.parse(text)
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
                "line 2, column 1: 'fondations' is not a label; expected Foundations:, Deal:, Deck:, Id: or cards",
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


@pytest.mark.parametrize("text", ["", "8S", "8S>", ">9S", "8S>9S>TS", "8S^^", "8X>9S", "8S>9X", "r", "^"])
def test_what_is_no_move_is_refused_by_name(text: str) -> None:
    with pytest.raises(un.ParseError) as caught:
        GAME.parse_move(text)
    assert repr(text) in str(caught.value)
