"""Boards: which cards are unknown, and which gestures are told."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import unshuffle as un
from tests.laws import every_game
from unshuffle.cards import Card
from unshuffle.places import Area, Board, Places, Where
from unshuffle.places.gestures import Gesture, find_gesture

Game = un.Game[Any, Any]
PLACED = [game for game in every_game() if game.places is not None]


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
