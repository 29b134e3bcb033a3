"""What is said of texts beside the laws: noise of all kinds, and what a `repr` builds."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import deal_numbers, every_game, for_each, random_line
from unshuffle.cards import format_cards

Game = un.Game[Any, Any]


def rebuild(value: Any) -> Any:
    """What the value's `repr` builds when it is pasted at a prompt."""
    names = {**vars(un), **vars(sys.modules[type(value).__module__])}
    return eval(repr(value), names)


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_states_and_moves_are_built_from_what_their_repr_says(game: Game, seed: int) -> None:
    for state in random_line(game, seed, at_most=6):
        for value in (state, *state.legal_moves()):
            assert rebuild(value) == value
        assert rebuild(state).id == state.id


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_only_a_pack_of_52_cards_has_deals_of_microsoft(game: Game) -> None:
    if len(game.pack) != 52:
        with pytest.raises(un.UsageError, match="one pack of 52 cards"):
            game.deal(1, "ms")
    else:
        assert game.deal(1, "ms").id == f"{game}@ms:1"


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(noise=st.text(max_size=400))
def test_noise_is_refused_or_read_but_never_a_crash(game: Game, noise: str) -> None:
    try:
        state = game.parse(noise)
    except un.InvalidDealError as error:
        assert error.faults
        assert all(str(fault) for fault in error.faults)
    else:
        assert game.parse(str(state)) == state
    try:
        game.parse_move(noise)
    except un.ParseError as error:
        assert str(error)


@pytest.mark.parametrize("name", un.games())
def test_ten_megabytes_of_noise_are_refused_with_a_short_message(name: str) -> None:
    with pytest.raises(un.InvalidDealError) as caught:
        un.game(name).parse("noise " * 1_750_000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers, data=st.data())
def test_a_deck_with_a_wrong_card_names_both_the_double_and_the_missing_one(
    game: Game, seed: int, data: st.DataObject
) -> None:
    deck = list(un.Source(seed).deck(game.pack))
    pairs = st.lists(st.integers(0, len(deck) - 1), min_size=2, max_size=2, unique_by=lambda place: deck[place])
    gone, double = data.draw(pairs)
    missing, deck[gone] = deck[gone], deck[double]
    times = {2: "twice"}.get(count := deck.count(deck[double]), f"{count} times")
    with pytest.raises(un.InvalidDealError) as caught:
        game.parse(f"Deck: {format_cards(deck)}")
    message = str(caught.value)
    assert f"'{deck[double]}' is in the deck {times}" in message
    assert f"missing: {missing}" in message
