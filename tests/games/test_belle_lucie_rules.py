from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import random_line
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie import Move, State, ToFan, ToFoundation

GAME = un.game("belle-lucie")


def position(text: str) -> State:
    state = GAME.parse(text)
    assert isinstance(state, State)
    return state


def test_the_deal_is_seventeen_fans_of_three_and_one_of_one() -> None:
    deck = un.Source(7).deck(PACK)
    fans = GAME.deal(7).fans
    assert [len(fan) for fan in fans] == [3] * 17 + [1]
    assert tuple(card for fan in fans for card in fan) == deck


def test_aces_out_deals_the_other_48_in_deck_order() -> None:
    game = un.game("belle-lucie", aces_out=True)
    state = game.deal(7)
    assert state.foundations == (1, 1, 1, 1)
    assert [len(fan) for fan in state.fans] == [3] * 16
    assert [card for fan in state.fans for card in fan] == [card for card in un.Source(7).deck(PACK) if card.rank > 1]


ALL_MOVES: list[Move] = [ToFoundation(card) for card in PACK] + [
    ToFan(card, onto) for card, onto in permutations(PACK, 2)
]


@pytest.mark.parametrize("seed", range(4))
def test_of_all_moves_that_can_be_written_play_accepts_the_legal_ones(seed: int) -> None:
    for state in random_line(GAME, seed, at_most=8):
        legal = set(state.legal_moves())
        for move in ALL_MOVES:
            try:
                state.play(move)
            except un.IllegalMoveError:
                assert move not in legal
            else:
                assert move in legal


def test_moves_come_in_the_documented_order() -> None:
    state = position("KC QC TC / KS JS / QH / KH / QS JC")
    assert [move.token for move in state.legal_moves()] == ["TC^", "JS^", "QH^", "TC>JC", "QH>KH"]


def test_an_emptied_fan_leaves_the_table() -> None:
    state = position("KS QS / JS / KH")
    after = state.play(ToFan(un.Card.parse("JS"), un.Card.parse("QS")))
    assert str(after) == "Foundations: KC KD QH TS\nKS QS JS\nKH\n"


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("9H>TH", "9H is not the top of its fan"),
        ("4C>5C", "4C is on its foundation"),
        ("4C^", "4C is on its foundation"),
        ("KC>AC", "AC is on its foundation"),
        ("KC^", "the foundation of clubs needs TC next"),
        ("JC>KC", "JC does not go onto KC: needs QC"),
        ("KC>JC", "KC does not go onto JC: a king goes onto no card"),
        ("JC>QC", "QC is not the top of its fan"),
    ],
)
def test_an_illegal_move_says_which_rule_forbids_it(token: str, reason: str) -> None:
    state = position("TC 9H KH QH JH TH / QC KC / JC")
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(GAME.parse_move(token))
    assert caught.value.reason == reason
    assert str(caught.value) == f"illegal move '{token}' in 'TC 9H KH QH JH TH / QC KC / JC': {reason}"


@given(seed=st.integers(0, 10_000))
def test_a_card_makes_at_most_one_build(seed: int) -> None:
    """The fact on which the engine's exact key rests."""
    built = []
    states = list(random_line(GAME, seed))
    for before, after in pairwise(states):
        built += [fan[-1] for fan in after.fans if fan not in before.fans and fan[:-1] in before.fans]
    assert len(built) == len(set(built))


@pytest.mark.parametrize(
    ("text", "token", "kind", "words"),
    [
        ("KC QC / JC", "JC^", "Foundation move", "jack of clubs from JC to the foundation"),
        ("QC / KC JC", "JC>QC", "Safe build", "jack of clubs from KC JC onto QC (fan 1)"),
        ("KS KC / JC QC", "QC>KC", "Safe build", "queen of clubs from JC QC onto KC (fan 1)"),
        ("KC QC / JC", "JC>QC", "Safe build", "jack of clubs from JC onto QC (fan 1)"),
        ("KC JC / KS QC", "JC>QC", "Blocking move", "jack of clubs from KC JC onto QC (fan 2)"),
    ],
)
def test_classes_of_moves_in_words(text: str, token: str, kind: str, words: str) -> None:
    assert GAME.describe(position(text), GAME.parse_move(token)) == un.Description(kind, words)
