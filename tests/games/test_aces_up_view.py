"""Aces Up as a player sees it: all but the order of the stock."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

import unshuffle as un
from tests.games.test_aces_up_rules import cards, position
from tests.laws import deal_numbers, random_line
from unshuffle.games.aces_up import Deal, Shown, ToSpace


@pytest.mark.parametrize("variant", ["standard", "firing-squad", "relaxed-discards"])
@given(seed=deal_numbers)
def test_a_view_knows_all_but_the_order_of_the_stock(variant: str, seed: int) -> None:
    game = un.game("aces-up", variant)
    for state in random_line(game, seed):
        view = state.view()
        assert list(view.unseen) == sorted(state.stock)
        assert (view.stock, view.spaces, view.served()) == (len(state.stock), state.spaces, state.served())
        assert (view.score, view.outcome, view.legal_moves()) == (state.score, state.outcome, state.legal_moves())
        assert view.laid(state.stock) == state
        # The view of another state with the same table is the same to the last bit.
        other = view.sample(Random(seed))
        assert (repr(other.view()), hash(other.view())) == (repr(view), hash(view))
        assert (view.view(), view.id, other.id) == (view, None, None)
        for move in state.legal_moves():
            told = Shown(move, state.stock[: view.turned_by(move)])
            assert view.play(told) == state.play(move).view()


def test_samples_are_uniform() -> None:
    view = position("AS | AC | AD | AH", stock="KS KC KD KH").view()
    counts = Counter(view.sample(Random(seed)).stock for seed in range(2400))
    assert len(counts) == 24
    # A hundred each with a standard deviation of 10.
    assert all(abs(count - 100) < 45 for count in counts.values())


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("", "it turns up 4 cards, and none is told"),
        ("KS KC KD", "it turns up 4 cards, and 3 are told"),
        ("KS KC KD KS", "a card is told twice"),
        ("KS KC KD AS", "AS is not in the stock: it lies on the table, or is discarded"),
    ],
)
def test_a_deal_on_a_view_tells_its_cards(told: str, reason: str) -> None:
    view = position("AS | AC | AD | AH", stock="KS KC KD KH").view()
    with pytest.raises(un.IllegalMoveError) as caught:
        view.play(Shown(Deal(), cards(told)))
    assert caught.value.reason == reason
    with pytest.raises(ValueError, match="expected the 4 unseen cards"):
        view.laid(cards("KS KC KD AS"))


def test_a_view_refuses_what_the_rules_refuse() -> None:
    view = position("AS | AC | AD | AH", stock="KS KC KD KH").view()
    with pytest.raises(un.IllegalMoveError, match="pile 2 is no space") as caught:
        view.play(ToSpace(1, 2))
    assert "Stock: ?" in caught.value.position
    with pytest.raises(un.IllegalMoveError, match="it turns up no cards, and 1 is told"):
        position("AS KC | | |").view().play(Shown(ToSpace(1, 2), cards("KS")))
