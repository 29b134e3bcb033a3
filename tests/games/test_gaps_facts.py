"""Facts about Gaps: how many moves there are, what may be permuted, what follows from what; the reference deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.games.gaps_reference import board, play, reference
from tests.laws import deal_numbers, random_line, tokens
from unshuffle.cards import SUITS, Card
from unshuffle.games.gaps import State, ToGap

VARIANTS = un.games()["gaps"]


def test_sixteen_moves_occur_in_a_reference_deal() -> None:
    # Four gaps in column 1 and four 2s elsewhere.
    line = (
        "KD>r1c9 7D>r2c6 8D>r2c7 7S>r1c4 6S>r3c2 5S>r1c12 7C>r1c3 JH>r2c10 TD>r4c2 QH>r2c11 4H>r4c9 TC>r3c5 3S>r2c13 "
        "KS>r1c6 5H>r4c10 3D>r2c4 JC>r3c6 3H>r4c12 JS>r4c8 9S>r4c6 4H>r4c13 QS>r4c9 8S>r1c5 KC>r4c5 QD>r3c9 9C>r1c8 "
        "9H>r3c4 QC>r3c7 6D>r4c4 4D>r2c5 9D>r2c8"
    )
    state = play(board("addiction-one-deal", "gaps-053"), line)
    assert len(state.legal_moves()) == 16
    assert tokens(state.legal_moves())[:5] == ["2C>r1c1", "2D>r1c1", "2H>r1c1", "2S>r1c1", "2C>r2c1"]
    assert max(int(row["max_moves"] or 0) for row in reference("addiction-one-deal").values()) == 16


@pytest.mark.parametrize("variant", VARIANTS)
@given(seed=deal_numbers)
def test_a_card_names_its_move_unless_it_is_a_two(variant: str, seed: int) -> None:
    for state in random_line(un.game("gaps", variant), seed):
        moves = list(state.card_moves())
        higher = [move.card for move in moves if move.card.rank > 2]
        assert len(set(higher)) == len(higher)
        open_rows = state.cells[::13].count(None)
        free = {move.card for move in moves if move.card.rank == 2}
        assert len(moves) <= open_rows * len(free) + 4 - open_rows <= 16


@pytest.mark.parametrize("variant", ["addiction-one-deal", "basic"])
@given(seed=deal_numbers)
def test_between_two_moves_of_a_card_the_one_before_it_moves(variant: str, seed: int) -> None:
    rng = Random(seed)
    state = un.game("gaps", variant).deal(seed)
    made: Counter[Card] = Counter()
    score = 0
    while moves := state.legal_moves():
        move = rng.choice(moves)
        made[move.card] += 1
        state = state.play(move)
        assert state.score >= score, "the score never falls"
        score = state.score
    for card, count in made.items():
        assert count <= (1 if card.rank == 2 else made[card.next_down] + 1)  # type: ignore[index] # not of a 3..K
    assert made.total() <= 312


@pytest.mark.parametrize("variant", VARIANTS)
@given(seed=deal_numbers, rows=st.permutations(range(4)), suits=st.permutations(range(4)))
def test_rows_and_suits_may_be_permuted(variant: str, seed: int, rows: list[int], suits: list[int]) -> None:
    game = un.game("gaps", variant)
    renamed = {Card(rank, suit): Card(rank, suits[suit]) for rank in range(1, 14) for suit in range(4)}
    letters = game.rules.fixed_suits
    fixed = "".join(SUITS[suits[SUITS.index(letters[row])]] for row in rows) if letters else ""
    for state in random_line(game, seed, at_most=6):
        cells = [[renamed[card] if card else None for card in state.cells[13 * row : 13 * row + 13]] for row in rows]
        twin = State(replace(state.rules, fixed_suits=fixed), tuple(cell for row in cells for cell in row))
        assert twin.score == state.score
        expected = {ToGap(renamed[move.card], rows.index(move.row - 1) + 1, move.column) for move in state.card_moves()}
        assert set(twin.card_moves()) == expected


# Reference deals.


@pytest.mark.parametrize("variant", ["addiction-one-deal", "basic"])
def test_the_lines_of_the_reference_deals_end_as_they_say(variant: str) -> None:
    rows = reference(variant)
    assert len(rows) == {"addiction-one-deal": 60, "basic": 45}[variant]
    for name, row in rows.items():
        state = play(board(variant, name), row["line"])
        assert state.score == int(row["best_locked"]), name
        if "lock_lengths" in row:
            assert [length for _, length in state.locks] == list(map(int, row["lock_lengths"].split("/")))
        assert (state.outcome is un.Outcome.WON) == (row["verdict"] == "solved") == (state.score == 48)
        # The score counts more runs where any suit may stand in any row.
        free = play(board(variant, name, "one-deal"), row["line"])
        assert free.cells == state.cells
        assert free.score >= state.score


def test_fixed_suits_do_not_imply_locked_twos() -> None:
    row = reference("basic")["solvitaire-70"]
    assert (row["verdict"], row["addiction_one_deal"], row["one_deal"]) == ("solved", "unsolvable", "solved")
    with pytest.raises(un.IllegalMoveError, match="never moves again"):
        play(board("basic", "solvitaire-70", "addiction-one-deal"), row["line"])
    assert play(board("basic", "solvitaire-70", "one-deal"), row["line"]).outcome is un.Outcome.WON


def test_what_is_stricter_than_what() -> None:
    def stricter(variant: str) -> set[str]:
        game = un.game("gaps", variant)
        return {other for other in game.variants if un.game("gaps", other).is_stricter(game)}

    locked = {"addiction", "addiction-early", "addiction-one-deal", "montana-locked"}
    free = {"montana", "spaces", "one-deal"}
    for variant in locked:
        assert stricter(variant) == locked - {variant}
    for variant in free:
        assert stricter(variant) == (locked | free | {"basic"}) - {variant}
    assert stricter("basic") == set()
    assert un.game("gaps", "addiction+redeals=2+early_redeal=yes").is_stricter(un.game("gaps", "spaces"))


@pytest.mark.parametrize("variant", ["addiction", "spaces", "one-deal"])
@given(seed=deal_numbers)
def test_every_line_of_a_stricter_game_is_one_of_the_looser(variant: str, seed: int) -> None:
    loose = un.game("gaps", variant)
    others = (un.game("gaps", other) for other in loose.variants)
    for strict in (other for other in others if other.is_stricter(loose)):
        rng = Random(seed)
        state, other = loose.deal(seed), strict.deal(seed)
        for _ in range(25):
            moves = list(other.card_moves())
            assert set(moves) <= set(state.card_moves())
            assert state.score >= other.score
            if not moves:
                break
            move = rng.choice(moves)
            state, other = state.play(move), other.play(move)
