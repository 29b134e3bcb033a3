"""Laws of places: a board says the whole table and no more, hides what a player does not see, and tells gestures."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import deal_numbers, every_game, for_each, random_line
from unshuffle.cards import Card
from unshuffle.places import Area, Board, Places, Where
from unshuffle.places.gestures import Gesture, find_gesture
from unshuffle.play.table import seen
from unshuffle.views import HiddenView, Shown

pytestmark = pytest.mark.engine_free

Game = un.Game[Any, Any]
PLACED = [game for game in every_game() if game.places is not None]
HIDING = [game for game in PLACED if isinstance(game.deal(0).view(), HiddenView)]
_LONGEST = 60
"""Moves of a line in the law of views."""


@pytest.mark.parametrize("game", PLACED, ids=str)
@given(seed=deal_numbers)
@for_each
def test_a_board_says_the_whole_table(game: Game, seed: int) -> None:
    """Law: the state of a state's board is the state; and its cards are those of the pack, whatever was played."""
    places = game.places
    assert places is not None
    for state in random_line(game, seed):
        board = game.board(state)
        assert board.places is places
        assert board.piles.keys() == {area.name for area in places.areas}
        assert all(len(board.piles[area.name]) == area.count for area in places.areas if area.count is not None)
        assert board.marks.keys() == {mark.name for mark in places.marks}
        assert game.state_of(board) == state
        assert Counter(board.cards()) == Counter(places.pack)


@pytest.mark.parametrize("game", PLACED, ids=str)
@given(seed=deal_numbers)
@for_each
def test_the_mask_of_a_board_is_the_view(game: Game, seed: int) -> None:
    """Law: what is left of a board without the unknown cards is the board of the view, and any cards fill it again."""
    for state in random_line(game, seed):
        whole, view = game.board(state), state.view()
        masked = whole.seen()
        assert masked == replace(game.board_of(seen(state)), is_seen=True)
        assert masked.unseen() == tuple(getattr(view, "unseen", ()))
        cards = list(masked.unseen())
        Random(seed).shuffle(cards)
        filled = masked.filled(cards)
        assert filled.seen() == masked
        assert Counter(filled.cards()) == Counter(whole.cards())
        if hasattr(view, "laid"):
            assert game.state_of(filled) == view.laid(cards)


@pytest.mark.parametrize("game", PLACED, ids=str)
@given(seed=deal_numbers)
@for_each
def test_a_declared_gesture_is_the_one_that_the_boards_tell(game: Game, seed: int) -> None:
    """Law: wherever the boards before and after a move tell a gesture, it is the one that the game says.

    A card that is discarded as soon as it has moved has gone to the discards by the boards.
    """
    for state in random_line(game, seed):
        for move in state.legal_moves():
            told = find_gesture(game.board(state), game.board(state.play(move)))
            declared = game.gesture(state, move)
            assert declared is not None
            assert game.gesture(seen(state), move) == declared
            if told is not None and told.target is not None and told.target.area == "discards":
                declared = replace(declared, target=told.target)
            assert told in (None, declared), move.token


@pytest.mark.parametrize("game", HIDING, ids=str)
@given(seed=deal_numbers)
@for_each
def test_deals_that_look_alike_to_date_have_equal_views(game: Game, seed: int) -> None:
    """Law: told what comes to light, a view is played on as its state is; what did not come to light is not in it.

    Hidden cards are told apart by where they lie at the start, never by what they are: with two packs one of two equal
    cards may have been seen.
    """
    rng, state = Random(seed), game.deal(seed)
    start = view = state.view()
    board = game.board(state)
    order = [
        card
        for name in board.places.filling
        for pile, count in zip(board.piles[name], board.hidden.get(name, ()), strict=False)
        for card in pile[:count]
        if card is not None
    ]
    assert start.laid(order) == state
    line, told, dealt = list[Any](), set[int](), sum(start.down)
    table = state
    while len(line) < _LONGEST and isinstance(view, HiddenView) and (moves := view.legal_moves()):
        move = rng.choice(moves)
        count = view.dealt_by(move)
        row = tuple(order[dealt : dealt + count])
        turned = view.turns(Shown(move, row))
        lay = [sum(start.down[: number - 1]) + view.down[number - 1] - 1 for number in turned]
        cards = (*row, *(order[place] for place in lay))
        shown = Shown(move, cards) if cards else move
        assert view.turned_by(shown) == len(cards)
        table = table.play(move)
        view = view.play(shown)
        assert view == table.view()
        told.update(lay, range(dealt, dealt + count))
        dealt += count
        line.append(move)
    places = [place for place in range(len(order)) if place not in told]
    other = list(order)
    for place, card in zip(places, rng.sample([order[place] for place in places], len(places)), strict=True):
        other[place] = card
    twin = start.laid(other)
    for move in line:
        assert twin.view() == state.view()
        twin, state = twin.play(move), state.play(move)
    assert twin.view() == state.view()


