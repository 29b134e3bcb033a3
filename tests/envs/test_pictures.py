"""The table as text and as a picture."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.envs.solitare import make, random_actions
from unshuffle.cards import PACK, Card, Suit
from unshuffle.envs import sprites
from unshuffle.envs.font import GLYPHS, lettering
from unshuffle.games.spider.envs.picture import draw
from unshuffle.games.spider.envs.shown import Shown
from unshuffle.games.spider.envs.text import write


def cards(text: str) -> tuple[Card | None, ...]:
    return tuple(None if word == "##" else Card.parse(word) for word in text.split())


TABLE = Shown(
    piles=tuple(map(cards, ["## ## TH", "", "KS QS JS", "## 4D", *["## ## ## 3C"] * 6])),
    bank=20,
    completed=(Suit.SPADES, Suit.HEARTS),
    slots=8,
    score=-12,
    moves=34,
    hand=(Card.parse("8H"), Card.parse("9H")),
    source=1,
)


# Text.


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


def test_the_text_of_a_table() -> None:
    assert plain(write(TABLE, "dark")).splitlines() == [
        " K♠ K♥ ·· ·· ·· ·· ·· ··  bank: 20",
        " ▒▒    K♠ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒",
        " ▒▒    Q♠ 4♦ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒",
        " T♥    J♠    ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒",
        "             3♣ 3♣ 3♣ 3♣ 3♣ 3♣",
        "hand: 8♥ 9♥ (pile 1)",
        "score: -12  moves: 34",
    ]
    assert plain(write(replace(TABLE, hand=(), source=0), "dark")).splitlines()[-2] == "hand: -"


@pytest.mark.parametrize(
    ("theme", "black", "red", "rest"), [("dark", 33, 36, 37), ("light", 34, 31, 30)], ids=["dark", "light"]
)
def test_the_colours_of_a_theme(theme: str, black: int, red: int, rest: int) -> None:
    lines = write(TABLE, theme).splitlines()
    assert lines[0] == f"\x1b[{black}m K♠\x1b[{red}m K♥\x1b[{rest}m ·· ·· ·· ·· ·· ··  bank: 20\x1b[0m"
    assert lines[5] == f"\x1b[{rest}mhand:\x1b[{red}m 8♥ 9♥\x1b[{rest}m (pile 1)\x1b[0m"
    for line in lines:
        assert set(re.findall(r"\x1b\[(.*?)m", line)) <= {str(black), str(red), str(rest), "0"}
        assert line.endswith("\x1b[0m")
        # Every sign has a colour, and its own.
        for colour, text in re.findall(r"\x1b\[(\d+)m([^\x1b]*)", line):
            assert not re.search("[♠♣]", text) or int(colour) == black
            assert not re.search("[♥♦]", text) or int(colour) == red
        assert not line.split("\x1b")[0].strip()


def test_both_themes_give_the_same_text() -> None:
    dark, light = (make(render_mode="ansi", theme=theme, num_suits=2) for theme in ("dark", "light"))
    dark.reset(seed=5)
    light.reset(seed=5)
    for action, _ in random_actions(dark, 5, 200):
        light.step(action)
        one, other = dark.render(), light.render()
        assert isinstance(one, str)
        assert isinstance(other, str)
        assert one != other
        assert plain(one) == plain(other)
        assert "\x1b" not in plain(one)


# Pictures.


def test_a_picture_has_one_shape_whatever_lies_on_the_table() -> None:
    tall: tuple[Card | None, ...] = (None,) * 5 + PACK + PACK[:26]
    assert len(tall) == 83
    tables = [
        TABLE,
        replace(TABLE, piles=(tall,) * 10, bank=0, score=-100000, moves=100000),
        replace(TABLE, piles=((),) * 10, bank=50, completed=(Suit.CLUBS,) * 8),
        replace(TABLE, piles=((None,) * 90,) * 2, bank=100),
        replace(TABLE, hand=tuple(Card(rank, Suit.HEARTS) for rank in range(1, 13))),
        replace(TABLE, piles=(cards("AS"),) * 3, slots=1, completed=(), bank=0, ranks=2),
    ]
    pictures = [draw(table) for table in tables]
    for picture in pictures:
        assert picture.shape == (480, 640, 3)
        assert picture.dtype == np.uint8
    assert len({picture.tobytes() for picture in pictures}) == len(tables)


def test_everything_that_is_seen_shows_in_the_picture() -> None:
    """Law: another card, count or number is another picture; the same table is the same picture."""
    first = draw(TABLE)
    assert (first == draw(TABLE)).all()
    changed = [
        replace(TABLE, score=-11),
        replace(TABLE, moves=35),
        replace(TABLE, bank=30),
        replace(TABLE, completed=(Suit.SPADES,)),
        replace(TABLE, completed=(Suit.SPADES, Suit.CLUBS)),
        replace(TABLE, hand=(Card.parse("8H"),)),
        replace(TABLE, source=2),
        replace(TABLE, piles=(*TABLE.piles[:-1], cards("## ## ## 3S"))),
        replace(TABLE, piles=(*TABLE.piles[:-1], cards("## ## 3C"))),
    ]
    for table in changed:
        assert (draw(table) != first).any(), table


def test_cards_that_lie_face_down_show_their_backs() -> None:
    blue = sprites.back().pixels[40, 29]

    def blues(down: int) -> int:
        pile = (None,) * down + (Card.parse("TH"),)
        picture = draw(replace(TABLE, piles=(pile,), bank=0))
        return int((picture == blue).all(axis=2).sum())

    counts = [blues(down) for down in range(6)]
    assert counts[0] == 0
    assert counts == sorted(set(counts))
    # In the bank there is one for each row.
    assert (draw(replace(TABLE, piles=((),), bank=2)) == blue).all(axis=2).sum() > 500


def test_a_long_pile_ends_above_the_words_and_its_cards_can_be_told_apart() -> None:
    felt = sprites.felt(480, 640)
    for length in (1, 10, 20, 36, 60, 83):
        pile = (None,) * 5 + tuple(PACK[place * 7 % 52] for place in range(length))
        picture = draw(replace(TABLE, piles=(pile, *((),) * 9), source=0))
        assert (picture[456:460] == felt[456:460]).all()
    # So many cards keep enough of each to be read.
    pile = tuple(PACK[:30])
    first = draw(replace(TABLE, piles=(pile, *((),) * 9)))
    for place in range(30):
        other = (*pile[:place], Card.parse("AS"), *pile[place + 1 :])
        assert (draw(replace(TABLE, piles=(other, *((),) * 9))) != first).sum() > 20


def test_all_cards_look_different_and_have_their_colour() -> None:
    for small in (False, True):
        faces = {card: sprites.face(card, small_index=small) for card in PACK}
        indices = {card: face.pixels[: 10 if small else 19].tobytes() for card, face in faces.items()}
        # The strip that is seen under another card tells the card.
        assert len(set(indices.values())) == 52
        for card, face in faces.items():
            red = (face.pixels[..., 0].astype(int) - face.pixels[..., 1] > 100).sum()
            black = (face.pixels.max(axis=2) < 60).sum()
            assert (red > black) == (card.suit in (Suit.HEARTS, Suit.DIAMONDS)), card
    assert sprites.back().pixels.tobytes() not in {face.pixels.tobytes() for face in faces.values()}


def test_pictures_that_are_kept_cannot_be_drawn_upon() -> None:
    for kept in (sprites.felt(480, 640), sprites.face(PACK[0]).pixels, sprites.back().there, lettering("moves")):
        with pytest.raises(ValueError, match="read-only"):
            kept[0] = 0


def test_the_font_has_all_letters_and_figures_and_no_two_alike() -> None:
    assert set(GLYPHS) >= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:/ ")
    assert all(glyph.shape == (7, 5) for glyph in GLYPHS.values())
    assert len({glyph.tobytes() for glyph in GLYPHS.values()}) == len(GLYPHS)
    assert lettering("score -12").shape == (7, 9 * 6)
    assert lettering("7", 2).shape == (14, 12)
