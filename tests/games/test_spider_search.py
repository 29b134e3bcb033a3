"""Spider on the Python side of the solver: verdicts, shortest wins and hooks, on decks that can be searched out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from unshuffle.games.spider import Run, State
from unshuffle.games.spider.search import bound, key
from unshuffle.solve import reference
from unshuffle.solve.limits import Limits
from unshuffle.solve.replay import replay
from unshuffle.solve.shorten import shorten
from unshuffle.solve.sides import solve_on

TINY = [
    un.game("spider", suits=1, piles=2, ranks=2, runs=3, table=4),
    un.game("spider", suits=2, piles=2, ranks=3, runs=2, table=4, deal_on_empty=False),
    un.game("spider", suits=1, piles=3, ranks=3, runs=2, table=6),
    un.game("spider", suits=2, piles=3, ranks=3, runs=2, table=3),
    un.game("spider", suits=4, piles=3, ranks=2, runs=4, table=5, deal_on_empty=False),
]
seeds = st.integers(0, 10**6)


def position(state: State) -> State:
    return replace(state, moves=0)


def breadth_first(start: State) -> tuple[bool, int, dict[State, State]]:
    """Whether the deal can be won, the best score (of wins, if there are any), and each position as first reached.

    Every position is first reached with the fewest moves, so its best score is the one that it has then.
    """
    reached = {position(start): start}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for move in state.legal_moves():
            after = state.play(move)
            if reached.setdefault(position(after), after) is after:
                queue.append(after)
    wins = [state.score for state in reached.values() if state.outcome is un.Outcome.WON]
    return bool(wins), max(wins or (state.score for state in reached.values())), reached


@pytest.mark.parametrize("game", TINY, ids=str)
@given(seed=seeds)
def test_the_best_score_is_that_of_the_shortest_win(game: un.Game[Any, Any], seed: int) -> None:
    state = game.deal(seed)
    can_be_won, best, reached = breadth_first(state)
    result = solve_on("python", state, Limits(), maximize=True)
    assert (result.status is un.Status.SOLVED, result.score, result.score_proved) == (can_be_won, best, True)
    decided = solve_on("python", state, Limits())
    assert decided.status is result.status
    assert decided.score <= best
    assert not decided.score_proved or decided.score == best
    # The bound of the start holds for every position that can be reached, won or not.
    assert max(after.score for after in reached.values()) <= bound(state)


@pytest.mark.parametrize("game", TINY, ids=str)
@given(seed=seeds)
def test_the_bound_holds_from_every_position(game: un.Game[Any, Any], seed: int) -> None:
    rng = Random(seed)
    line = [game.deal(seed)]
    while len(line) < 40 and (moves := line[-1].legal_moves()):
        line.append(line[-1].play(rng.choice(moves)))
    best = line[-1].score
    for state in reversed(line):
        best = max(best, state.score)
        assert bound(state) >= best


def test_what_is_won_under_the_strict_rules_is_won_under_the_others() -> None:
    answers = set()
    for seed in range(60):
        game = un.game("spider", suits=2, piles=2, ranks=3, runs=2, table=2)
        strict = un.game("spider", game.variant, deal_on_empty=False)
        assert strict.is_stricter(game)
        loose, tight = (breadth_first(one.deal(seed))[:2] for one in (game, strict))
        assert loose >= tight
        answers.add((loose[0], tight[0]))
    assert answers == {(True, True), (True, False), (False, False)}


def test_piles_have_no_order_once_the_bank_is_empty() -> None:
    game = un.game("spider", suits=2, piles=3, ranks=3, runs=4, table=6)
    open_ = game.parse("1: [3S] 2H / 2: [AS] 3H / 3: [2S] AH / Bank: 3S 2S AS 3H 2H AH")
    late = game.parse("1: [3S] 2H AS / 2: [AS] 3H 3S 2H / 3: [2S] AH 3H 2S AH")
    for state, is_alike in ((open_, False), (late, True)):
        for order in permutations(range(3)):
            other = replace(
                state, piles=tuple(state.piles[i] for i in order), down=tuple(state.down[i] for i in order), moves=9
            )
            assert (key(other) == key(state)) == (is_alike or order == (0, 1, 2))
    # A card that is known is not yet a card that can move.
    turned = replace(late, down=(0, 1, 1))
    assert key(turned) != key(late)


def test_a_limit_after_a_win_leaves_only_the_score_open() -> None:
    game = un.game("spider", suits=1, piles=3, ranks=3, runs=3, table=6)
    for seed in range(20):
        state = game.deal(seed)
        decided = solve_on("python", state, Limits())
        full = solve_on("python", state, Limits(), maximize=True)
        assert full.status is decided.status
        if decided.status is un.Status.SOLVED and full.stats.nodes > decided.stats.nodes + 1:
            short = solve_on("python", state, Limits(nodes=decided.stats.nodes + 1), maximize=True)
            assert (short.status, short.score_proved) == (un.Status.SOLVED, False)
            assert short.score <= full.score
            return
    pytest.fail("no deal of these shows it")


def test_a_negative_score_is_a_score() -> None:
    game = un.game("spider", suits=1, piles=2, ranks=3, runs=2, table=6)
    stuck = game.parse("1: AS 2S 3S / 2: AS 2S 3S / Moves: 500")
    result = solve_on("python", stuck, Limits())
    assert (result.status, result.moves, result.score) == (un.Status.UNSOLVABLE, (), 10 * 4 + 15 * 2 - 500)


def test_a_shorter_line_scores_more() -> None:
    game = un.game("spider", suits=1, piles=3, ranks=3, runs=2, table=6)
    state = game.parse("1: 3S 2S / 2: AS / 3: / Completed: S")
    # To and fro, round an empty pile, and then home.
    line = replay(state, [Run(1, 3), Run(3, 1), Run(2, 3), Run(3, 2), Run(2, 1)])
    shorter = shorten(line, uncharged=game.uncharged)
    assert shorter.moves == (Run(2, 1),)
    assert (shorter.outcome, shorter.score) == (line.outcome, line.score + 4)


@dataclass(frozen=True)
class Walk:
    """Not a patience: steps to and fro on a road. Most of the score is there from the start, and a win costs more."""

    place: int = 0
    moves: int = 0
    can_redeal = False

    def legal_moves(self) -> tuple[int, ...]:
        """One step back, one step on, and at a fork two."""
        return () if self.place == 6 else tuple(step for step in (-1, 1, 2) if 0 <= self.place + step <= 6)

    def play(self, step: int) -> Walk:
        """A move."""
        return Walk(self.place + step, self.moves + 1)

    @property
    def outcome(self) -> un.Outcome | None:
        """Won at the end of the road."""
        return un.Outcome.WON if self.place == 6 else None

    @property
    def score(self) -> int:
        """The win adds one, which is less than the way there costs."""
        return 9 + (self.place == 6) - self.moves


@pytest.mark.parametrize("maximize", [True, False])
def test_a_win_is_better_than_a_loss_that_scores_more(maximize: bool) -> None:
    found = reference.search(
        Walk(),
        Limits(),
        maximize=maximize,
        most_score=10,
        charges_moves=True,
        uncharged=lambda state: Walk(state.place),
    )
    assert found.status is un.Status.SOLVED
    assert (found.score, found.score_proved) == ((7, True) if maximize else (4, False))
    assert sum(found.moves) == 6
