"""Gaps as text: boards, faults, move tokens, words and pictures."""

from __future__ import annotations

import json
from typing import Any

import pytest

import unshuffle as un
from tests.games.gaps_reference import FOLDER, board, reference
from tests.laws import tokens
from unshuffle.cards import Card, format_cards
from unshuffle.games.gaps import Redeal, ToGap
from unshuffle.games.gaps.places import read_board

GAME = un.game("gaps")
ROWS = reference("addiction-one-deal")["gaps-001"]["layout"].split("/")
LAYOUT = "\n".join(ROWS) + "\n"


def faults(text: str, **fields: Any) -> list[str]:
    with pytest.raises(un.InvalidDealError) as caught:
        un.game("gaps", **fields).parse(text)
    assert str(caught.value).splitlines() == [str(fault) for fault in caught.value.faults]
    return [str(fault) for fault in caught.value.faults]


def with_cell(place: tuple[int, int], text: str, layout: str = LAYOUT) -> str:
    rows = [row.split() for row in layout.splitlines()]
    rows[place[0] - 1][place[1] - 1] = text
    return "\n".join(map(" ".join, rows))


# Boards.


def test_a_board_is_written_as_four_lines() -> None:
    state = GAME.parse(LAYOUT)
    assert str(state) == LAYOUT
    assert state.rows == tuple(tuple(row.split()) for row in ROWS)


@pytest.mark.parametrize(
    "text",
    [
        LAYOUT.lower(),
        LAYOUT.replace("\n", "/"),
        LAYOUT.replace(" ", ","),
        LAYOUT.replace(" ", " | "),
        LAYOUT.replace("T", "10"),
        LAYOUT.replace("T", "x"),
        LAYOUT.replace("T", "X"),
        LAYOUT.replace("--", "-"),
        LAYOUT.replace("--", "g"),
        LAYOUT.replace("--", "AC", 1).replace("--", "as", 1),
        LAYOUT.replace("\n", "   # a comment\n"),
        f"# gaps-001\n\n{LAYOUT}",
        LAYOUT.replace("H", "♥").replace("D", "♢"),
        f"Redeals used: 0\n{LAYOUT}",
    ],
)
def test_a_board_has_many_spellings(text: str) -> None:
    assert GAME.parse(text) == GAME.parse(LAYOUT)


def test_a_deck_holds_the_aces_of_the_gaps() -> None:
    deck = un.Source(7).deck(GAME.pack)
    state = GAME.parse(f"Deck: {format_cards(deck)}")
    assert state.cells == GAME.deal(7).cells
    assert GAME.parse(f"Deck: {format_cards(deck).replace('T', 'X')}") == state
    assert GAME.parse(f"Redeals used: 2\nDeck: {format_cards(deck)}").phase == 3


def test_redeals_used_and_to_come() -> None:
    state = GAME.parse(f"Redeals used: 1\n{LAYOUT}")
    assert (state.used, state.phase, state.redeals_left) == (1, 2, 2)
    assert str(state) == f"Redeals used: 1\n{LAYOUT}"
    second, third = (format_cards(un.Source(1, number=n).deck(GAME.pack)) for n in (3, 4))
    known = GAME.parse(f"Redeals used: 1\nRedeal 1: {second}\nRedeal 2: {third}\n{LAYOUT}")
    assert list(map(format_cards, known.redeals)) == [second, third]
    by_id = GAME.parse(f"Id: gaps/addiction@1\nRedeals used: 1\n{LAYOUT}")
    assert by_id == known
    assert str(by_id).startswith("Id: gaps/addiction@1\nRedeals used: 1\n")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("Redeals used: 4", "line 1, column 1: '4' is not a number of redeals used; expected a number 0..3"),
        ("Redeals used: x", "line 1, column 1: 'x' is not a number of redeals used; expected a number 0..3"),
        ("Redeal 1: 2C 2C", "line 1, column 14: '2C' is in redeal 1 twice (first at line 1, column 11)"),
        ("Redeal 2: 2C", "line 1, column 1: 'Redeal 2:' is there without 'Redeal 1:'"),
        ("Redeals used: 3\nRedeal 1: 2C", "line 2, column 1: 'Redeal 1:' cannot come: no redeal is left"),
        ("Id: gaps/spaces@1", "line 1, column 5: 'gaps/spaces@1' is not a deal of gaps/addiction"),
    ],
)
def test_what_is_said_about_redeals_must_fit(lines: str, words: str) -> None:
    assert words in faults(f"{lines}\n{LAYOUT}")


# Faults, in the words of the page.


def test_the_faults_of_the_page() -> None:
    assert faults(with_cell((3, 6), "c3")) == ["r3c6: 'c3' is not a card or a gap; the only card missing is 9H"]
    assert faults(with_cell((4, 2), "JD")) == ["JD twice: r1c3 and r4c2", "missing: 8S"]
    assert faults(with_cell((1, 1), "--")) == ["missing: 7S", "5 gaps, expected 4"]
    assert faults("\n".join(ROWS[:3])) == ["3 rows, expected 4"]
    assert faults(LAYOUT.replace("2C ", "", 1)) == ["row 2 has 12 cells, expected 13"]


