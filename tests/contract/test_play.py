"""Laws of play: what is legal, what becomes of the cards, how a game ends."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import deal_numbers, every_game, for_each, random_line, worth

pytestmark = pytest.mark.engine_free

Game = un.Game[Any, Any]


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_play_accepts_the_legal_moves_and_no_others(game: Game, seed: int) -> None:
    # Moves that were legal somewhere are tried everywhere.
    rng = Random(seed)
    lines = [list(random_line(game, seed)), list(random_line(game, seed ^ 1))]
    tried = list(dict.fromkeys(move for line in lines for state in line for move in state.legal_moves()))
    for state in lines[0]:
        legal = state.legal_moves()
        for move in rng.sample(tried, min(len(tried), 30)):
            # A move that has a plainer name on this table is that move.
            if move in legal or game.parse_move(move.token, state) in legal:
                state.play(move)
            else:
                with pytest.raises(un.IllegalMoveError) as caught:
                    state.play(move)
                assert move.token in str(caught.value)
                assert caught.value.reason


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_no_card_is_lost_or_doubled(game: Game, seed: int) -> None:
    for state in random_line(game, seed):
        assert Counter(game.cards(state)) == Counter(game.pack)


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_a_game_is_over_when_nothing_can_be_done(game: Game, seed: int) -> None:
    for state in random_line(game, seed):
        over = not state.legal_moves() and not state.can_redeal
        # A game may be won while cards can still be moved about.
        assert (state.outcome is not None) == (over or state.outcome is un.Outcome.WON)
        assert (state.outcome is un.Outcome.WON) <= (worth(game, state) == game.most_score)
        assert 0 <= worth(game, state) <= game.most_score


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_playing_leaves_the_old_state_alone_and_keeps_the_deal(game: Game, seed: int) -> None:
    for state in random_line(game, seed):
        before = str(state), hash(state)
        for move in state.legal_moves()[-20:]:
            after = state.play(move)
            assert after.id == state.id
            assert after == state.play(move) != state
        assert (str(state), hash(state)) == before


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_a_view_hides_the_deal_and_samples_fit_it(game: Game, seed: int) -> None:
    for state in random_line(game, seed, at_most=5):
        sample = state.view().sample(Random(seed))
        assert sample.view() == state.view()
        assert sample.legal_moves() == state.legal_moves()
        # Another sample, another luck: not a word of the view tells one from the other.
        assert repr(sample.view().sample(Random(~seed)).view()) == repr(state.view())


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_every_move_has_words(game: Game, seed: int) -> None:
    for state in random_line(game, seed):
        assert game.picture(state)
        for move in state.legal_moves():
            words = game.describe(state, move)
            assert words.kind
            assert words.text
