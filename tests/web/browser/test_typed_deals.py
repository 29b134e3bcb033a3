"""A deal that was typed stays the same deal: nothing in it is proved that chance has drawn, and it travels whole."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect
from playwright.sync_api import TimeoutError as TooLate

import unshuffle as un
from tests.laws import HIDDEN, IS_LONG
from tests.web.browser.table import TableOnPage

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


def seen_text(name: str) -> str:
    """A deal as a player sees it, without its id."""
    game = un.game(name)
    return game.format(game.deal(7), hidden=True)


def enter(desk: TableOnPage, name: str) -> None:
    desk.go(f"#/enter/{name}")
    desk.page.get_by_label("Cards on the table").fill(seen_text(name))
    expect(desk.page.locator(".entry-status")).to_contain_text("Unknown: ")


@pytest.mark.parametrize("name", HIDDEN if IS_LONG else ["spider"])
def test_a_deal_with_unknown_cards_gets_a_chance_and_no_verdict(desk: TableOnPage, name: str) -> None:
    """What was wrong: *Solve* drew the unknown cards, each time anew, and called what it found proved."""
    page = desk.page
    enter(desk, name)
    expect(desk.button("Solve")).to_have_count(0)
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/jobs"):
            asked.append(request.post_data or "")

    page.on("request", note)
    desk.button("Estimate the chance").click()
    with suppress(TooLate):  # an estimate that is over has no such button any more
        page.get_by_role("button", name="Stop").click(timeout=3_000)
    answer = page.locator(".entry-answer")
    expect(answer).to_contain_text("95 % interval")
    expect(answer).to_contain_text("(hidden: what a player sees)")
    expect(answer).to_contain_text("Unknown: ")
    expect(answer).not_to_contain_text("proved)")
    page.remove_listener("request", note)
    assert [body.count('"solve"') for body in asked] == [0]


def cards_of(page: Page, table: Any) -> str:
    """The whole deal of a table, hidden cards and redeals too, as its save has it."""
    return str(
        page.evaluate(
            "(id) => fetch(`api/tables/${id}/save`).then((answer) => answer.json()).then((save) => save.layout)",
            table["id"],
        )
    )


@pytest.mark.parametrize("name", ["aces-up", "gaps"] if IS_LONG else ["aces-up"])
def test_what_chance_has_dealt_comes_back_on_the_page(desk: TableOnPage, name: str) -> None:
    """What was wrong: a link, "Same deal again" and "Play on from here" laid other cards."""
    page = desk.page
    enter(desk, name)
    desk.button("Deal the rest by chance and play").click()
    desk.rest()
    expect(page.locator(".dealname")).to_contain_text("What was unknown in this deal was dealt at random.")
    for count in (1, 2):
        page.evaluate(
            "([id, move]) => fetch(`api/tables/${id}/moves`, { method: 'POST',"
            " headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ moves: [move] }) })",
            [desk.address["id"], desk.table()["legal"][0]["token"]],
        )
        page.reload()
        desk.expect_moves(count)
    first = desk.table()
    deal = cards_of(page, first)

    desk.button("More").click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.button("Copy link to this position").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "id=" not in link
    desk.go("")
    page.goto(link)
    desk.expect_moves(2)
    again = desk.table()
    assert again["id"] != first["id"]
    assert (again["picture"], cards_of(page, again)) == (first["picture"], deal)
    expect(page.locator(".dealname")).to_contain_text("dealt at random.")

    desk.button("More").click()
    desk.button("Same deal again").click()
    desk.button("Lay them").click()
    desk.expect_moves(0)
    assert cards_of(page, desk.table()) == deal

    desk.go(f"#/review/{first['id']}")
    let = page.get_by_role("button", name="Let it look")
    result = page.locator(".review-summary")
    expect(let.or_(result).first).to_be_visible()
    if let.is_visible():
        let.click()
    expect(result).to_be_visible()
    page.locator(".position").nth(1).click()
    page.get_by_role("button", name="Play on from here").click()
    desk.rest()
    desk.expect_moves(1)
    assert cards_of(page, desk.table()) == deal
