"""What a notebook shows of tables, results and lines: well-formed, escaped, without scripts, and no hidden card."""

from __future__ import annotations

import random
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

import unshuffle as un
from tests.laws import OURS, every_game
from unshuffle.notebook import write_table

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

ALLOWED = {"div", "span", "b", "pre", "details", "summary", "ol", "li"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert [name for name, _ in attrs] in ([], ["style"])
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> str:
    """The text of HTML that is well-formed and has nothing but the tags and styles that we mean."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader.text


def shown(value: Any) -> str:
    return read(value._repr_html_())


@pytest.mark.parametrize("game", [game for game in every_game() if game.id in OURS], ids=str)
def test_a_state_shows_its_picture_and_its_id(game: un.Game[Any, Any]) -> None:
    state = game.deal(7)
    text = shown(state)
    assert game.picture(state) in text
    assert text.startswith(f"{game}@7 score {state.score} of {game.most_score}")
    assert "(typed)" in shown(game.with_id(state, None))


@pytest.mark.parametrize("name", OURS)
def test_a_view_shows_no_more_than_the_player_sees(name: str) -> None:
    """Two tables that look alike to the player look alike in a notebook."""
    game = un.game(name)
    state = game.deal(7)
    view: Any = state.view()
    text = shown(view)
    assert text == shown(view.sample(random.Random(1)).view())
    assert "@7" not in text
    assert text.startswith(f"{game} (as the player sees it) ")
    if name in ("agnes", "spider"):
        assert "##" in text
        assert "##" not in shown(state)


@pytest.mark.parametrize("name", OURS)
def test_results_and_lines_show_table_and_moves(name: str) -> None:
    game = un.game(name)
    state = game.deal(7)
    result = un.solve(state, nodes=300)
    text = shown(result)
    assert f"{result.status}, score {result.score} of {game.most_score}" in text
    assert game.picture(state) in text
    assert f"{len(result.moves)} move" in text
    assert all(f"({move.token})" in text for move in result.moves)
    line = un.replay(state, result.moves)
    assert game.picture(line.states[-1]) in shown(line)
    assert "<details" not in un.replay(state, ())._repr_html_()


def test_only_the_red_suits_are_coloured() -> None:
    html = un.game("spider").deal(7)._repr_html_()
    coloured = re.findall('<span style="color:[^"]*">([^<]*)</span>', html)
    assert len(coloured) == sum(html.count(suit) for suit in "♥♦") == 52
    assert all(re.fullmatch("[A2-9TJQK][♥♦]", card) for card in coloured)


def test_everything_is_escaped() -> None:
    game = un.game("belle-lucie")
    html = write_table(game, game.with_id(game.deal(7), "x/<script>alert(1)</script>@7"))
    assert "<script" not in html
    assert "<script>" in unescape(html)
