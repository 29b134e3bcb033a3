"""Aces Up in writing: positions, moves, lines of play, and words for people."""

from __future__ import annotations

import csv
from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import DATA, deal_numbers, random_line
from unshuffle.cards import PACK, format_cards
from unshuffle.games.aces_up import AcesUp, Deal, Discard, FromReserve, Shown, State, ToReserve, ToSpace, View
from unshuffle.games.aces_up.rules import sort_discards

GAME: AcesUp = AcesUp()
DECK = """Deck: QS QD 4H 4D 5H JS TH 6C 2C 2H JC 5C 6H KS KD 3C 6S 5S 6D 8C 9C TS 7D 5D 8H AC
7C 2S 4S 9D AH TC KH 3D JH 9H QC 4C AS 7S 7H 2D 8S JD 8D 9S QH TD KC 3H AD 3S"""
START = GAME.parse(DECK)

TABLE = """Pile 1: QS 6H
Pile 2: QD KS
Pile 3:
Pile 4: JC 3C
Stock: 6S 5S 6D 8C
"""


def rest(text: str) -> str:
    """A line of discards for the cards that are not in the text."""
    return f"Discards: {format_cards(sort_discards(card for card in PACK if str(card) not in text))}\n"


def faults(text: str, variant: str = "standard", seen: bool = False, **fields: Any) -> list[str]:
    game = un.game("aces-up", variant, **fields)
    with pytest.raises(un.InvalidDealError) as caught:
        (game.parse_seen if seen else game.parse)(text)
    return [str(fault) for fault in caught.value.faults]


# Positions.


def test_a_position_is_read_and_written() -> None:
    state = GAME.parse(TABLE)
    assert str(state) == TABLE + rest(TABLE)
    assert [format_cards(pile) for pile in state.piles] == ["QS 6H", "QD KS", "", "JC 3C"]
    assert format_cards(state.stock) == "6S 5S 6D 8C"
    assert state.score == 52 - 6 - 4
    assert GAME.parse(TABLE + rest(TABLE)) == state


@pytest.mark.parametrize(
    "text",
    [
        "pile 1: qs 6♥/PILE 2: QD,KS/Pile 3: -/Pile 4: JC3C/stock: 6S 5S 6D 8C",
        "Stock: 6S,5S,6D,8C\nPile 4: JC 3C # two\nPile 03:\nPile 2: QD KS\nPile 1: QS 6H",
        TABLE.replace("Pile 3:", "Pile 3: -"),
    ],
)
def test_other_spellings(text: str) -> None:
    assert GAME.parse(text) == GAME.parse(TABLE)


def test_a_start_a_cell_and_an_empty_stock() -> None:
    assert str(START).startswith("Pile 1:\nPile 2:\nPile 3:\nPile 4:\nStock: QS QD 4H")
    assert "Discards" not in str(START)
    game = un.game("aces-up", "firing-squad")
    text = "Pile 1: QS\nPile 2:\nPile 3:\nPile 4:\nReserve: AC\nStock: -\n"
    state = game.parse(text)
    assert (str(state), str(state.reserve), state.stock) == (text + rest(text), "AC", ())
    assert "Reserve: -\n" in str(game.deal(7))
    assert game.parse(text.replace("Stock: -", "Stock:")) == state


def test_a_whole_deck_and_an_id() -> None:
    assert format_cards(START.stock[:4]) == "QS QD 4H 4D"
    assert [format_cards(pile) for pile in START.play(Deal()).piles] == ["QS", "QD", "4H", ""]
    assert GAME.parse("Id: aces-up/standard@7") == GAME.deal(7)
    assert un.deal("aces-up/russian@python:12345#3").id == "aces-up/russian@python:12345#3"


def test_a_stock_that_nobody_knows_gives_a_view() -> None:
    text = TABLE.replace("6S 5S 6D 8C", "?") + rest(TABLE)
    view = GAME.parse_seen(text)
    assert isinstance(view, View)
    assert (view, str(view), view.stock) == (GAME.parse(TABLE).view(), text, 4)
    assert format_cards(view.unseen) == "8C 6D 5S 6S"
    assert faults(text) == [
        "line 5, column 1: 'Stock: ?' tells no cards; expected every card, the next one first "
        "(only hidden play does without, as in `unshuffle advise`)"
    ]
    # A stock that is told stays told; whoever asks for the view sees less.
    assert GAME.parse_seen(TABLE) == GAME.parse(TABLE)
    assert GAME.parse_seen(DECK) == START
    assert GAME.parse_seen("Id: aces-up/standard@7") == GAME.deal(7)


