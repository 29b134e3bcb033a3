"""Laws of answers that took no search: each says what proved it, and that is so."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG, effort, every_game, random_line
from tests.review import brute
from unshuffle.review.ledger import Verdict
from unshuffle.solve.reasons import why_no_search

pytestmark = pytest.mark.both_engines

Game = un.Game[Any, Any]


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_an_answer_without_a_search_says_what_proved_it(game: Game) -> None:
    for seed in range(4 if IS_LONG else 1):
        ends = [
            state for start in islice(game.small_states(seed), 3) for state in brute.random_play(start, seed).states
        ]
        for state in [*ends[:: 1 if IS_LONG else 4], *random_line(game, seed, at_most=4)]:
            result = un.solve(state, nodes=effort(game, 300, 30))
            why = why_no_search(game, result)
            assert bool(why) == (result.stats.nodes == 0 and result.status not in brute.LIMITS), (result, why)
            asked = game.phase(state)
            assert (why == "it is won already") == (bool(why) and state.outcome is un.Outcome.WON)
            if why == "no move is left":
                assert not asked.legal_moves()
            if why == game.bound_words:
                bound = game.hooks().bound
                assert bound is not None
                assert bound(asked) < game.most_score
                if state in ends:
                    assert brute.verdict(game, state) is Verdict.LOST


def test_each_reason_is_given_somewhere() -> None:
    lucie = un.game("belle-lucie")
    texts = {
        "Foundations: KC KD KH KS\n": "it is won already",
        "KC QC\n": "the moves to the win need no choice",
        "QC KC\n": "no move is left",
        "QC KC\nKD QD\n": lucie.bound_words,
    }
    for text, why in texts.items():
        assert why_no_search(lucie, un.solve(lucie.parse(text))) == why
    hit = un.solve(un.game("gaps", "addiction-one-deal").deal(7), nodes=0)
    assert why_no_search(un.game("gaps", "addiction-one-deal"), hit) == ""
