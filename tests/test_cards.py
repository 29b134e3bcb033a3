from __future__ import annotations

import copy
import pickle

import pytest

from unshuffle import Card, ParseError, Suit
from unshuffle.cards import PACK, split_cards

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

SUIT_SPELLINGS = {"C": "Cc♣♧", "D": "Dd♦♢", "H": "Hh♥♡", "S": "Ss♠♤"}


def test_the_pack_has_52_cards_in_the_order_of_their_index() -> None:
    assert len(set(PACK)) == 52
    assert [card.index for card in PACK] == list(range(52))
    assert " ".join(map(str, PACK[:14])) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert sorted(set(PACK)) == list(PACK)


def test_every_spelling_is_read_and_one_is_written() -> None:
    for card in PACK:
        rank, suit = tuple(str(card))
        for r in {rank, rank.lower()} | ({"10"} if rank == "T" else set()):
            for s in SUIT_SPELLINGS[suit]:
                for text in (r + s, s + r, f" {r}{s} ", r + s + "\ufe0f"):
                    assert Card.parse(text) is card, text
        assert Card(card.rank, card.suit) is card
        assert eval(repr(card)) is card


@pytest.mark.parametrize(
    "text", ["", "0H", "1H", "11H", "ZH", "8Z", "H", "8", "8HH", "100H", "8ſ", "8H 9H", "♥", "XH", "01H", "-"]
)
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        Card.parse(text)
    assert repr(text) in str(caught.value)
    assert "expected a rank A 2-9 T J Q K, then a suit C D H S" in str(caught.value)


def test_neighbours_stay_in_the_suit() -> None:
    assert Card.parse("9H").next_up is Card.parse("TH")
    assert Card.parse("9H").next_down is Card.parse("8H")
    assert Card.parse("KS").next_up is None
    assert Card.parse("AD").next_down is None


def test_cards_are_values_that_do_not_change() -> None:
    card = Card.parse("QS")
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    with pytest.raises(AttributeError):
        card.rank = 3
    with pytest.raises(ParseError):
        Card(14, Suit.CLUBS)
    assert (card.name, card.glyph) == ("queen of spades", "Q♠")


def test_cards_without_separators_split_only_as_a_whole() -> None:
    assert split_cards("KH2S10D") == [(0, "KH"), (2, "2S"), (4, "10D")]
    assert split_cards("KH2SX") is None
    assert split_cards("H2S") is None