@given(seed=deal_numbers)
def test_views_round_trip(seed: int) -> None:
    for variant in ("standard", "firing-squad", "relaxed-discards", "russian", "five-piles"):
        game = un.game("aces-up", variant)
        for state in random_line(game, seed):
            text = game.format(state, hidden=True)
            assert game.parse_seen(text).view() == state.view()
            assert ("Stock: ?" in text) == bool(state.stock)
            assert text == str(state.view())


# Faults.


def test_every_fault_is_named_with_its_place() -> None:
    text = "Pile 1: QS 1X\nPile 2: QS 6H\nPile 5: 4D\nPile 4: 5S\n7H 8H\nReserve: 9C\nStock: KC 3H\nDiscards: 2C\n"
    assert faults(text) == [
        "line 1, column 12: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        "line 2, column 9: 'QS' is on the table twice (first at line 1, column 9)",
        "line 3, column 1: there is no pile 5: the piles are 1..4",
        "line 4, column 9: 5S on pile 4 is beaten by QS on pile 1",
        "line 5, column 1: '7H': expected a label, such as 'Pile 3:'",
        "line 6, column 1: 'Reserve:': there is no cell in these rules",
        "line 7, column 1: the stock has 2 cards; deals leave 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0",
        "the line 'Pile 3:' is missing: every pile has one, with nothing behind it if it is a space",
        "AC 3C 4C 5C 6C 7C 8C TC JC QC AD 2D 3D 5D 6D 7D 8D 9D TD JD QD KD AH 2H 4H 5H 9H TH JH QH KH AS 2S 3S 4S 6S "
        "7S 8S 9S TS JS KS are nowhere, neither on the table nor among the discards",
    ]


SPACES = "Pile 1:\nPile 2:\nPile 3:\nPile 4:\n"


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("", {}, "the lines 'Pile 1:', 'Pile 2:', 'Pile 3:', 'Pile 4:' are missing"),
        ("", {}, "the line 'Stock:' is missing: the next card first, '-' for none"),
        (SPACES + "Stock: -", {"reserve": 1}, "the line 'Reserve:' is missing: the card in the cell, '-' for none"),
        (SPACES + "Reserve: AC KD\nStock: -", {"reserve": 1}, "line 5, column 1: the cell holds one card, not 2"),
        (SPACES + "Stock: 2C", {"piles": 5}, "the stock has 1 card; deals leave 52, 47, 42, 37, 32, 27"),
        (
            SPACES + "Stock: " + format_cards(PACK[:49]),
            {"deal": "spaces"},
            "the stock has 49 cards; deals leave 52, or at most 48",
        ),
        (SPACES + "Stock: 2C XX 3C 4C 5C", {}, "the stock has 5 cards"),
        (SPACES + "Foundations: AC\nStock: -", {}, "'foundations' is not a label; expected Pile n:, Reserve:, Stock:"),
        (SPACES + "Pile 1: AC\nStock: -", {}, "'Pile 1:' is there twice (first at line 1, column 1)"),
        (SPACES + "1: AC\nStock: -", {}, "'1:': expected a label, such as 'Pile 3:'"),
        (DECK + "\nStock: -", {}, "'Stock:' does not go with 'Deck:', which is a whole deal"),
    ],
)
def test_a_fault(text: str, fields: dict[str, Any], expected: str) -> None:
    assert any(expected in fault for fault in faults(text, **fields)), faults(text, **fields)


def test_a_top_card_that_should_be_gone() -> None:
    text = "Pile 1:\nPile 2: QD\nPile 3: AS KD\nPile 4: 4D\nStock: -\n"
    assert faults(text) == [
        "line 2, column 9: QD on pile 2 is beaten by KD on pile 3",
        "line 4, column 9: 4D on pile 4 is beaten by KD on pile 3",
    ]
    relaxed: State = un.game("aces-up", "relaxed-discards").parse(text)
    assert [move.token for move in relaxed.legal_moves()] == ["2x", "4x", "3-1"]
    # What is covered, or in the cell, beats nothing.
    un.game("aces-up", "firing-squad").parse("Pile 1:\nPile 2: QD\nPile 3: KD AS\nPile 4:\nReserve: AD\nStock: -\n")


