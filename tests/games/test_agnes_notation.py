"""Agnes Sorel as text and in words."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.games.test_agnes_rules import DECK
from tests.laws import DATA, deal_numbers, random_line
from unshuffle.cards import format_cards
from unshuffle.games.agnes import Deal, ToFoundation, ToPile

GAME = un.game("agnes")
FOLDER = DATA / "agnes"
LAYOUT = """\
Base: 7
Foundations: - - 7S -
1: QS
2: [AC] 7H
3: [5H 3S] 9H
4: [6H QH 3H] 2D
5: [4C 2H TD KH] 9C
6: [5D JH QC 5S 2C] JD
7: [TC 5C 6S TS 2S AS] 8H
Stock: JS 9D KD 4S 6D 6C 8D 4D QD KC 8S 7C 3D 9S TH AD 8C AH 4H JC KS 7D 3C
"""


def faults(text: str, variant: str = "down-color-none") -> list[str]:
    with pytest.raises(un.InvalidDealError) as caught:
        un.game("agnes", variant).parse(text)
    return [str(fault) for fault in caught.value.faults]


def test_the_golden_layout() -> None:
    state = GAME.parse(DECK)
    assert str(state) == GAME.format(state) == LAYOUT
    assert GAME.parse(LAYOUT) == state
    assert str(un.game("agnes", "up-suit-none").parse(DECK)) == LAYOUT.replace("[", "").replace("]", "")


def test_lines_may_come_in_any_order_with_comments_and_blanks_between() -> None:
    lines = ["# a comment", "", *reversed(LAYOUT.splitlines()), "   ", "# the end"]
    assert GAME.parse("\n".join(lines)) == GAME.parse(LAYOUT)
    assert GAME.parse(" / ".join(LAYOUT.splitlines())) == GAME.parse(LAYOUT)
    spelled = LAYOUT.replace("[", "[ ").replace("]", " ]").replace("TD", "10♦").replace("Base: 7", "base: 7  # seven")
    assert GAME.parse(spelled.lower()) == GAME.parse(LAYOUT)
    assert GAME.parse(LAYOUT.replace("JS 9D KD", "JS9DKD")) == GAME.parse(LAYOUT)


def test_the_won_position_can_be_written_and_read() -> None:
    text = "Base: 7\nFoundations: 6C 6D 6S 6H\n" + "".join(f"{number}: -\n" for number in range(1, 8)) + "Stock: -\n"
    state = GAME.parse(text)
    assert (state.outcome, state.score, str(state)) == (un.Outcome.WON, 52, text)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "1: QS",
            "1: QX",
            [
                "line 3, column 4: 'QX' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
                "QS is nowhere, neither on the table nor on a foundation",
            ],
        ),
        (
            "1: QS",
            "1: KS",
            [
                "line 10, column 68: 'KS' is on the table twice (first at line 3, column 4)",
                "QS is nowhere, neither on the table nor on a foundation",
            ],
        ),
        ("1: QS", "1: QS 7S", ["line 3, column 7: '7S' is on the table, but the foundation of spades holds it too"]),
        (
            "1: QS",
            "1: [QS]",
            [
                "line 3, column 1: pile 1 has only face-down cards: its top card is face up",
                "line 3, column 1: pile 1 has 1 face-down card; it is dealt with 0",
            ],
        ),
        (
            "1: QS\n2: [AC] 7H",
            "1: -\n2: [AC QS] 7H",
            ["line 4, column 1: pile 2 has 2 face-down cards; it is dealt with 1"],
        ),
        (
            "1: QS\n",
            "",
            ["the line '1:' is missing: every pile has one", "QS is nowhere, neither on the table nor on a foundation"],
        ),
        (
            "1: QS",
            "1:",
            [
                "line 3, column 1: pile 1 has no cards; '-' says that it is empty",
                "QS is nowhere, neither on the table nor on a foundation",
            ],
        ),
        (
            "1: QS",
            "QS",
            [
                "line 3, column 1: 'QS': expected a label, such as '3:' for pile 3",
                "the line '1:' is missing: every pile has one",
            ],
        ),
        (
            "1: QS",
            "8: QS",
            [
                "line 3, column 1: there is no pile '8': the piles are 1..7",
                "the line '1:' is missing: every pile has one",
            ],
        ),
        (
            "1: QS",
            "2: QS",
            [
                "line 4, column 1: pile 2 is there twice (first at line 3, column 1)",
                "the line '1:' is missing: every pile has one",
            ],
        ),
        (
            "[5H 3S] 9H",
            "5H [3S] 9H",
            ["line 5, column 7: '[': the face-down cards of a pile lie together at its bottom"],
        ),
        (
            "[5H 3S] 9H",
            "[5H] [3S] 9H",
            ["line 5, column 9: '[': the face-down cards of a pile lie together at its bottom"],
        ),
        ("[5H 3S] 9H", "5H 3S] 9H", ["line 5, column 9: ']' closes nothing"]),
        ("[5H 3S] 9H", "[] 5H 3S 9H", ["line 5, column 4: the brackets are empty"]),
        (
            "3C\n",
            "\n",
            [
                "line 10, column 1: the stock has 22 cards; it can have 23, 16, 9, 2, 0",
                "3C is nowhere, neither on the table nor on a foundation",
            ],
        ),
        ("Base: 7\n", "", ["the line 'Base:' is missing"]),
        ("Base: 7", "Base: 7S", ["line 1, column 1: '7S' is not a base; expected one rank: A 2 3 4 5 6 7 8 9 T J Q K"]),
        ("Base: 7", "Base: 7\nBase: 8", ["line 2, column 1: 'Base:' is there twice (first at line 1, column 1)"]),
        ("Foundations: - - 7S -\n", "", ["the line 'Foundations:' is missing"]),
        (
            "- - 7S -",
            "- 7S - -",
            [
                "line 2, column 16: '7S' stands in the place of diamonds; the order is C D S H, '-' for none",
                "7S is nowhere, neither on the table nor on a foundation",
            ],
        ),
        (
            "- - 7S -",
            "7S",
            [
                "line 2, column 1: the foundations have 1 entries; expected 4: "
                "the top cards in the order C D S H, '-' for none"
            ],
        ),
        (
            "- - 7S -",
            "- - - -",
            [
                "line 2, column 1: no card is up, but the base card goes to its foundation at once",
                "7S is nowhere, neither on the table nor on a foundation",
            ],
        ),
        (
            "Stock: ",
            "Stack: ",
            ["line 10, column 1: 'stack' is not a label; expected Base:, Foundations:, Stock:, Deck:, Id: or cards"],
        ),
    ],
)
def test_every_fault_is_named_with_its_place(old: str, new: str, expected: list[str]) -> None:
    assert old in LAYOUT
    found = faults(LAYOUT.replace(old, new, 1))
    assert found[: len(expected)] == expected
    if "Stack" not in new:
        assert found == expected


def test_all_faults_come_at_once() -> None:
    text = (
        LAYOUT.replace("Base: 7", "Base: X")
        .replace("1: QS", "1: QS QS")
        .replace("[AC] 7H", "[AC 7H")
        .replace("JS 9D ", "")
    )
    assert [fault.partition(": ")[0] for fault in faults(text)] == [
        "line 1, column 1",
        "line 3, column 7",
        "line 4, column 1",
        "line 4, column 1",
        "line 4, column 4",
        "line 10, column 1",
    ]


def test_brackets_are_refused_in_an_up_game() -> None:
    text = LAYOUT.replace("[", "").replace("]", "").replace("2: AC", "2: [AC]")
    assert faults(text, "up-color-none") == ["line 4, column 1: brackets: no card lies face down in these rules"]


def test_a_shrunken_pack_has_only_its_ranks() -> None:
    text = "Base: A / Foundations: 4C 5D 5S 5H / 1: 6C / 2: - / 3: - / Stock: -"
    assert faults(text, "up-color-none+ranks=5+piles=3") == [
        "line 1, column 41: '6C' does not belong to this pack",
        "5C is nowhere, neither on the table nor on a foundation",
    ]


def test_a_deck_and_a_layout_do_not_go_together() -> None:
    assert faults(DECK + "\nBase: 7\n") == ["line 3, column 1: 'Base:' does not go with 'Deck:', which is a whole deal"]


# Deck files of quagnes.

QUAGNES = (FOLDER / "quagnes-deck.txt").read_text()


def test_a_deck_file_of_quagnes_is_the_deal_that_it_was_exported_from() -> None:
    assert GAME.parse(QUAGNES) == GAME.deal("python:12345")
    assert GAME.parse("# the first deck\n\n" + QUAGNES.replace("\n", "\r\n")) == GAME.deal("python:12345")
    assert GAME.parse(QUAGNES).id is None


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "(11, 2)",
            "(11  2)",
            [
                "line 2, column 1: '(11  2)' is not a card of a quagnes deck; expected (rank, suit) with a rank "
                "0..12 and a suit 0..3",
                "the deck has 51 cards, expected 52; missing: QS",
            ],
        ),
        (
            "(11, 2)",
            "(13, 2)",
            [
                "line 2, column 1: '(13, 2)' is not a card of a quagnes deck; expected (rank, suit) with a rank "
                "0..12 and a suit 0..3",
                "the deck has 51 cards, expected 52; missing: QS",
            ],
        ),
        (
            "(11, 2)",
            "( 6, 2)",
            [
                "line 2, column 1: '7S' is in the deck twice (first at line 1, column 1)",
                "the deck has 52 cards, expected 52; missing: QS",
            ],
        ),
        ("(11, 2)\n", "", ["the deck has 51 cards, expected 52; missing: QS"]),
        (
            "(11, 2)",
            "QS",
            [
                "line 2, column 1: 'QS' is not a card of a quagnes deck; expected (rank, suit) with a rank "
                "0..12 and a suit 0..3",
                "the deck has 51 cards, expected 52; missing: QS",
            ],
        ),
        (
            "(11, 2)",
            "(11, 2",
            [
                "line 2, column 1: '(11, 2' is not a card of a quagnes deck; expected (rank, suit) with a rank "
                "0..12 and a suit 0..3",
                "the deck has 51 cards, expected 52; missing: QS",
            ],
        ),
    ],
)
def test_every_fault_of_a_deck_file_is_named_with_its_line(old: str, new: str, expected: list[str]) -> None:
    assert faults(QUAGNES.replace(old, new, 1)) == expected


def test_a_short_and_a_double_deck_are_refused() -> None:
    assert faults("( 6, 2)\n") == [
        f"the deck has 1 card, expected 52; missing: {format_cards(GAME.pack).replace('7S ', '')}"
    ]
    assert len(faults(QUAGNES * 2)) == 52
    assert "longer than" in faults("(" + "( 6, 2)\n" * 20_000)[0]
    # Remarks do not count: a history may have as many as it has moves.
    assert faults("# # \n" * 50_000 + "(")[0].startswith("line 50001, column 1: ")


# The generator of the peer.


@pytest.mark.parametrize("name", ["peer.csv", "exhaustive.csv"])
def test_decks_of_the_reference_are_those_of_the_python_stream(name: str) -> None:
    with (FOLDER / name).open() as file:
        decks = {int(row["deck_id"]): row["deck"] for row in csv.DictReader(file)}
    stream = GAME.decks(12345, "python")
    for number in range(1, 40):
        deck = format_cards(next(stream))
        assert decks.get(number, deck) == deck
    assert {1, 3, 5} <= decks.keys()
    number = max(decks)
    assert GAME.deal(f"python:12345#{number}") == GAME.parse(f"Deck: {decks[number]}")
    assert format_cards(GAME.deck(un.Source(12345, "python", number))) == decks[number]


def test_a_shrunken_pack_is_ordered_alike() -> None:
    import random

    cards = [f"{rank}{suit}" for rank in "A234" for suit in "CDSH"]
    random.Random(5).shuffle(cards)
    game = un.game("agnes", ranks=4, piles=3)
    assert format_cards(game.deck(un.Source(5, "python"))) == " ".join(reversed(cards))
    assert game.deal("python:5").base == "A234".index(cards[-1][0]) + 1


# Moves.


@pytest.mark.parametrize(
    ("token", "move"),
    [
        ("d", Deal()),
        ("D", Deal()),
        ("3f", ToFoundation(3)),
        ("3F", ToFoundation(3)),
        ("3-5", ToPile(3, 5)),
        ("3-5x1", ToPile(3, 5)),
        ("3-5X4", ToPile(3, 5, 4)),
    ],
)
def test_moves_are_read_in_all_their_spellings(token: str, move: un.Move) -> None:
    assert GAME.parse_move(token) == move
    assert GAME.parse_move(move.token) == move
    assert "x1" not in move.token


@pytest.mark.parametrize(
    "token", ["", "f", "3", "3-", "-5", "3-5x", "3f5", "3-5x4x4", "dd", "3>5", "QS^", "3 f", "3333f", "٣f"]
)
def test_what_is_no_move_is_refused_with_what_was_expected(token: str) -> None:
    with pytest.raises(un.ParseError, match=r"is not a move; expected d \(deal\)"):
        GAME.parse_move(token)


# Words.


@pytest.mark.parametrize(
    ("moves", "kind", "words"),
    [
        ("d", "Deal", "Deal 7 cards."),
        ("d d d d", "Deal", "Deal 2 cards."),
        ("2f", "Foundation move", "Play 7♥ from pile 2 to the foundation; turns up A♣."),
        ("7-3", "Tableau move", "Move 8♥ from pile 7 onto 9♥ on pile 3; turns up A♠."),
        ("2-7", "Tableau move", "Move 7♥ from pile 2 onto 8♥ on pile 7; turns up A♣."),
        ("2f 7f", "Foundation move", "Play 8♥ from pile 7 to the foundation; turns up A♠."),
    ],
)
def test_moves_in_words(moves: str, kind: str, words: str) -> None:
    state = GAME.parse(DECK)
    *before, last = GAME.parse_moves(moves)
    for move in before:
        state = state.play(move)
    description = GAME.describe(state, last)
    assert (description.kind, description.text) == (kind, words)


def test_a_unit_in_words() -> None:
    game = un.game("agnes", "up-suit-anyrun", ranks=5, piles=3)
    state = game.parse("Base: A / Foundations: 2C 5D 2S 5H / 1: 5C 4C 3C / 2: 5S 4S 3S / 3: - / Stock: -")
    assert game.describe(state, ToPile(1, 3, 3)).text == "Move 5♣ 4♣ 3♣ from pile 1 to empty pile 3."
    one = game.parse("Base: A / Foundations: 3C 5D 5S 5H / 1: 5C / 2: - / 3: - / Stock: 4C")
    assert game.describe(one, Deal()).text == "Deal 1 card."


def test_a_picture_tells_face_down_cards_and_the_deals_to_come() -> None:
    rows = GAME.picture(GAME.parse(DECK)).splitlines()
    assert rows[0] == "Base: 7   Foundations: -♣  -♦  7♠  -♥"
    assert rows[3] == " 3: [5♥ 3♠] 9♥"
    assert rows[-1].startswith("Stock (23): J♠ 9♦ K♦ 4♠ 6♦ 6♣ 8♦ | 4♦ Q♦")


@given(seed=deal_numbers, data=st.data())
def test_a_layout_with_one_card_changed_is_refused(seed: int, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(list(random_line(GAME, seed))))
    lines = str(state).splitlines()
    cards = [card for pile in (*state.piles, state.stock) for card in pile]
    gone = str(data.draw(st.sampled_from(cards)))
    other = str(data.draw(st.sampled_from([card for card in GAME.pack if str(card) != gone])))
    text = "\n".join(line.replace(gone, other) if not line.startswith("Foundations") else line for line in lines)
    found = faults(text)
    assert any(other in fault for fault in found)
    assert any(gone in fault for fault in found)
