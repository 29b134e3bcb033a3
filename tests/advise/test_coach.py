"""The coach: what it says before a move holds against all lines of play on small boards."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import unshuffle as un
from unshuffle.advise.coach import ChanceCoach, OptionsCoach, coach_of
from unshuffle.game import Outcome
from unshuffle.games.gaps import Gaps, Redeal, State, ToGap
from unshuffle.games.gaps.advise.coach import traps
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.rules import COLUMNS
from unshuffle.hidden.chance import Chance

pytestmark = pytest.mark.both_engines

# With the seeds of small boards in which a move loses a win, and of those with a gap that is dead for good.
VARIANTS = {"addiction-one-deal": (2, 5), "basic": (5, 0), "one-deal": (0, 0)}


def reachable(state: State) -> set[tuple[Any, ...]]:
    """Every board of the phase."""
    met, rest = {state.cells}, [state]
    while rest:
        table = rest.pop()
        for move in table.card_moves():
            after = table.play(move)
            if after.cells not in met:
                met.add(after.cells)
                rest.append(after)
    return met


def small_moves(game: Gaps, seed: int) -> Iterator[tuple[State, ToGap]]:
    for state in game.small_states(seed):
        for move in state.card_moves():
            yield state, move


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_lost_win_is_told_and_nothing_else(variant: str) -> None:
    """Against the boards that can be reached, all of them."""
    game = Gaps(variant)
    coach = coach_of(game, 5)
    told = []
    for state, move in small_moves(game, VARIANTS[variant][0]):
        after = state.play(move)
        won = [
            any(State(game.rules, cells).outcome is Outcome.WON for cells in reachable(table))
            for table in (state, after)
        ]
        judgement = coach.judge(state, move)
        assert judgement.loses == (won == [True, False]), judgement
        assert any("still winnable" in line for line in judgement.lines) == won[1], judgement
        told.append(judgement.loses)
    assert any(told)
    assert not all(told)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_can_never_leave_or_wake_never_does(variant: str) -> None:
    game = Gaps(variant)
    nevers = 0
    for state, move in small_moves(game, VARIANTS[variant][1]):
        after = state.play(move)
        found = list(traps(state, after, state.cells.index(move.card)))
        proved = [text for text in found if "ever" in text]
        boards = reachable(after) if proved else set()
        for text in proved:
            nevers += 1
            match = re.match(r"r(\d+)c(\d+)", text)
            assert match is not None
            left = COLUMNS * (int(match[1]) - 1) + int(match[2]) - 2
            standing = {cells[left] for cells in boards}
            if "never leave" in text:
                assert standing == {after.cells[left]}, text
            else:
                assert all(card is None or card.rank == 13 for card in standing), text
    assert nevers


EASY = """\
2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --
2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH -- KH
2S 3S 4S 5S 6S 7S 8S 9S TS JS KS QS --
"""
KING = """\
2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --
2D 3D 4D 5D 6D 7D 8D 9D TD JD -- KD --
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --
2S 3S 4S 5S 6S 7S 8S 9S TS JS KS QD QS
"""


def judged(token: str, text: str, variant: str = "addiction-one-deal") -> tuple[str, ...]:
    game = Gaps(variant)
    state = game.parse(text)
    return coach_of(game, 5).judge(state, game.parse_move(token, state)).lines


def test_what_a_move_opens_is_told() -> None:
    assert judged("KS", EASY)[0] == "Opens: r4c11, which calls Q♠ (now at r4c12)."


def test_the_gap_behind_a_finished_row_is_no_trap() -> None:
    assert judged("KH", EASY) == (
        "Opens: r3c13, which takes nothing for now.",
        "Costs: nothing: still winnable, in 3 moves.",
    )


def test_a_king_that_can_never_leave_makes_a_trap_and_the_chance_is_told() -> None:
    lines = judged("QD", f"Redeals used: 2\n{KING}", "addiction")
    assert lines[:3] == (
        "Opens: r4c12, which takes nothing for now.",
        "Traps: r4c12 lies behind K♠, which can never leave in this phase.",
        "Costs: no win, for this phase was lost before it (proved): at most 46 locked; after it at most 46 locked.",
    )
    chance = re.fullmatch(
        r"Chance to win by the best end found, with 1 redeal left: (\S+) %.* before it, (\S+) %.* after it"
        r" \(hidden: what a player sees\)\.",
        lines[3],
    )
    assert chance is not None
    value = values.lookup(Gaps("addiction").rules, (12, 12, 12, 10), 1)
    assert value is not None
    assert float(chance[1]) == float(chance[2]) == pytest.approx(100 * value.p, abs=0.1)


def test_a_board_beside_a_gap_that_wakes_is_told() -> None:
    """The queen fills the gap on the left of another one, which calls the king then."""
    text = KING.replace("JD -- KD --", "JD -- -- KD")
    assert judged("QD", text)[0] == ("Opens: r4c12, which takes nothing for now; r2c12, which calls K♦ (now at r2c13).")


def test_a_redeal_of_a_phase_that_can_be_won_is_warned_of() -> None:
    game = Gaps("addiction-early")
    judgement = coach_of(game, 5).judge(game.parse(EASY), Redeal())
    assert judgement.loses
    assert judgement.lines[-1] == "Costs: this phase can be won without it, in 4 moves."
    lost = coach_of(game, 5).judge(game.parse(KING), Redeal())
    assert not lost.loses
    assert len(lost.lines) == 1


# Other games.


def test_games_with_hidden_cards_weigh_moves_by_what_is_seen() -> None:
    """Two deals that look alike get the same words, whatever lies under them."""
    game = un.game("agnes")
    state = game.deal(7)
    other = state.view().sample(random.Random(1))
    assert other != state
    coach = coach_of(game, 0.01)
    assert isinstance(coach, OptionsCoach)
    coach._adviser.effort = {"samples": 5}
    for move in state.legal_moves():
        assert coach.judge(state, move) == coach.judge(other, move)


def test_a_lost_game_of_open_cards_is_told() -> None:
    game = un.game("belle-lucie")
    state = game.parse("KD QC TH\nKC KH QH\n9H QD JH\n")
    coach = coach_of(game)
    assert isinstance(coach, ChanceCoach)
    judged = {move.token: coach.judge(state, move) for move in state.legal_moves()}
    assert judged["TH>JH"].loses
    assert judged["TH>JH"].lines == ("Coach: the chance to win goes from 100 % to 0 %.",)
    assert not judged["JH>QH"].loses
    assert judged["JH>QH"].lines == ("Coach: the chance to win stays 100 %.",)


def test_a_chance_that_is_not_known_is_told_once() -> None:
    game = un.game("belle-lucie")
    state = game.deal(1)
    coach = coach_of(game)
    assert isinstance(coach, ChanceCoach)
    first, second = state.legal_moves()[:2]
    for move in (first, second):
        coach._known[state.view()] = coach._known[state.play(move).view()] = None
    coach._known[state.play(second).view()] = Chance(0.5, 0.0)
    assert coach.judge(state, first).lines == ("Coach: the chance to win is not known.",)
    assert coach.judge(state, second).lines == (
        "Coach: the chance to win is not known before the move, 50.0 % (exact) after it.",
    )