def test_an_unknown_stock_needs_the_discards() -> None:
    text = "Pile 1: QS\nPile 2:\nPile 3:\nPile 4:\nStock: ?\n"
    assert faults(text, seen=True) == [
        "the line 'Discards:' is missing: with 'Stock: ?' it tells which cards are gone, '-' if none"
    ]
    assert faults(text + "Discards: 2S 3S\n", seen=True) == [
        "line 5, column 1: the stock has 49 cards; deals leave 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0"
    ]
    assert GAME.parse_seen(text + "Discards: 2S 3S 4S\n").stock == 48
    empty = "Pile 1:\nPile 2:\nPile 3:\nPile 4:\nStock: ?\nDiscards: -\n"
    assert GAME.parse_seen(empty) == START.view()
    assert str(START.view()) == empty


# Moves.


def test_moves_are_read_and_written() -> None:
    moves = (Deal(), Discard(2), ToSpace(3, 1), ToReserve(2), FromReserve(1))
    assert [move.token for move in moves] == ["d", "2x", "3-1", "2-r", "r-1"]
    assert GAME.parse_moves("D 2X, 3-1 2-R r-1") == moves
    assert tuple(map(GAME.parse_move, ("d", "2x", "3-1", "2-r", "r-1"))) == moves


@pytest.mark.parametrize("token", ["", "x", "3", "3-", "-1", "r-r", "r", "rx", "3x1", "dd", "1234-1", "²-1"])
def test_what_is_no_move(token: str) -> None:
    with pytest.raises(un.ParseError, match=r"is not a move; expected d \(deal\), 3-1"):
        GAME.parse_move(token)


# Lines of play with their discards.


def reference() -> list[dict[str, str]]:
    rows = list(csv.DictReader((DATA / "aces-up" / "classic.csv").read_text().splitlines()))
    assert len(rows) == 1560
    return rows


def decks() -> dict[str, State]:
    rows = csv.DictReader((DATA / "aces-up" / "decks.csv").read_text().splitlines())
    return {row["deck_name"]: GAME.parse(f"Deck: {row['deck']}") for row in rows}


def check_rows(rows: list[dict[str, str]]) -> None:
    """The peer's games, discard by discard."""
    starts = decks()
    for row in rows:
        line = un.replay(starts[row["deck_name"]], GAME.parse_moves(row["moves"], starts[row["deck_name"]]))
        end = line.states[-1]
        assert [move.token for move in line.moves] == [word for word in row["moves"].split() if word[-1] != "x"]
        assert (line.score, line.outcome is un.Outcome.WON) == (int(row["score"]), row["won"] == "1")
        assert "|".join(map(format_cards, end.piles)) == row["final_piles"]
        assert sum(isinstance(move, ToSpace) for move in line.moves) == int(row["tableau_moves"])


def test_games_of_the_reference() -> None:
    check_rows(reference()[::17])


@pytest.mark.long
def test_all_games_of_the_reference() -> None:
    check_rows(reference())


def test_a_log_may_write_the_discards_in_any_order_but_all_of_them() -> None:
    rng = Random(1)
    optional = un.game("aces-up", discards="optional").rules
    starts = decks()
    for row in reference()[::173]:
        start = starts[row["deck_name"]]
        line = GAME.parse_moves(row["moves"], start)
        words: list[str] = []
        state = start
        for move in line:
            words.append(move.token)
            told = State(optional, *state.before_discards(move), state.discarded)
            state = state.play(move)
            while discards := [discard for discard in told.legal_moves() if isinstance(discard, Discard)]:
                words.append(rng.choice(discards).token)
                told = told.play(GAME.parse_move(words[-1]))
        assert GAME.parse_moves(" ".join(words), start) == line
        places = [place for place, word in enumerate(words) if word[-1] == "x"]
        for place in rng.sample(places, 3):
            with pytest.raises(un.IllegalMoveError):
                GAME.parse_moves(" ".join(words[:place] + words[place + 1 :]), start)
            with pytest.raises(un.IllegalMoveError):
                GAME.parse_moves(" ".join([*words[: place + 1], "1x", "2x", "3x", "4x", *words[place + 1 :]]), start)


@pytest.mark.parametrize(
    ("log", "token", "reason"),
    [
        ("d 4x d 1x", "1x", "JS goes first (QS), but '2x' is not written"),
        ("d 4x d 1x d", "d", "JS goes first (QS), but '2x' is not written"),
        ("d 4x d 2x 1x", "2x", "JS stays: no other pile shows a higher card of spades"),
        ("d d 1x 2x", "d", "4D goes first (QD), but '4x' is not written"),
        ("d 4x 3x", "3x", "4H stays: no other pile shows a higher card of hearts"),
        ("d 3x 4x", "3x", "4H stays: no other pile shows a higher card of hearts"),
        ("4x d", "4x", "pile 4 is empty"),
        ("d 4x 4x", "4x", "pile 4 is empty"),
        ("d 4x 1-4", "1-4", "QS is the only card of pile 1: it stays in these rules"),
    ],
)
def test_a_log_with_a_wrong_discard_is_illegal(log: str, token: str, reason: str) -> None:
    with pytest.raises(un.IllegalMoveError) as caught:
        GAME.parse_moves(log, START)
    assert (caught.value.token, caught.value.reason) == (token, reason)
    # The position is the table as far as the log tells it.
    assert un.game("aces-up", discards="optional").parse(caught.value.position)


