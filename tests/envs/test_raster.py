"""Pictures of any board: what is seen shows, what is not does not, and everything finds room."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import unshuffle as un
from tests.ladder import Ladder
from unshuffle.cards import PACK, Card, Suit
from unshuffle.envs import sprites
from unshuffle.envs.raster import draw
from unshuffle.places import Area, Board, Pile, Places
from unshuffle.places.grid import Grid

BACK = sprites.back().pixels[40, 29]


def lay(*areas: tuple[Area, tuple[Pile, ...]], **more: Any) -> Board:
    places = Places(rules=None, areas=tuple(area for area, _ in areas), written=())
    return Board(places, {area.name: piles for area, piles in areas}, **more)


def backs(board: Board) -> int:
    return int((draw(board, "") == BACK).all(axis=2).sum())


def differ(one: Board, other: Board) -> bool:
    return bool((draw(one, "") != draw(other, "")).any())


def test_everything_finds_room_however_much_there_is() -> None:
    tall = PACK * 2
    crowded = [lay((Area(name="piles", kind="pile", count=count), (tall,) * count)) for count in (1, 2, 10, 11, 13, 26)]
    crowded += [
        lay((Area(name="fans", kind="fan", count=None), (tall[:length],) * (104 // length))) for length in (1, 8, 104)
    ]
    crowded += [
        lay((Grid(name="cells", kind="cell", count=rows * columns, columns=columns), (tall[:1],) * rows * columns))
        for rows, columns in ((1, 1), (4, 13), (7, 7), (3, 18), (8, 13))
    ]
    crowded += [lay((Area(name="cells", kind="cell", count=count), (tall[:1],) * count)) for count in (0, 1, 12, 24)]
    pictures = [draw(board, "score -1234", "a mark with a long name 123, and another one 4") for board in crowded]
    assert {(picture.shape, picture.dtype.name) for picture in pictures} == {((480, 640, 3), "uint8")}
    assert len({picture.tobytes() for picture in pictures}) == len(pictures)


def test_every_card_of_a_table_that_lies_open_shows() -> None:
    """Law: another card somewhere is another picture, and the same table is the same picture."""
    rng = random.Random(1)
    for slug in ("open", "plain"):
        game = Ladder(slug)
        state = game.deal(3)
        for _ in range(9):
            state = state.play(rng.choice(state.legal_moves()))
        board = game.board(state)
        assert not differ(board, game.board(game.parse(str(state))))
        for number, pile in enumerate(board.piles["piles"]):
            for place, card in enumerate(pile):
                assert card is not None
                other = (*pile[:place], card.next_up or Card(1, card.suit), *pile[place + 1 :])
                piles = (*board.piles["piles"][:number], other, *board.piles["piles"][number + 1 :])
                changed = replace(board, piles={**board.piles, "piles": piles})
                assert differ(board, changed) is (place >= board.down["piles"][number])


def test_what_lies_face_down_shows_its_back_known_or_not() -> None:
    area = Area(name="piles", kind="pile", count=1)
    counts = [backs(lay((area, (PACK[:5],)), down={"piles": (down,)})) for down in range(6)]
    assert counts[0] == 0
    assert counts == sorted(set(counts))
    # One may know what lies face down, and the picture shows it face down nevertheless.
    known = lay((area, (PACK[:5],)), down={"piles": (3,)}, unknown={})
    assert backs(known) == backs(known.seen()) == counts[3]
    stock = Area(name="stock", kind="stock")
    assert backs(lay((stock, (PACK[:9],)), down={"stock": (9,)})) > 0
    # A stock is counted, known or not.
    assert not differ(lay((stock, (PACK[:9],))), lay((stock, (PACK[1:10],)), down={"stock": (9,)}))
    assert differ(lay((stock, (PACK[:9],))), lay((stock, (PACK[:8],))))
    assert differ(lay((stock, (PACK[:1],))), lay((stock, ((),))))


def test_suits_stand_in_the_order_of_observations() -> None:
    """However a game lists them."""
    up = {suit: tuple(PACK[13 * suit : 13 * suit + 1 + suit]) for suit in Suit}
    pictures = []
    for suits in (tuple(Suit), tuple(reversed(Suit))):
        area = Area(name="foundations", kind="foundation", count=4, suits=suits)
        pictures.append(draw(lay((area, tuple(up[suit] for suit in suits))), ""))
    np.testing.assert_array_equal(pictures[0], pictures[1])


@pytest.mark.parametrize("game_id", [game for game in un.games() if un.game(game).places is not None])
def test_a_view_and_its_state_look_alike(game_id: str) -> None:
    """Law: nothing that a player does not see is needed for the picture."""
    game = un.game(game_id)
    state, rng = game.deal(5), random.Random(5)
    for _ in range(10):
        view = state.view()
        np.testing.assert_array_equal(
            draw(game.board(state), ""), draw(game.board_of(getattr(view, "table", view)), "")
        )
        if not state.legal_moves():
            break
        state = state.play(rng.choice(state.legal_moves()))
