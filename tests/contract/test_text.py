"""Laws of writing and reading: what is written can be read, and means the same."""

from __future__ import annotations

import copy
import pickle
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import deal_numbers, every_game, for_each, random_line
from unshuffle.cards import format_cards

pytestmark = pytest.mark.engine_free

Game = un.Game[Any, Any]


def rebuild(value: Any) -> Any:
    """What the value's `repr` builds when it is pasted at a prompt."""
    names = {**vars(un), **vars(sys.modules[type(value).__module__])}
    return eval(repr(value), names)


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_layout_text_round_trips(game: Game, seed: int) -> None:
    for state in random_line(game, seed):
        assert game.parse(str(state)) == game.parse(game.wire(state)) == state
        assert game.format(state) == str(state)
        assert str(game.parse(str(state))) == str(state)
        assert "Id:" not in game.wire(state)


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_states_and_moves_are_values(game: Game, seed: int) -> None:
    for state in random_line(game, seed, at_most=6):
        for value in (state, *state.legal_moves()):
            for same in (rebuild(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
                assert same == value
                assert hash(same) == hash(value)
        assert rebuild(state).id == state.id


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_move_tokens_round_trip(game: Game, seed: int) -> None:
    for state in random_line(game, seed):
        moves = state.legal_moves()
        assert len({move.token for move in moves}) == len(moves)
        for move in moves:
            assert " " not in move.token
            assert game.parse_move(move.token) == game.parse_move(move.token, state) == move
            assert game.parse_move(move.token.lower(), state) == move


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers, generator=st.sampled_from(["unshuffle", "python", "ms"]), number=st.integers(1, 3))
def test_deal_ids_name_the_deal(game: Game, seed: int, generator: str, number: int) -> None:
    if generator == "ms":
        seed = seed % (2**33 - 1) + 1
        if len(game.pack) != 52:
            with pytest.raises(un.UsageError, match="one pack of 52 cards"):
                game.deal(seed, generator, number)
            return
    state = game.deal(seed, generator, number)
    assert un.deal(state.id) == state
    assert un.deal(state.id).id == state.id
    assert game.parse(f"Id: {state.id}\n") == state
    assert str(un.DealId.parse(state.id)) == state.id


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_a_deck_is_dealt_from_its_text(game: Game, seed: int) -> None:
    deck = un.Source(seed).deck(game.pack)
    # A deck tells no redeals; they may be told beside it.
    redeals = [line for line in game.wire(game.deal(seed)).splitlines() if line.startswith("Redeal ")]
    assert game.parse("\n".join([f"Deck: {format_cards(deck)}", *redeals])) == game.deal(seed)
    assert game.parse("\n".join(["deck:", ",".join(card.glyph for card in deck), *redeals])) == game.deal(seed)
    assert Counter(game.cards(game.deal(seed))) == Counter(game.pack)


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


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_ten_megabytes_of_noise_are_refused_with_a_short_message(game: Game) -> None:
    with pytest.raises(un.InvalidDealError) as caught:
        game.parse("noise " * 1_750_000)
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