def test_a_line_without_discards_needs_none() -> None:
    assert GAME.parse_moves("d 4x d 1x 2x", START) == GAME.parse_moves("d d", START) == (Deal(), Deal())
    optional = un.game("aces-up", discards="optional")
    line = optional.parse_moves("d 4x d 1x", optional.parse(DECK))
    assert line == (Deal(), Discard(4), Deal(), Discard(1))
    with pytest.raises(un.IllegalMoveError, match="in these rules discards are no moves"):
        START.play(Deal()).play(Discard(4))


# Words.


def words(state: State | View, move: Any) -> str:
    described = GAME.describe(state, move)
    return f"{described.kind}: {described.text}"


def test_moves_in_words() -> None:
    assert words(START, Deal()) == "Deal: deal QS QD 4H 4D; 4D goes (QD)"
    state = START.play(Deal())
    assert words(state, Deal()) == "Deal: deal 5H JS TH 6C; 5H goes (TH), JS goes (QS)"
    table = GAME.parse("Pile 1: KS 2H\nPile 2: QD\nPile 3: 2C AS\nPile 4:\nStock: -\n")
    assert words(table, ToSpace(3, 4)) == "Tableau move: AS from pile 3 to space 4"
    table = GAME.parse("Pile 1: QC\nPile 2: QD\nPile 3: KS 2C AS\nPile 4:\nStock: -\n")
    assert words(table, ToSpace(3, 4)) == "Tableau move: AS from pile 3 to space 4; 2C goes (QC), KS goes (AS)"


def test_optional_discards_and_the_cell_in_words() -> None:
    relaxed = un.game("aces-up", "relaxed-discards").parse(DECK)
    assert words(relaxed, Deal()) == "Deal: deal QS QD 4H 4D"
    assert words(relaxed.play(Deal()), Discard(4)) == "Discard: 4D goes (QD)"
    squad = un.game("aces-up", "firing-squad")
    state = squad.parse("Pile 1: KC 2H\nPile 2: QD\nPile 3: 4S\nPile 4: 3C\nReserve: -\nStock: -\n")
    assert words(state, ToReserve(1)) == "Reserve move: 2H from pile 1 to the cell; 3C goes (KC)"
    held = squad.parse("Pile 1: KC\nPile 2: QD\nPile 3: 4S\nPile 4:\nReserve: AD\nStock: -\n")
    assert words(held, FromReserve(4)) == "Reserve move: AD from the cell to space 4; QD goes (AD)"


def test_a_view_in_words_tells_no_hidden_card() -> None:
    view = START.view()
    assert words(view, Deal()) == "Deal: deal 4 cards"
    assert words(view, Shown(Deal(), START.stock[:4])) == words(START, Deal())
    assert "Stock: 52" in GAME.picture(view)
    table = GAME.parse("Pile 1: QC\nPile 2: QD\nPile 3: KS 2C AS\nPile 4:\nStock: 5C 6C 7C 8C\n")
    assert words(table.view(), ToSpace(3, 4)) == words(table, ToSpace(3, 4))
    assert words(un.game("aces-up", "russian").parse(str(table)).view(), Deal()) == "Deal: deal 1 card"


def test_the_table_for_people() -> None:
    state = un.game("aces-up", "firing-squad").parse(TABLE.replace("Stock", "Reserve: AH\nStock"))
    assert GAME.picture(state) == (
        " 1: Q♠ 6♥\n 2: Q♦ K♠\n 3: -\n 4: J♣ 3♣\nCell: A♥\nStock (4): 6♠ 5♠ 6♦ 8♣\n"
        "Discards (41): ♣ 2 4 5 6 7 9 T Q K A  ♦ 2 3 4 5 7 8 9 T J K A  ♥ 2 3 4 5 7 8 9 T J Q K  ♠ 2 3 4 7 8 9 T J A"
    )
    assert "Stock (52): Q♠ Q♦ 4♥ 4♦ | 5♥ J♠ T♥ 6♣ |" in GAME.picture(START)
    assert GAME.picture(START).endswith("Discards (0): -")