def test_every_field_of_an_area_serves_two_games() -> None:
    """A fact of one game is an override of that game: a field needs two that set it to different values."""
    for field in fields(Area):
        users = {
            game.id
            for game in PLACED
            for area in game.places.areas  # type: ignore[union-attr]
            if getattr(area, field.name) != field.default
        }
        assert len(users) > 1, field.name


def _board(*piles: str, down: tuple[int, ...] | None = None, unknown: tuple[int, ...] | None = None) -> Board:
    laid = tuple(tuple(map(Card.parse, pile.split())) for pile in piles)
    stock = Area(name="stock", kind="stock")
    area = Area(name="piles", kind="pile", count=len(piles) - 1, form="numbered")
    pack = tuple(sorted(card for pile in laid for card in pile))
    places = Places(rules=None, areas=(stock, area), written=("piles", "stock"), pack=pack)
    backs = {"stock": (len(laid[0]),), "piles": down or (0,) * (len(piles) - 1)}
    return Board(
        places,
        {"stock": laid[:1], "piles": laid[1:]},
        down=backs,
        unknown=None if unknown is None else {"stock": (0,), "piles": unknown},
    )


def test_a_card_that_lies_face_down_may_be_known() -> None:
    """A stock that was dealt through once lies face down, and its player knows it."""
    board = _board("5C 6C", "2H 3H 4H", down=(2,), unknown=(1,))
    masked = board.seen()
    assert masked.down == board.down
    assert masked.piles["stock"] == board.piles["stock"]
    assert masked.piles["piles"] == ((None, Card.parse("3H"), Card.parse("4H")),)
    assert masked.unseen() == (Card.parse("2H"),)
    assert masked.filled(masked.unseen()) == board


def test_unknown_is_what_lies_face_down_where_nothing_else_is_said() -> None:
    masked = _board("5C 6C", "2H 3H 4H", down=(1,)).seen()
    assert masked.piles == {"stock": ((None, None),), "piles": ((None, *map(Card.parse, ("3H", "4H"))),)}


def test_stocks_are_filled_last() -> None:
    masked = _board("5C 6C", "2H 3H", "4H", down=(1, 0)).seen()
    filled = masked.filled([Card.parse(text) for text in ("6C", "5C", "2H")])
    assert filled.piles["piles"][0] == (Card.parse("6C"), Card.parse("3H"))
    assert filled.piles["stock"] == ((Card.parse("5C"), Card.parse("2H")),)


def test_a_gesture_is_told_by_places_where_the_same_card_lies_twice() -> None:
    """With two packs the card that moved lies elsewhere too."""
    before = _board("AC", "5H 4H", "5H", "4H")
    after = _board("AC", "5H", "5H 4H", "4H")
    assert find_gesture(before, after) == Gesture(Where("piles", 0), 1, 1, Where("piles", 1))


def test_no_gesture_makes_two_changes() -> None:
    before = _board("AC", "5H 4H", "5S", "6H 3S")
    assert find_gesture(before, _board("AC", "5H", "5S 4H", "6H")) is None
    assert find_gesture(before, _board("AC", "5H", "5S", "6H 3S 4H")) == Gesture(
        Where("piles", 0), 1, 1, Where("piles", 2)
    )
    assert find_gesture(before, before) is None
