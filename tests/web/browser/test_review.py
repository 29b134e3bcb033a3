"""A game that was lost is looked back on: where it could still be won, and what would have kept it."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

import unshuffle as un
from tests.laws import IS_LONG
from tests.web.browser.table import TableOnPage

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


def lost_line(deal: str) -> list[str]:
    """A deal played without thought until no move is left."""
    game_id, _, rest = deal.partition("/")
    variant, _, seed = rest.partition("@")
    state = un.game(game_id, variant).deal(seed=int(seed))
    shuffled, moves = Random(1), []
    while state.outcome is None:
        move = shuffled.choice(state.legal_moves())
        moves.append(move.token)
        state = state.play(move)
    assert state.outcome is un.Outcome.STUCK
    return moves


def table(desk: TableOnPage, **asked: Any) -> Any:
    desk.go("#/help")
    return desk.page.evaluate(
        """(asked) => fetch("api/tables", { method: "POST", headers: { "Content-Type": "application/json" },
           body: JSON.stringify(asked) }).then((answer) => answer.json())""",
        asked,
    )


def test_the_move_that_lost_is_found_and_played_otherwise(desk: TableOnPage) -> None:
    page = desk.page
    moves = lost_line("belle-lucie/fan@3")
    lost = table(desk, deal="belle-lucie/fan@3", moves=moves)
    desk.go(f"#/review?id={lost['id']}")
    expect(page.locator(".position")).to_have_count(len(moves) + 1)

    # Up to one move it can be won, from it on it cannot; the marks differ by shape.
    marks = [mark.get_attribute("class") or "" for mark in page.locator(".position .mark").all()]
    winnable = [at for at, mark in enumerate(marks) if "winnable" in mark]
    turning = len(winnable)
    assert winnable == list(range(turning))
    assert all("lost" in mark for mark in marks[turning:])
    expect(page.locator(".position.is-turning")).to_have_attribute("data-after", str(turning))
    expect(page.locator(".position .mark-winnable circle")).to_have_count(turning)
    expect(page.locator(".loss")).to_contain_text(f"Move {turning} lost it")
    expect(page.locator(".loss")).to_contain_text("Instead:")
    desk.shot("review")

    # With the keys to the position before it.
    page.locator(".position[aria-selected=true]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".position:focus")).to_have_attribute("data-after", str(turning - 1))
    expect(page.locator(".review-words")).to_contain_text("winnable")

    page.get_by_role("button", name="Play on from here").click()
    desk.rest()
    expect(page.locator(".standing .count")).to_have_text(f"{turning - 1} moves")
    page.go_back()
    page.get_by_role("button", name="Win it at a table").click()
    desk.rest()
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()


@pytest.mark.parametrize("name", ["desk", "phone"] if IS_LONG else ["phone"])
def test_hidden_cards_give_a_curve_of_chances(name: str, request: pytest.FixtureRequest) -> None:
    window: TableOnPage = request.getfixturevalue(name)
    page = window.page
    lost = table(window, deal="aces-up/standard@7", moves=lost_line("aces-up/standard@7"))
    window.go(f"#/review/{lost['id']}")
    curve = page.locator("svg.curve")
    expect(curve.locator(".curve-band")).to_be_visible()
    expect(curve).to_have_attribute("aria-label", re.compile("Chance to win .* 0 % at the end"))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    window.shot(f"review-{name}")
