"""The rules of Gaps: gaps and what they take, locked runs, redeals, the end."""

from __future__ import annotations

from dataclasses import astuple, replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.games.gaps_reference import play
from tests.laws import deal_numbers, random_line, tokens
from unshuffle.cards import SUITS, Card
from unshuffle.games.gaps import Redeal, Rules, State, ToGap

VARIANTS = un.games()["gaps"]

# The last cards are loose: clubs lack one, the others are finished but for the king that lies with the clubs.
LATE = """
2C 3C 4C 5C 6C 7C 8C 9C TC JC -- QC --
2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KC --
2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS KH
"""
# Column 1: a locked 2 with its 3, a 2 without one, a gap, and a queen.
EARLY = """
2C 3C KS 4C 5C 6C 7C 8C 9C TC JC QC KC
2D KH 4D 5D 6D 7D 8D 9D TD JD QD KD 3D
-- -- 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH
QS 2S 3S 4S 5S 6S 7S -- 8S 9S TS JS --
"""


def table(text: str, variant: str = "addiction", **fields: Any) -> State:
    state = un.game("gaps", variant, **fields).parse(text)
    assert isinstance(state, State)
    return state


def why_not(state: State, token: str) -> str:
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(un.game("gaps").parse_move(token))
    return caught.value.reason


def test_the_variants_are_those_of_the_page() -> None:
    fields = {
        "addiction": (3, "random", True, False, ""),
        "addiction-early": (3, "random", True, True, ""),
        "addiction-one-deal": (0, "random", True, False, ""),
        "montana": (2, "after-run", False, True, ""),
        "montana-locked": (2, "after-run", True, False, ""),
        "spaces": (2, "random", False, True, ""),
        "one-deal": (0, "random", False, False, ""),
        "basic": (0, "random", True, False, "CHSD"),
    }
    assert tuple(fields) == VARIANTS
    assert Rules.__slots__ == ("redeals", "redeal_gaps", "twos_locked", "early_redeal", "fixed_suits")
    for variant, values in fields.items():
        assert astuple(un.game("gaps", variant).rules) == values


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"redeals": 100}, r"redeals=100 is not allowed; it may be 0\.\.99"),
        ({"redeal_gaps": "left"}, "it may be random, after-run"),
        ({"fixed_suits": "CHS"}, "fixed_suits=CHS is not allowed"),
        ({"fixed_suits": "CCSD"}, "fixed_suits=CCSD is not allowed"),
        ({"fixed_suits": "chsd"}, "fixed_suits=chsd is not allowed"),
        ({"twos_locked": False}, "may never be stuck"),
        ({"twos_locked": False, "redeals": 1, "redeal_gaps": "after-run"}, "require early_redeal=yes"),
    ],
)
def test_rules_that_make_no_sense_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(un.UsageError, match=words):
        un.game("gaps", "addiction", **fields)


@pytest.mark.parametrize("suits", [5, 0, None, ("C", "H", "S", "D"), list("CHSD")])
def test_fixed_suits_are_text(suits: Any) -> None:
    with pytest.raises(un.UsageError, match="it may be empty or name the four suits"):
        Rules(redeals=0, fixed_suits=suits)


def test_free_twos_may_be_redealt_early_or_not_at_all() -> None:
    un.game("gaps", redeals=0, twos_locked=False)
    un.game("gaps", redeals=1, twos_locked=False, early_redeal=True)
    # With fixed suits no 2 ever hops, whatever the field says.
    un.game("gaps", redeals=1, twos_locked=False, fixed_suits="CDHS")


# The board.


def test_a_deck_is_dealt_row_by_row_and_its_aces_are_the_gaps() -> None:
    state = un.game("gaps").deal(7)
    deck = un.Source(7).deck(un.game("gaps").pack)
    assert state.cells == tuple(None if card.rank == 1 else card for card in deck)
    assert state.rows[1][2] == str(deck[15])
    assert [len(row) for row in state.rows] == [13] * 4
    assert sum(row.count("--") for row in state.rows) == 4
    assert (state.phase, state.redeals_left, state.used) == (1, 3, 0)


