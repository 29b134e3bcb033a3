"""Spider's beams: prices and moves that are those of the rules, wins on the Python side, and shorter lines."""

from __future__ import annotations

from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import IS_LONG
from unshuffle.game import Hooks
from unshuffle.games.spider import Run, State, search
from unshuffle.games.spider.beam import attempt, finish
from unshuffle.games.spider.planning import FREE
from unshuffle.games.spider.pricing import children, number_of, open_table, price, seen_table
from unshuffle.games.spider.weights import OPEN, SEEN, rounded
from unshuffle.solve import Status, reference, replay
from unshuffle.solve.limits import Limits

GAMES = [
    un.game("spider", "4-suits"),
    un.game("spider", "1-suit-strict"),
    un.game("spider", suits=2, piles=4, ranks=5, runs=4, table=12),
    un.game("spider", suits=2, piles=3, ranks=3, runs=4, table=6, deal_on_empty=False),
]
NO_LIMITS = Limits()


def yes(tables: int) -> bool:
    return True


def random_states(game: Any, seed: int, many: int) -> list[State]:
    """Tables along one line of random play."""
    rng, state = Random(seed), game.deal(seed)
    found = [state]
    while len(found) < many and state.outcome is None:
        state = state.play(rng.choice(state.legal_moves()))
        found.append(state)
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(seed=st.integers(0, 10**6))
def test_tables_change_as_the_rules_say(game: Any, seed: int) -> None:
    """Law: every move that is tried is legal, and makes the table that the rules make."""
    for state in random_states(game, seed, 12):
        moves = {move for move in state.legal_moves() if isinstance(move, Run)}
        tried = dict(children(open_table(state), FREE, game.rules.ranks))
        assert tried.keys() <= moves
        # What is left out goes to another empty pile, or takes a whole pile to one.
        for move in moves - tried.keys():
            assert not state.piles[move.target - 1], (str(state), move)
        for move, table in tried.items():
            assert table == open_table(state.play(move)), (str(state), move)
        if state.may_deal:
            row = tuple(map(number_of, state.bank[: len(state.piles)]))
            dealt = next(move for move in state.legal_moves() if not isinstance(move, Run))
            assert open_table(state).dealt(row, game.rules.ranks) == open_table(state.play(dealt))


def test_a_price_by_hand() -> None:
    """A run on face-down cards, a pile with gaps, a run on a king at home, and an empty pile."""
    game = un.game("spider", suits=2, piles=4, ranks=5, runs=4, table=12)
    state = game.parse(
        "1: [2H] [2S] 4S 3S\n2: 2S 4H 3H AS\n3: 5S 5S 4S\n4:\nBank: AH AS 5H 3S\nCompleted: H\nMoves: 0\n"
    )
    weights = OPEN.weights(1)
    pile_1 = weights.down * 2 + weights.down2 * 4 + weights.gap + weights.above + weights.buried - weights.joins
    pile_2 = weights.bottom + weights.gap + weights.inverse - weights.joins + weights.gap
    pile_3 = weights.gap - weights.joins
    # Runs begin with 4, A and 5, and no pile ends with a card that they could go on.
    whole = pile_1 + pile_2 + pile_3 + 3 * weights.stranded - weights.empty[1] - weights.done
    assert price(open_table(state), 5, weights).cost == whole
    assert price(seen_table(state.view()), 5, weights).cost == whole - weights.buried


def test_halves_are_rounded_away_from_0() -> None:
    assert [rounded(number) for number in (0.5, 1.5, 2.5, -0.5, -1.5, 2.49, -2.49)] == [1, 2, 3, -1, -2, 2, -2]
    assert SEEN.weights(5) is SEEN.weights(9)
    assert SEEN.weights(5).down == rounded(93 * 1.44)


@pytest.mark.parametrize("variant", ["4-suits", "2-suits-strict"] if not IS_LONG else un.games()["spider"])
def test_an_attempt_wins_by_the_rules(variant: str) -> None:
    state = un.game("spider", variant).deal(2)
    lines = (attempt(state, number, yes) for number in range(5))
    line = next(line for line in lines if line is not None)
    assert replay(state, line).outcome is un.Outcome.WON


