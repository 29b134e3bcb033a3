"""A game that supplies rules and places gets its text, its faults, pictures, gestures and hidden views from them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import unshuffle as un
from tests.ladder import Ladder
from tests.laws import hold, random_line
from tests.passes import Passes
from tests.stairs import STAIRS
from tests.web import test_pictures as page_laws
from unshuffle import registry
from unshuffle.cards import Card, format_cards
from unshuffle.game import Description
from unshuffle.laws import LAWS, Law
from unshuffle.places import Where
from unshuffle.places.gestures import Gesture, tell_gesture
from unshuffle.places.text import entry_words
from unshuffle.play.table import seen
from unshuffle.views import OpenView, SeenTable, Shown
from unshuffle.web.pictures import paint

GAMES = [Ladder(), Ladder("open"), Ladder(piles=2, down=4)]
GAME = GAMES[0]
PASSES = [Passes(), Passes("two-packs")]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ladder is a registered game in these tests, and in no others."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    registry.register(Ladder)
    registry.register(Passes)


@pytest.mark.parametrize("game", [*GAMES, *PASSES], ids=str)
@pytest.mark.parametrize(
    "page_law",
    [
        page_laws.test_every_move_has_a_gesture_of_its_own,
        page_laws.test_a_picture_shows_exactly_what_is_seen,
        page_laws.test_nothing_that_is_hidden_is_told,
    ],
    ids=lambda law: law.__name__,
)
def test_the_laws_of_pages_hold(page_law: Any, game: un.Game[Any, Any]) -> None:
    if game in PASSES and page_law is page_laws.test_nothing_that_is_hidden_is_told:
        pytest.skip("a text that tells every card does not say which were seen")
    for seed in range(3):
        page_law.hypothesis.inner_test(game=game, seed=seed)


@pytest.mark.parametrize("game", [*GAMES, *PASSES], ids=str)
@pytest.mark.parametrize("law", [law for law in LAWS if not law.asks_engine], ids=lambda law: law.name)
def test_the_laws_hold(law: Law, game: un.Game[Any, Any]) -> None:
    if game in PASSES and law.name == "layouts":
        pytest.skip("a text that tells every card does not say which were seen")
    for seed in range(4 if law.concerns(game) else 0):
        hold(law, game, seed)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_text_round_trips(game: Ladder) -> None:
    for state in random_line(game, 7, at_most=60):
        assert game.parse(str(state)) == state
        hidden = game.format(state, hidden=True)
        assert game.parse_seen(hidden).view() == game.parse_seen(str(state)).view() == state.view()
        assert game.format(game.parse_seen(hidden)) == hidden


@pytest.mark.parametrize("game", PASSES, ids=str)
def test_backs_are_drawn_where_cards_lie_face_down_and_sampled_where_nobody_knows_them(game: Passes) -> None:
    """Laws: the backs of a picture are `down`; the faces that are told and the unknown cards make up the pack."""
    known_backs = known_stocks = 0
    for seed in range(4):
        for state in random_line(game, seed, at_most=60):
            board, view = game.board(state), state.view()
            masked = game.board_of(seen(state))
            assert masked.down == board.down == {"stock": (len(state.stock),), "piles": state.down}
            drawn = page_laws.places(paint(game, seen(state)))
            for number, down in enumerate(state.down, 1):
                faces = [card.face for card in drawn[f"pile-{number}"].cards]
                assert [face is None for face in faces] == [True] * down + [False] * (len(faces) - down)
            unseen = tuple(getattr(view, "unseen", ()))
            assert sorted([*masked.cards(), *unseen]) == sorted(game.pack)
            if not isinstance(view, SeenTable):
                continue
            known_backs += sum(view.down) < sum(state.down)
            known_stocks += bool(state.stock) and state.turn > 1
            text = game.format(state, hidden=True)
            assert text.count("##") == sum(state.unknown)
            again = game.parse_seen(text)
            assert again == view
            assert game.format(again) == text
            assert hash(again) == hash(view)
    assert known_backs
    assert known_stocks


def test_a_known_back_is_written_in_brackets_and_a_known_stock_by_its_cards() -> None:
    text = "1: [## 9C] 4C\n2: [##] 5C\n3:\nWaste: 8C\nStock: 2C 3C\nGone: AC 6C 7C TC JC\nTurn: 2\n"
    view = PASSES[0].parse_seen(text)
    assert list(map(str, view.unseen)) == ["QC", "KC"]
    assert view.down == (1, 1, 0)
    assert str(view) == text.replace("3:\n", "3: -\n")
    first = text.replace("Turn: 2\n", "").replace("Stock: 2C 3C", "Stock: 2")
    assert "Stock: 2\n" in str(PASSES[0].parse_seen(first))
    with pytest.raises(un.InvalidDealError, match="6 cards are unseen, but 4 are neither"):
        PASSES[0].parse_seen(text.replace("Stock: 2C 3C", "Stock: 4"))


def test_with_two_packs_a_third_card_is_one_too_many() -> None:
    text = "1: 4C\n2: 4C 5C\n3:\nWaste: 8C\nStock: 4C\nGone: -\n"
    with pytest.raises(un.InvalidDealError) as caught:
        PASSES[1].parse(text)
    faults = list(map(str, caught.value.faults))
    assert faults[0] == "line 5, column 8: '4C' is on the table 3 times (first at line 1, column 4)"
    assert faults[1].startswith("AC AC 2C 2C 3C 3C 5C 6C 6C")


def test_what_cannot_come_to_light_is_refused() -> None:
    view = GAME.deal(7).view()
    assert isinstance(view, SeenTable)
    deal = GAME.parse_move("d")
    seen = next(card for pile in view.piles for card in pile if card is not None)
    first, *rest = view.unseen
    for cards, reason in (
        ((first,), "it turns up 4 cards, and 1 is told"),
        ((first, first, *rest[:2]), "a card is told twice"),
        ((seen, *rest[:3]), f"{seen.glyph} is seen already"),
    ):
        with pytest.raises(un.IllegalMoveError, match=reason.replace("$", r"\$")):
            view.play(Shown(deal, cards))


def test_pictures() -> None:
    state = GAME.deal(7)
    for token in ("d", "1-c1"):
        state = state.play(GAME.parse_move(token))
    lines = GAME.picture(state).splitlines()
    assert lines[0].startswith("Cells: ")
    assert lines[1].startswith(" 1: [")
    assert lines[-1].startswith("Stock (36): ")
    assert lines[-1].count("|") == 8
    assert GAME.picture(state.view()).splitlines()[-1] == "Stock: 36"
    assert GAME.settled(state) == ()
    page = page_laws.places(paint(GAME, state))
    assert [page[f"foundation-{suit}"].hint for suit in "CDHS"] == ["♣", "♦", "♥", "♠"]
    assert page["cell-1"].hint == ""


def test_a_move_has_words_by_its_gesture() -> None:
    """What it turns up is named by who knows the cards, or is told them."""
    text = "Foundations: - - - -\nCells: - 2C\n1: [5H 9S] AH\n2: [8D] 7C\n3: 6C\n4: KD\n"
    seen_cards = re.findall(r"[2-9AK][CDHS]", text)
    rest = format_cards(card for card in GAME.pack if str(card) not in seen_cards)
    state = GAME.parse(f"{text}Stock: {rest}\n")
    view: Any = state.view()
    nine, *row = Card.parse("9S"), *state.stock[:4]

    def words(table: Any, token: str, *cards: Card) -> str:
        move: Any = GAME.parse_move(token)
        shown: Any = Shown(move, cards) if cards else move
        told = GAME.describe(table, shown)
        return f"{told.kind}: {told.text}"

    for table in (state, view, OpenView(state)):
        assert words(table, "3-c1") == "Move: 6♣ from Pile 3 to Cell 1"
        assert words(table, "d") == "Deal: Deal 4 cards from Stock"
    up = "Move: A♥ from Pile 1 to Foundation of hearts; turns up"
    assert (words(state, "1f"), words(view, "1f"), words(view, "1f", nine)) == (f"{up} 9♠", f"{up} a card", f"{up} 9♠")
    assert words(view, "d", *row) == f"Deal: Deal 4 cards from Stock: {' '.join(card.glyph for card in row)}"
    turn = PASSES[0].parse("1: [9C] 4C\n2: -\n3: -\nWaste: 2C 3C\nGone: AC 5C 6C 7C 8C TC JC QC KC\nStock: -\n")
    assert PASSES[0].describe(turn, PASSES[0].parse_move("t")) == Description("Redeal", "2 cards back to Stock")


def test_several_cards_are_counted_and_a_move_without_a_gesture_keeps_its_token() -> None:
    fans = un.game("belle-lucie")
    before = fans.board(fans.deal(7))
    fan = before.piles["fans"][0]
    after = replace(before, piles={**before.piles, "fans": (fan[:1], fan[1:])})
    gesture = Gesture(Where("fans", 0), 1, 2, Where("fans", 1))
    assert tell_gesture(gesture, before, after) == ("Move", "2 cards from Fan 1 to Fan 2")
    stairs = STAIRS["stairs-3"]
    assert stairs.describe(stairs.parse("KC 3"), stairs.parse_move("up")) == Description("Move", "up")


def test_how_a_table_is_typed_follows_from_the_places() -> None:
    golf = un.game("golf")
    rows = "A line for each pile ('1:' and so on, bottom card first, face-down cards in brackets)"
    stock, last = "'Stock:' (next card first)", "'-' is an empty place."
    assert GAME.how_typed == (
        f"'Foundations:' (top cards in the order C D H S), 'Cells:', a{rows[1:]}, {stock}; {last}"
    )
    assert PASSES[0].how_typed == f"{rows}, 'Waste:', {stock}, 'Gone:', 'Turn:'; {last}"
    assert golf.how_typed.startswith("A line for each pile (bottom card first), 'Waste:'")
    fans, piles = un.game("belle-lucie"), un.game("aces-up")
    assert fans.places is not None
    assert piles.places is not None
    assert fans.how_typed == fans.entry_help  # words of its own come first
    assert "'Foundations:' (top cards in the order C D H S; may be left out)" in entry_words(fans.places)
    assert entry_words(piles.places).startswith("A line for each pile ('Pile 1:' and so on, bottom card first)")
    assert STAIRS["stairs-3"].how_typed == "One pile of cards per line, the card that can be played last."


def test_where_cards_are_unknown_the_foundations_are_written() -> None:
    """Nothing follows from the absence of a card that may lie face down."""
    state = GAME.deal(7)
    assert "Foundations:" not in str(state)
    hidden = GAME.format(state, hidden=True)
    assert hidden.splitlines()[0] == "Foundations: - - - -"
    with pytest.raises(un.InvalidDealError) as caught:
        GAME.parse(hidden)
    assert "expected every card (only hidden play does without" in str(caught.value)
    with pytest.raises(
        un.InvalidDealError, match="48 cards are unseen, but 47 are neither on the table nor on a found"
    ):
        GAME.parse_seen(hidden.replace("- - - -", "AC - - -"))


def test_every_fault_of_a_text_is_named() -> None:
    text = """\