def test_a_gap_takes_what_follows_its_left_neighbour() -> None:
    state = table(EARLY)
    # r3c2 is right of a gap; r4c13 right of the jack.
    assert tokens(state.legal_moves()) == ["2H>r3c1", "2S>r3c1", "8S>r4c8", "QS>r4c13"]
    after = state.play(ToGap(Card.parse("8S"), 4, 8))
    assert after.rows[3][7:9] == ("8S", "--")
    assert "9S>r4c9" in tokens(after.legal_moves())


def test_twos_that_may_begin_a_row_come_in_suit_order_for_each_open_row() -> None:
    state = play(table(EARLY), "QS>r4c13")
    assert tokens(state.legal_moves()) == ["2H>r3c1", "2S>r3c1", "2H>r4c1", "2S>r4c1", "8S>r4c8"]


def test_a_gap_right_of_a_king_or_a_gap_is_blocked_and_not_dead() -> None:
    state = table(LATE)
    assert tokens(state.legal_moves()) == ["QC>r1c11", "KC>r1c13"]
    assert why_not(state, "KC>r2c13") == "r2c13 takes nothing for now: it is right of KD"
    state = state.play(un.game("gaps").parse_move("QC>r1c11"))
    assert tokens(state.legal_moves()) == ["KC>r1c12"]
    assert why_not(state, "KH>r1c13") == "r1c13 takes nothing for now: it is right of a gap"
    state = state.play(un.game("gaps").parse_move("KC>r1c12"))
    assert tokens(state.legal_moves()) == ["KH>r3c12"]
    won = play(state, "KH")
    assert (won.outcome, won.score, won.legal_moves()) == (un.Outcome.WON, 48, ())
    assert {row[12] for row in won.rows} == {"--"}
    assert not won.can_redeal


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("KH>r1c1", "r1c1 is no gap: 2C stands there"),
        ("3H>r3c1", "a gap in column 1 takes a 2, not 3H"),
        ("2C>r3c1", "2C stands in column 1, and there a 2 never moves again in these rules"),
        ("KH>r4c8", "r4c8 is right of 7S and takes 8S, not KH"),
    ],
)
def test_an_illegal_move_names_the_rule(token: str, reason: str) -> None:
    assert reason in why_not(table(EARLY), token)


# Locked runs.


def test_a_run_is_locked_by_its_place_alone() -> None:
    state = table(EARLY)
    assert state.locks == (("C", 2), ("D", 1), ("", 0), ("", 0))
    assert state.score == 3
    assert play(state, "2H>r3c1 3H").locks == (("C", 2), ("D", 1), ("H", 2), ("", 0))


def test_a_two_outside_column_1_starts_no_run() -> None:
    # 2S 3S 4S stand in a row, from column 2 on.
    assert table(EARLY).locks[3] == ("", 0)
    assert play(table(EARLY), "QS>r4c13").locks[3] == ("", 0)


def test_a_free_two_hops_and_leaves_its_run_behind() -> None:
    state = table(EARLY, "one-deal")
    assert [token for token in tokens(state.legal_moves()) if token.startswith("2")] == [
        f"2{suit}>r3c1" for suit in SUITS
    ]
    after = play(state, "2C>r3c1")
    assert after.locks == (("", 0), ("D", 1), ("C", 1), ("", 0))
    assert play(after, "2C>r1c1") == state


def test_fixed_suits_give_each_row_one_two() -> None:
    state = table(EARLY, "basic")
    # Row 3 is for spades. The 2 of diamonds in row 2 is not locked: it is a row of hearts.
    assert state.locks == (("C", 2), ("", 0), ("", 0), ("", 0))
    assert tokens(state.legal_moves()) == ["2S>r3c1", "8S>r4c8", "QS>r4c13"]
    assert why_not(state, "2H>r3c1") == "row 3 begins with 2S, for its suit is fixed"
    state = play(state, "QS>r4c13")
    assert tokens(state.legal_moves()) == ["2S>r3c1", "2D>r4c1", "8S>r4c8"]
    assert play(state, "2D").locks == (("C", 2), ("", 0), ("", 0), ("D", 1))