def test_all_faults_are_told_at_once() -> None:
    text = with_cell((1, 1), "1H", with_cell((1, 2), "zz", with_cell((2, 1), "3H", with_cell((2, 3), "3H"))))
    assert faults(text) == [
        "r1c1: '1H' is not a card or a gap",
        "r1c2: 'zz' is not a card or a gap",
        "3H 3 times: r1c12, r2c1 and r2c3",
        "missing: 2C 3C KD 7S",
    ]
    # Of a row with a wrong number of cells only that is said; the other rows are read.
    rows = with_cell((1, 1), "KD").splitlines()
    rows[1] = "2C what 2C"
    assert faults("\n".join(rows)) == ["KD twice: r1c1 and r1c2", "row 2 has 3 cells, expected 13"]
    assert faults("\n".join([*rows[:1], "-", *ROWS[2:], ROWS[1]])) == [
        "KD twice: r1c1 and r1c2",
        "row 2 has 1 cell, expected 13",
        "5 rows, expected 4",
    ]
    assert faults("") == ["0 rows, expected 4"]
    assert faults(" ".join(ROWS)) == ["row 1 has 52 cells, expected 13", "1 row, expected 4"]


def test_a_repair_is_named_only_where_one_alone_fits() -> None:
    # The cell was a gap: no card is missing.
    assert faults(with_cell((1, 7), "?")) == ["r1c7: '?' is not a card or a gap; no card is missing, only a gap"]
    # Two cells, two cards.
    assert faults(with_cell((1, 1), "?", with_cell((1, 2), "?"))) == [
        "r1c1: '?' is not a card or a gap",
        "r1c2: '?' is not a card or a gap",
        "missing: KD 7S",
    ]
    # A double: the card in the unreadable cell may be either of the missing ones.
    assert faults(with_cell((1, 1), "?", with_cell((1, 2), "JD"))) == [
        "r1c1: '?' is not a card or a gap",
        "JD twice: r1c2 and r1c3",
        "missing: KD 7S",
    ]
    # A gap too many: the same.
    assert faults(with_cell((1, 1), "?", with_cell((1, 2), "-"))) == [
        "r1c1: '?' is not a card or a gap",
        "missing: KD 7S",
        "5 gaps, expected 4",
    ]


def test_gaps_are_counted() -> None:
    assert faults(with_cell((1, 7), "7S")) == ["7S twice: r1c1 and r1c7", "3 gaps, expected 4"]
    only_one = LAYOUT.replace("--", "7S").replace("7S", "--", 1)
    assert faults(only_one)[-1] == "1 gap, expected 4"
    # With a row short, too many gaps are too many all the same.
    assert faults(with_cell((1, 1), "-", LAYOUT.replace("2C ", "", 1))) == [
        "5 gaps, expected 4",
        "row 2 has 12 cells, expected 13",
    ]


def test_the_sample_with_a_card_typed_backwards() -> None:
    cells = json.loads((FOLDER / "peer-style-bad.json").read_text())
    rows = [cells[start : start + 13] for start in range(0, 52, 13)]
    words = "r4c11: 'c3' is not a card or a gap; the only card missing is 3D"
    assert read_board(rows)[1] == [words]
    assert faults("\n".join(map(" ".join, rows))) == [words]
    right = json.loads((FOLDER / "peer-style.json").read_text())
    assert GAME.parse("/".join(" ".join(right[start : start + 13]) for start in range(0, 52, 13))) == GAME.parse(LAYOUT)


# Moves.


@pytest.mark.parametrize("text", ["6H>r2c5", "6h r2c5", "6H -> R2C5", "6H->r2c5", "6♥>r2c5", " 6H > r2c5 "])
def test_a_move_has_many_spellings(text: str) -> None:
    move = GAME.parse_move(text)
    assert move == ToGap(Card.parse("6H"), 2, 5)
    assert move.token == "6H>r2c5"


def test_a_ten_may_be_an_x() -> None:
    assert GAME.parse_move("xh>r1c2") == GAME.parse_move("10H>r1c2") == ToGap(Card.parse("TH"), 1, 2)


def test_a_card_alone_is_enough_where_it_has_one_destination() -> None:
    state = board("addiction-one-deal", "gaps-001")
    assert GAME.parse_move("7s", state) == ToGap(Card.parse("7S"), 4, 7)
    with pytest.raises(un.IllegalMoveError, match="no gap takes KD"):
        GAME.parse_move("KD", state)
    with pytest.raises(un.ParseError, match="'7S' names no cell"):
        GAME.parse_move("7S")
    two = GAME.parse("-- -- 3C 4C 5C 6C 7C 8C 9C TC JC QC KC/" + "\n".join(_rows("-- -- 3D 2H 2S 2C 2D")))
    with pytest.raises(un.ParseError, match="'2H' is not enough: 2H may go to r1c1 or r2c1"):
        GAME.parse_move("2H", two)
    assert GAME.parse_move("2H r2c1", two) == ToGap(Card.parse("2H"), 2, 1)