Foundations: AC 2C
Cells: 5H 5H 6H
1: [2C 3C] 4C
2: [7H
3: ] 8H []
9: 9H
4:
Stock: 1X KS
Waste: 2H
"""
    with pytest.raises(un.InvalidDealError) as caught:
        GAME.parse(text)
    assert list(map(str, caught.value.faults)) == [
        "line 1, column 1: the foundation of diamonds is not listed, but the piles leave KD on top",
        "line 1, column 1: the foundation of hearts is not listed, but the piles leave 4H on top",
        "line 1, column 1: the foundation of spades is not listed, but the piles leave QS on top",
        "line 1, column 17: '2C' is a second foundation of clubs",
        "line 2, column 1: the cells hold 2 cards, not 3",
        "line 2, column 11: '5H' is on the table twice (first at line 2, column 8)",
        "line 4, column 1: pile 2 has only face-down cards: its top card is face up",
        "line 4, column 4: '[' is never closed",
        "line 5, column 4: ']' closes nothing",
        "line 5, column 9: '[': the face-down cards of a pile lie together at its bottom",
        "line 5, column 9: the brackets are empty",
        "line 6, column 1: there is no pile '9': the piles are 1..4",
        "line 8, column 8: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        "line 9, column 1: 'waste' is not a label; expected Foundations:, Cells:, Stock:, Deck:, Id: or cards",
        "clubs: 5C 6C 7C 8C 9C TC JC QC KC are nowhere, but 2C is in pile 1",
        "hearts: TH JH QH KH are nowhere, but 5H is in a cell",
    ]


def test_a_deck_takes_no_other_line() -> None:
    deck = " ".join(map(str, GAME.pack))
    with pytest.raises(un.InvalidDealError, match="'Cells:' does not go with 'Deck:', which is a whole deal"):
        GAME.parse(f"Deck: {deck}\nCells: -")


def test_a_game_that_says_neither_places_nor_how_it_is_read_is_told_so() -> None:
    class Bare(Ladder):
        places = None  # type: ignore[assignment]

    with pytest.raises(NotImplementedError, match="supplies neither `places` nor `read`"):
        Bare().parse("1: 5H")


def test_a_row_for_each_place_and_none_for_the_last_that_are_empty() -> None:
    golf = un.game("golf")
    text = "2H\n-\n3H 4H\nWaste: " + format_cards(c for c in golf.pack if str(c) not in ("2H", "3H", "4H")) + "\n"
    state = golf.parse(text)
    assert [format_cards(column) for column in state.columns] == ["2H", "", "3H 4H", "", "", "", ""]
    assert golf.parse(str(state)) == state
    with pytest.raises(un.InvalidDealError, match="line 8, column 1: there are 7 columns, not 8"):
        golf.parse("2H\n-\n3H\n4H\n5H\n6H\n7H\n8H\n" + text.partition("\n3H")[2])