@pytest.mark.parametrize("suits", ["CHSD", "DSHC"])
@given(seed=deal_numbers)
def test_where_suits_are_fixed_it_does_not_matter_whether_twos_are_locked(suits: str, seed: int) -> None:
    """Law: the same moves, runs and outcomes all along the way; a 2 in its own row stays."""
    locked, free = (un.game("gaps", redeals=0, twos_locked=twos, fixed_suits=suits) for twos in (True, False))
    for state in random_line(locked, seed, at_most=100):
        other = replace(state, rules=free.rules)
        assert tokens(other.legal_moves()) == tokens(state.legal_moves())
        assert (other.locks, other.outcome) == (state.locks, state.outcome)
        settled = {row[0] for row, (_, length) in zip(state.rows, state.locks, strict=True) if length}
        assert not settled & {str(move.card) for move in other.card_moves()}


@pytest.mark.parametrize("variant", VARIANTS)
@given(seed=deal_numbers)
def test_of_a_locked_run_only_a_free_two_ever_moves(variant: str, seed: int) -> None:
    """Law: a locked 3..K has the card before it on its left, so no other gap calls it, whatever `twos_locked` says."""
    game = un.game("gaps", variant)
    for state in random_line(game, seed, at_most=60):
        runs = [row[:length] for row, (_, length) in zip(state.rows, state.locks, strict=True)]
        able = {str(move.card) for move in state.card_moves()}
        assert not able & {token for run in runs for token in run[int(state.rules.has_free_twos) :]}


def test_rows_of_wrong_suits_are_no_win_where_suits_are_fixed() -> None:
    rows = {suit: " ".join(f"{rank}{suit}" for rank in "23456789TJQK") + " --" for suit in SUITS}
    for suits in permutations(SUITS):
        text = "\n".join(rows[suit] for suit in suits)
        assert table(text, "addiction-one-deal").outcome is un.Outcome.WON
        state = table(text, "basic")
        right = sum(a == b for a, b in zip(suits, "CHSD", strict=True))
        assert state.score == 12 * right
        assert (state.outcome is un.Outcome.WON) == (right == 4)
        assert state.outcome is not None


# Redeals.


def test_a_redeal_waits_until_no_card_can_move() -> None:
    state = table(EARLY)
    assert not state.can_redeal
    assert why_not(state, "r") == (
        "2H>r3c1 can still be played, and in these rules a redeal waits until no card can move"
    )
    early = table(EARLY, "addiction-early")
    assert early.can_redeal
    assert "r" not in tokens(early.legal_moves())
    assert "play r= and what the free cells hold now" in why_not(early, "r")


STUCK = """
QC 2C 3C 4C 5C 6C 7C 8C 9C TC JC KC --
2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --
2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS --
"""


@pytest.mark.both_engines
def test_the_end_of_a_phase_is_no_end_while_a_redeal_is_left() -> None:
    state = table(STUCK)
    assert (state.legal_moves(), state.can_redeal, state.outcome) == ((), True, None)
    assert un.solve(state).status is un.Status.UNSOLVABLE
    last = table(f"Redeals used: 3\n{STUCK}")
    assert (last.phase, last.redeals_left, last.can_redeal, last.outcome) == (4, 0, False, un.Outcome.STUCK)
    assert why_not(last, "r") == "no redeal is left"
    assert why_not(table(STUCK, "one-deal"), "r") == "there is no redeal in these rules"


def test_a_redeal_that_wins_wins() -> None:
    cells = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- -- --".replace(" ", ",")
    won = table(STUCK).play(un.game("gaps").parse_move(f"r={cells}"))
    assert (won.outcome, won.phase, won.redeals_left) == (un.Outcome.WON, 2, 2)
    assert not won.can_redeal
    assert why_not(won, "r") == "the game is won"


