"""Pictures: what lies on the page is what a player sees, and every move has its gesture."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

import unshuffle as un
from tests.laws import IS_LONG, deal_numbers, every_game, for_each, random_line
from tests.stairs import STAIRS
from unshuffle import registry
from unshuffle.play.table import Table, seen
from unshuffle.web.packing import unpack
from unshuffle.web.pictures import paint, tell_legal
from unshuffle.web.shapes import Picture, Place
from unshuffle.web.showing import show_table

PAINTED = [game for game in every_game() if game.places is not None]
few = settings(max_examples=settings().max_examples // 5)


def looks(game: un.Game[Any, Any]) -> tuple[Any, ...]:
    """What the picture of a deal is made of: its areas, how many places of which kind each has, and what is hidden."""
    areas = paint(game, seen(game.deal(7))).areas
    return game.id, type(game.deal(7).view()), *((len(area.places), *{at.kind for at in area.places}) for area in areas)


LOOKS = PAINTED if IS_LONG else list({looks(game): game for game in reversed(PAINTED)}.values())
"""In the short run one rule set for each look of a table."""


def places(picture: Picture) -> dict[str, Place]:
    found = [place for area in picture.areas for place in area.places]
    assert len({place.id for place in found}) == len(found)
    return {place.id: place for place in found}


@pytest.mark.parametrize("game", PAINTED, ids=str)
@given(seed=deal_numbers)
@few
def test_every_move_has_a_gesture_of_its_own(game: un.Game[Any, Any], seed: int) -> None:
    """Law: a gesture begins at a card that lies there face up, or at a place that is clicked; and no two are alike."""
    for state in random_line(game, seed, at_most=30):
        shown = seen(state)
        lying = places(paint(game, shown))
        gestures = set()
        for move in state.legal_moves():
            told = tell_legal(game, shown, move)
            assert told.token == move.token
            assert told.source is not None
            source = lying[told.source.place]
            if told.source.card is None:
                assert told.target is None
                assert source.kind in ("stock", "redeal")
            else:
                assert told.target is not None
                assert told.target.place in lying
                taken = source.cards[told.source.card :][: told.source.count]
                assert len(taken) == told.source.count > 0
                assert all(card.face is not None and not card.settled for card in taken) or game.id == "gaps"
            gestures.add((told.source, told.target))
        assert len(gestures) == len(state.legal_moves())


@pytest.mark.parametrize("game", LOOKS, ids=str)
@given(seed=deal_numbers)
@for_each
def test_a_picture_shows_exactly_what_is_seen(game: un.Game[Any, Any], seed: int) -> None:
    """Law: all cards that a player sees and no other, but those that lie face down: known or not, they are backs."""
    for state in random_line(game, seed, at_most=30):
        view, board = state.view(), game.board_of(seen(state))
        lying = places(paint(game, seen(state))).values()
        faces = Counter(card.face for place in lying for card in place.cards if card.face is not None)
        backs = sum(card.face is None for place in lying for card in place.cards)
        counted = sum(place.count or 0 for place in lying)
        unseen = Counter(map(str, getattr(view, "unseen", ())))
        known = Counter(
            str(card)
            for area, where, pile in board.each()
            for drawn, card in zip(board.drawn(where.area)[where.number], pile, strict=True)
            if card is not None and (drawn is None or area.kind == "stock")
        )
        # Gaps is played without its aces.
        pack = [str(card) for card in game.pack if game.id != "gaps" or card.rank > 1]
        assert faces == Counter(pack) - unseen - known
        assert backs + counted == unseen.total() + known.total()


@pytest.mark.parametrize("game", LOOKS, ids=str)
@given(seed=deal_numbers)
@few
def test_nothing_that_is_hidden_is_told(game: un.Game[Any, Any], seed: int) -> None:
    """Law: two games that look the same to a player are told in the same JSON, but for the start of the deal.

    Of a deal with an id that is the id, of a typed one its whole text, packed: a link has to hold what it begins with.
    """
    for state in random_line(game, seed, at_most=20):
        told = []
        for table in (state, state.view().sample(Random(seed))):
            shown = show_table(Table(game, game.with_id(table, None), "name"))
            assert shown.start is not None
            assert game.parse(unpack(shown.start)[0]) == table
            told.append(shown.model_dump(mode="json", exclude={"start"}))
        assert told[0] == told[1]


@pytest.mark.parametrize("game", PAINTED, ids=str)
def test_a_deal_with_an_id_needs_no_other_start(game: un.Game[Any, Any]) -> None:
    assert show_table(Table(game, game.deal(7), "name")).start is None


def test_the_start_of_a_typed_deal_tells_no_card_at_a_glance() -> None:
    game = un.game("spider")
    start = show_table(Table(game, game.with_id(game.deal(7), None), "name")).start
    assert start is not None
    assert re.fullmatch(r"[\w-]+", start)
    assert len(start) < len(str(game.deal(7)))


def test_a_game_without_places_has_text_and_moves_without_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", registry._registered | STAIRS)
    game = STAIRS["stairs-3"]
    state = game.parse("KC 3")
    shown = show_table(Table(game, state, "name"))
    assert shown.picture.areas == []
    assert shown.layout
    assert [move.token for move in shown.legal] == ["up"]
    assert all(move.source is None and move.target is None for move in shown.legal)


def test_words_beside_places() -> None:
    game = un.game("agnes", "up-suit-highrun")
    shown = places(paint(game, seen(game.deal(7))))
    base = game.deal(7).base
    assert {shown[f"pile-{number}"].hint for number in range(1, 8)} == {"A23456789TJQK"[(base - 2) % 13]}
    gaps = un.game("gaps", "addiction")
    assert places(paint(gaps, seen(gaps.deal(7))))["redeal"].label == f"Redeal, {gaps.rules.redeals} left"