def _rows(start: str) -> list[str]:
    """Three rows that begin so; the cards that are left follow in order."""
    there = start.split()
    left = [str(card) for card in GAME.pack if card.rank > 1 and str(card) not in there and card.suit.letter != "C"]
    cells = there + left
    return [" ".join(cells[index : index + 13]) for index in range(0, 39, 13)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a move; expected CARD>rNcN"),
        ("6H>r5c1", "there is no cell r5c1; rows are 1..4, columns 1..13"),
        ("6H>r1c14", "there is no cell r1c14"),
        ("AS>r1c1", "a gap does not move"),
        ("h6>r1c2", "'h6' is not a card or a gap"),
        ("r=7H,zz", "'zz' is not a card or a gap"),
        ("6H>7H", "is not a move"),
    ],
)
def test_what_is_no_move_is_refused(text: str, words: str) -> None:
    with pytest.raises(un.ParseError) as caught:
        GAME.parse_move(text)
    assert words in str(caught.value)


def test_redeal_tokens() -> None:
    assert GAME.parse_move("r") == GAME.parse_move("R") == GAME.parse_move("redeal") == Redeal()
    told = Redeal((Card.parse("7H"), None, Card.parse("2C")))
    assert told.token == "r=7H,--,2C"
    for text in ("r=7H,--,2C", "R=7h,-,2c", "redeal=7H,AS,2C", "r=7♥,g,2C"):
        assert GAME.parse_move(text) == told


def test_a_line_keeps_the_cells_of_a_redeal_together() -> None:
    text = "6H -> r2c5, 7h r2c6,8H>r2c7 r=7H,--,2C redeal 2C, 3C"
    assert GAME.split_moves(text) == ["6H -> r2c5", "7h r2c6", "8H>r2c7", "r=7H,--,2C", "redeal", "2C", "3C"]
    early = un.game("gaps", "addiction-early")
    state = early.deal(7)
    told = early.told(state, Redeal())
    blind = early.parse("\n".join(map(" ".join, state.rows)))
    line = early.parse_moves(f"7S>r3c2 9H {told.token}", blind)
    assert tokens(line) == ["7S>r3c2", "9H>r3c9", told.token]
    assert early.parse_moves(" ".join(tokens(line)), blind) == line


# Words and pictures.


def test_moves_in_words() -> None:
    state = board("addiction-one-deal", "gaps-001")
    words = GAME.describe(state, GAME.parse_move("7S", state))
    assert (words.kind, words.text) == (
        "Move",
        "7♠ from row 1, column 1 to row 4, column 7, right of 6♠; opens column 1 of row 1",
    )
    state = state.play(GAME.parse_move("7S", state))
    words = GAME.describe(state, GAME.parse_move("2H", state))
    assert (words.kind, words.text) == ("Lock", "2♥ from row 2, column 13 to row 1, column 1")
    stuck = GAME.parse(LAYOUT)
    assert GAME.describe(stuck, Redeal()).text == "the 47 loose cards are dealt again: redeal 1 of 3"


def test_the_picture_shows_what_gaps_take() -> None:
    state = GAME.parse(LAYOUT)
    assert GAME.picture(state) == "\n".join(
        [
            "     1    2    3    4    5    6    7    8    9    10   11   12   13",
            "1    7♠   K♦   J♦   7♣   9♣   T♠  [J♠]  4♠   7♥   T♣   5♠   3♥   2♦",
            "2    2♣   4♣   3♣   K♥   6♦   8♣   Q♣   T♥   Q♥   3♠   8♥   Q♦   2♥",
            "3    6♥   K♠   J♣   6♣   4♦   9♥   K♣   J♥  [Q♥]  8♦   7♦   2♠   5♣",
            "4    9♠   8♠   9♦   5♦   5♥   6♠  [7♠]  ··   4♥   J♠   3♦   T♦   Q♠",
            "Deal 1 of 4, locked: 1 (♣ 1)",
        ]
    )
    opened = GAME.picture(state.play(GAME.parse_move("7S", state)))
    assert opened.splitlines()[1].startswith("1   [2]   K♦")
    assert GAME.settled(state) == (Card.parse("2C"),)
    fixed = un.game("gaps", "basic")
    opened = fixed.picture(fixed.parse(LAYOUT).play(fixed.parse_move("7S>r4c7")))
    assert opened.splitlines()[1].startswith("1   [2♣]  K♦")
    assert opened.splitlines()[-1] == "Locked: 0"


def test_a_view_shows_the_board_and_no_redeal() -> None:
    state = GAME.deal(7)
    assert GAME.format(state, hidden=True) == "\n".join(map(" ".join, state.rows)) + "\n"