def test_an_attempt_asks_and_gives_up() -> None:
    state, asked = GAMES[0].deal(2), []

    def may_expand(tables: int) -> bool:
        asked.append(tables)
        return len(asked) < 4

    assert attempt(state, 0, may_expand) is None
    assert len(asked) == 4
    assert asked[0] == 1
    assert max(asked) <= 25


def test_a_table_that_cannot_be_won_is_not_finished() -> None:
    game = un.game("spider", suits=2, piles=2, ranks=3, runs=2, table=6)
    state = game.parse("1: 3S 2H AS\n2: 3H 2S AH\nBank:\nCompleted:\nMoves: 0\n")
    assert finish(open_table(state), game.rules, (50,)) is None


# In the generic search.


def python_search(state: State, limits: Limits = NO_LIMITS, hooks: Hooks[Any, Any] | None = None, **more: Any) -> Any:
    game = un.game_of(state)
    return reference.search(
        state,
        limits,
        maximize=False,
        most_score=game.most_score,
        charges_moves=True,
        uncharged=game.uncharged,
        hooks=game.hooks() if hooks is None else hooks,
        **more,
    )


@given(seed=st.integers(0, 10**6))
def test_attempts_change_no_verdict(seed: int) -> None:
    """Law: with attempts from the first position on, and without any, the answer is the same."""
    before = reference._FIRST_ATTEMPT
    reference._FIRST_ATTEMPT = 1
    try:
        for game in GAMES[2:]:
            for state in game.small_states(seed):
                plain = python_search(state, hooks=Hooks(key=search.key))
                found = python_search(state, hooks=Hooks(key=search.key, attempt=search.attempt))
                assert found.status is plain.status
                if found.status is Status.SOLVED:
                    assert replay(state, found.moves).score == found.score
    finally:
        reference._FIRST_ATTEMPT = before


def test_whole_deals_are_won_in_python_within_limits() -> None:
    state = GAMES[0].deal(0)
    found = python_search(state)
    assert found.status is Status.SOLVED
    assert replay(state, found.moves).outcome is un.Outcome.WON
    for nodes in (1000, 1001, 1500):
        less = python_search(state, Limits(nodes=nodes))
        assert less.status is Status.NODE_LIMIT
        assert less.stats["nodes"] <= nodes
    assert python_search(state, Limits(seconds=0.1)).status in (Status.TIME_LIMIT, Status.SOLVED)
    stop = Event()
    stop.set()
    assert python_search(state, watch=lambda now: stop.is_set() and now.nodes > 1100).status is Status.CANCELLED


def test_ctrl_c_ends_an_attempt() -> None:
    def interrupted(state: State, number: int, may_expand: Any) -> None:
        raise KeyboardInterrupt

    found = python_search(GAMES[0].deal(0), hooks=Hooks(key=search.key, attempt=interrupted))
    assert (found.status, found.interrupted) == (Status.CANCELLED, True)


# Shorter lines.


@pytest.mark.both_engines
def test_lines_are_made_shorter_in_the_time_there_is() -> None:
    """Law: a shorter line wins too, and scores more, for each move costs a point."""
    state = GAMES[2].deal(1)
    plain = un.solve(state)
    short = un.solve(state, seconds=5, shorten=True)
    assert plain.status is short.status is Status.SOLVED
    assert len(short.moves) <= len(plain.moves)
    assert short.score - plain.score == len(plain.moves) - len(short.moves)


@pytest.mark.one_engine("the Python side searches for no shorter lines")
def test_whole_lines_become_much_shorter() -> None:
    state = GAMES[0].deal(1)
    plain, short = un.solve(state), un.solve(state, seconds=0.5, shorten=True)
    assert len(short.moves) < 0.9 * len(plain.moves)
    assert replay(state, short.moves).outcome is un.Outcome.WON
    assert short.score == 990 - len(short.moves)