def test_the_free_cells_are_those_after_play_not_those_of_the_start() -> None:
    start = un.game("gaps", "addiction-early").deal(5)
    rng = Random(1)
    state: State = start
    while state.score == start.score:
        state = state.play(rng.choice([move for move in state.legal_moves() if isinstance(move, ToGap)]))
    after = state.play(Redeal())
    for row, (_, length) in enumerate(state.locks):
        assert after.rows[row][:length] == state.rows[row][:length]
    locked = {token for row, (_, length) in zip(state.rows, state.locks, strict=True) for token in row[:length]}
    deck = un.Source(5, number=2).deck(un.game("gaps").pack)
    dealt = ["--" if card.rank == 1 else str(card) for card in deck if str(card) not in locked]
    assert dealt == [token for row, (_, length) in zip(after.rows, state.locks, strict=True) for token in row[length:]]


def test_gaps_after_runs_stand_right_of_each_run() -> None:
    state = un.game("gaps", "montana-locked", early_redeal=True).parse(EARLY)
    state = replace(state, redeals=(un.Source(9).deck(un.game("gaps").pack),))
    after = state.play(Redeal())
    assert [row.index("--") for row in after.rows] == [2, 1, 0, 0]
    locked = ["2C", "3C", "2D"]
    dealt = [token for row in after.rows for token in row if token not in (*locked, "--")]
    assert dealt == [str(card) for card in state.redeals[0] if card.rank > 1 and str(card) not in locked]
    # A row that is finished keeps its gap in column 13.
    late = replace(table(LATE, "montana"), redeals=state.redeals).play(Redeal())
    assert [row.index("--") for row in late.rows] == [10, 12, 11, 12]


def test_a_finished_row_may_get_a_card_in_column_13() -> None:
    state = table(STUCK)
    cells = "2C -- 3C 4C 5C 6C 7C 8C 9C TC JC QC -- KC -- --".replace(" ", ",")
    assert state.play(un.game("gaps").parse_move(f"r={cells}")).rows[1][12] == "KC"


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("2C 3C", "the redeal has 2 cells, expected 16: all that no locked run holds"),
        ("2D 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- -- --", "2D cannot be dealt: it is locked"),
        ("3C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- -- --", "the redeal has 3C twice and lacks 2C"),
        ("-- 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- -- --", "the redeal lacks 2C"),
        ("2C 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- --", "the redeal has 2C twice"),
    ],
)
def test_a_redeal_that_cannot_be_is_refused(cells: str, reason: str) -> None:
    assert why_not(table(STUCK), f"r={cells.replace(' ', ',')}") == reason


def test_a_redeal_of_runs_leaves_its_gaps_right_of_them() -> None:
    cells = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- -- --".replace(" ", ",")
    assert why_not(table(STUCK, "montana-locked"), f"r={cells}") == (
        "r1c1 must be a gap, not 2C: redeal_gaps=after-run"
    )
    right = "-- 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC -- -- --".replace(" ", ",")
    assert table(STUCK, "montana-locked").play(un.game("gaps").parse_move(f"r={right}")).can_move


def test_a_phase_may_begin_stuck_and_the_next_redeal_be_taken_at_once() -> None:
    state = table(STUCK)
    stuck = Redeal(tuple(state.cells[index] for index in state.free_cells))
    again = state.play(stuck).play(stuck)
    assert (again.phase, again.cells, again.can_redeal) == (3, state.cells, True)


@given(seed=deal_numbers, data=st.data())
def test_a_seeded_redeal_hangs_on_the_seed_its_number_and_what_is_locked(seed: int, data: st.DataObject) -> None:
    game = un.game("gaps", "addiction-early")
    state = game.deal(seed)
    rng = Random(data.draw(st.integers(0, 99)))
    other = state
    for _ in range(12):
        moves = [move for move in other.card_moves() if other.play(move).locks == state.locks]
        if moves:
            other = other.play(rng.choice(moves))
    assert state.play(Redeal()).cells == other.play(Redeal()).cells


def test_a_redeal_may_be_declined() -> None:
    state = table(EARLY, "addiction-early")
    assert state.can_redeal
    assert play(state, "8S").can_redeal
    view = un.game("gaps").deal(3).view()
    assert view.sample(Random(1)).redeals != view.sample(Random(2)).redeals
