"""Spider as text: layouts, views, decks and moves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import deal_numbers, every_game, for_each, random_line
from unshuffle.cards import format_cards
from unshuffle.games.spider import Row, Run

GAMES = [game for game in every_game() if game.id == "spider"]
GAME = un.game("spider")
SMALL = un.game("spider", suits=2, piles=3, ranks=3, runs=4, table=6)
LAYOUT = """\
1: [9C] [QD] [5H] [JC] [JD] 9H
2: [2S] [9S] [4C] [JS] [5C] 3C
3: [AC] [7H] [6S] [7S] [3H] QS
4: [KD] [3S] [QC] [9S] [KH] 2D
5: [4S] [6D] [3D] [5D] AS
6: [KS] [2H] [KH] [JC] 9C
7: [8S] [3D] [QD] [6C] 2C
8: [4D] [4H] [5S] [JS] 5H
9: [TS] [9H] [JH] [TC] AH
10: [8S] [7C] [TH] [5D] 5C
Bank: JH AS TC AD KS 4S QS 7C 6H 8H TS 4H 6D KC 3S 9D 8D 6H 8C 2D 5S 7D 8C 8D 7D QH 2C QH TH 2H 4C 9D AH JD 3H AC 7S \
TD KD 6C 8H AD 6S 3C 7H TD 4D KC 2S QC
Completed:
Moves: 0
"""
VIEW = """\
1: ## ## ## ## ## 9H
2: ## ## ## ## ## 3C
3: ## ## ## ## ## QS
4: ## ## ## ## ## 2D
5: ## ## ## ## AS
6: ## ## ## ## 9C
7: ## ## ## ## 2C
8: ## ## ## ## 5H
9: ## ## ## ## AH
10: ## ## ## ## 5C
Bank: 50
Completed:
Moves: 0
"""


def faults(text: str, game: un.Game[Any, Any] = SMALL) -> list[str]:
    with pytest.raises(un.InvalidDealError) as caught:
        game.parse(text)
    return [str(fault) for fault in caught.value.faults]


# Layouts.


def test_the_golden_layout() -> None:
    state = GAME.deal(7)
    assert str(state) == GAME.format(state) == LAYOUT
    assert GAME.parse(LAYOUT) == state


def test_lines_may_come_in_any_order_with_comments_and_other_spellings() -> None:
    state = GAME.deal(7)
    lines = ["# a comment", "", *reversed(LAYOUT.splitlines()), "   ", "# the end"]
    assert GAME.parse("\n".join(lines)) == state
    assert GAME.parse(" / ".join(LAYOUT.splitlines())) == state
    assert GAME.parse(LAYOUT.lower().replace("td", "10♦")) == state
    # Brackets round each face-down card, or round all of them.
    assert GAME.parse(LAYOUT.replace("] [", " ")) == state
    assert GAME.parse(LAYOUT.replace("[", "[ ").replace("]", " ]")) == state
    assert GAME.parse(LAYOUT.replace("JH AS TC", "JHASTC")) == state
    # Nothing completed and no moves need not be said.
    assert GAME.parse(LAYOUT.replace("Completed:\nMoves: 0\n", "")) == state


def test_a_late_position() -> None:
    text = "1: 3S 2S\n2:\n3: 3H AH AH AS\nBank: 2H 3H 2H\nCompleted: S\nMoves: 12\n"
    state = SMALL.parse(text)
    assert str(state) == text
    assert (state.moves, state.rows_left, len(state.completed)) == (12, 1, 1)
    assert SMALL.parse(str(state).replace("2:\n", "2: -\n").replace("d: S", "d: ♠")) == state


def test_an_id_tells_the_deal() -> None:
    assert GAME.parse("Id: spider/4-suits@7") == GAME.deal(7)
    assert GAME.parse("Id: spider/4-suits@7").id == "spider/4-suits@7"
    state = GAME.deal(7).play(Row())
    again = GAME.parse(f"Id: spider/4-suits@7\n{state}")
    assert (again, again.id) == (state, state.id)
    assert faults("Id: spider/2-suits@7", GAME) == [
        "line 1, column 5: 'spider/2-suits@7' is not a deal of spider/4-suits",
        *faults("", GAME),
    ]


ONLY_DOWN = "line 1, column 1: pile 1 has only face-down cards: its last card is face up"
TOO_MANY_DOWN = "line 1, column 1: pile 1 has 2 face-down cards; it is dealt with 1"
NO_PILE_2 = "the line '2:' is missing: every pile has one"
ROWS = "which is not whole rows; it can have 0, 3, 6"
GOOD = "1: [3S] 2H / 2: [AS] 3H / 3: [2S] AH / Bank: 3S 2S AS 3H 2H AH"


def test_the_good_position_of_the_next_test_is_good() -> None:
    assert SMALL.parse(GOOD).rows_left == 2


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            ("[3S] 2H", "[3S] 1X"),
            ["line 1, column 9: '1X' is not a card", "there are 11 cards, expected 12; missing: 2H"],
        ),
        (("[3S] 2H", "[3S] 3S"), ["'3S' is there 3 times, expected 2", "there are 12 cards, expected 12; missing: 2H"]),
        (("[3S] 2H", "[3S] 2C"), ["line 1, column 9: '2C' does not belong to this pack", "there are 11 cards"]),
        (("[3S] 2H", "2H [3S]"), ["line 1, column 8: '3S' lies face down on a card that lies face up"]),
        (("[3S] 2H", "[3S 2H]"), [ONLY_DOWN, TOO_MANY_DOWN]),
        (("[3S] 2H", "[3S 2H"), [ONLY_DOWN, TOO_MANY_DOWN, "line 1, column 4: '[' is never closed"]),
        (("[3S] 2H", "3S] 2H"), ["line 1, column 6: ']' closes nothing"]),
        (("[3S] 2H", "[] 3S 2H"), ["line 1, column 4: the brackets are empty"]),
        (("[2S] AH", "[2S] 2H AH"), ["'2H' is there 3 times, expected 2"]),
        (("Bank: 3S 2S", "Bank: 3S"), [f"line 1, column 40: the bank has 5 cards, {ROWS}", "there are 11 cards"]),
        (("2: [AS] 3H /", ""), [NO_PILE_2, "there are 10 cards, expected 12; missing: 3H, AS"]),
        (("2: [AS]", "4: [AS]"), ["line 1, column 14: there is no pile '4': the piles are 1..3", NO_PILE_2]),
        (("2: [AS]", "1: [AS]"), ["line 1, column 14: pile 1 is there twice (first at line 1, column 1)", NO_PILE_2]),
        (("2: [AS]", "[AS]"), ["line 1, column 14: '[AS]': expected a label, such as '3:' for pile 3", NO_PILE_2]),
        (("Bank", "Stock"), ["line 1, column 40: 'stock' is not a label; expected Bank:, Completed:", "there are 6"]),
        (
            (GOOD, "KS"),
            ["line 1, column 1: 'KS': expected a label", "line 1, column 1: 'KS' does not", "the lines", "there"],
        ),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_every_fault_is_named_with_its_place(change: tuple[str, str], expected: list[str]) -> None:
    found = faults(GOOD.replace(*change))
    assert len(found) == len(expected), found
    assert all(fault.startswith(words) for fault, words in zip(found, expected, strict=True)), found


def test_faults_of_the_last_lines() -> None:
    text = f"{GOOD} / Completed: S X D / Moves: many"
    assert faults(text) == [
        "line 1, column 79: 'X' is not a suit; expected C D H S",
        "line 1, column 81: no run of diamonds is in this pack",
        "line 1, column 85: 'many' is not a number of moves; expected a whole number",
        "'AS' is there 3 times, expected 2",
        "'2S' is there 3 times, expected 2",
        "'3S' is there 3 times, expected 2",
    ]
    assert "'-3' is not a number of moves" in faults(f"{GOOD} / Moves: -3")[0]


def test_a_complete_run_does_not_lie_at_the_end_of_a_pile() -> None:
    run = "1: 3S 2S AS / 2: [3S] 2S / 3: AS / Bank: 3H 2H AH 3H 2H AH"
    assert faults(run) == ["line 1, column 1: pile 1 ends in a complete run of spades: it leaves the table at once"]
    # Nor under other cards, which would have come after it had left.
    covered = "1: 3S 2S AS 3S / 2: 2S / 3: AS / Bank: 3H 2H AH 3H 2H AH"
    assert faults(covered) == [
        "line 1, column 1: pile 1 has, under other cards, a complete run of spades: it leaves the table at once"
    ]
    # Over a face-down card of the highest rank it is not complete.
    assert SMALL.parse(run.replace("1: 3S", "1: [3S]").replace("[3S] 2S /", "3S 2S /")).completed == ()


def test_a_pile_is_not_taller_than_it_can_be() -> None:
    game = un.game("spider", suits=1, piles=2, ranks=3, runs=4, table=12)
    assert game.rules.tallest == 8
    text = "1: 3S 3S 3S 3S 2S 2S 2S 2S AS AS / 2: AS AS"
    assert faults(text, game) == ["line 1, column 1: pile 1 has 10 cards; no pile can have more than 8"]


# Decks.


def test_a_deck_has_each_card_as_often_as_the_pack() -> None:
    deck = format_cards(GAME.deck(un.Source(7)))
    assert GAME.parse(f"Deck: {deck}") == GAME.deal(7)
    game = un.game("spider", "1-suit")
    cards = format_cards(game.pack).split()
    cards[0] = cards[1]
    assert faults("Deck: " + " ".join(cards), game) == [
        "line 1, column 283: '2S' is in the deck 9 times (first at line 1, column 7)",
        "the deck has 104 cards, expected 104; missing: AS",
    ]
    assert faults(f"Deck: {deck} / Moves: 3", GAME) == [
        "line 1, column 321: 'Moves:' does not go with 'Deck:', which is a whole deal"
    ]


def test_the_generator_ms_has_one_pack_only() -> None:
    with pytest.raises(un.UsageError, match="one pack of 52 cards"):
        GAME.deal(1, "ms")


# Views.


def test_a_view_tells_no_hidden_card() -> None:
    state = GAME.deal(7)
    assert GAME.format(state, hidden=True) == str(state.view()) == VIEW
    assert GAME.parse_seen(VIEW) == state.view()
    assert GAME.parse_seen(VIEW.replace("## ## ## ## ## 9H", "[## ## ##] [##] [##] 9H")) == state.view()
    assert GAME.parse_seen(VIEW.replace("## ## ## ## ## 9H", "########## 9H")) == state.view()
    assert GAME.parse_seen(" / ".join(VIEW.splitlines())) == state.view()
    # What is told and yet hidden stays hidden; a deck or an id is a whole deal.
    assert GAME.parse_seen(LAYOUT) == state.view()
    assert GAME.parse_seen("Id: spider/4-suits@7") == state


def test_a_solver_refuses_a_view_with_a_fault_for_each_unknown_group() -> None:
    text = "1: ## 2H / 2: [##] 3H / 3: [2S] AH / Bank: 6"
    expected = "expected every card (only hidden play does without, as in `advise`)"
    assert faults(text) == [
        f"line 1, column 1: '##' tells no card; {expected}",
        f"line 1, column 12: '##' tells no card; {expected}",
        f"line 1, column 38: 'Bank: 6' tells no cards; {expected}",
    ]
    view: Any = SMALL.parse_seen(text)
    assert SMALL.parse(str(view.sample(Random(3)))).view() == view


def test_a_view_has_as_many_unseen_cards_as_are_missing() -> None:
    assert SMALL.parse_seen("1: ## 2H / 2: ## 3H / 3: 2S AH / Bank: 6").down == (1, 1, 0)
    for text, words in (
        ("1: ## 2H / 2: 3H / 3: 2S AH / Bank: 6", "unseen cards: 7; neither on the table nor in a completed run: 8"),
        ("1: ## 2H / 2: ## 3H / 3: ## 2S / Bank: 7", f"the bank has 7 cards, {ROWS}"),
    ):
        with pytest.raises(un.InvalidDealError, match=words):
            SMALL.parse_seen(text)


@pytest.mark.parametrize("game", GAMES, ids=str)
@for_each
@given(seed=deal_numbers)
def test_views_round_trip(game: un.Game[Any, Any], seed: int) -> None:
    for state in random_line(game, seed):
        assert game.parse_seen(game.format(state, hidden=True)) == state.view()


# Moves.


@pytest.mark.parametrize(
    ("text", "move", "token"),
    [
        ("d", Row(), "d"),
        ("D", Row(), "d"),
        ("3-7", Run(3, 7), "3-7"),
        ("3-7x1", Run(3, 7), "3-7"),
        ("3-7x4", Run(3, 7, 4), "3-7x4"),
        (" 10-2X13 ", Run(10, 2, 13), "10-2x13"),
    ],
)
def test_tokens(text: str, move: Run | Row, token: str) -> None:
    assert GAME.parse_move(text) == move
    assert move.token == token


@pytest.mark.parametrize("text", ["", "3", "3-", "-7", "3-7x", "3x4", "dd", "d=", "3-7x-1", "r", "٣-7"])
def test_what_is_no_move_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(un.ParseError, match=r"is not a move; expected d \(deal a row\), 3-7 \(one card"):
        GAME.parse_move(text)


def test_a_line_is_read_at_blanks() -> None:
    assert GAME.parse_moves("3-7x4 d 10-2") == (Run(3, 7, 4), Row(), Run(10, 2))
