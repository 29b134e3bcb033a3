"""A deal that lies on a real table comes in: typed, picked or pasted, its faults on its cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import unshuffle as un
from tests.web.browser.table import TableOnPage
from tests.web.browser.typed import typed

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


def field(page: Page) -> str:
    return page.get_by_label("Cards on the table").input_value()


def test_a_wrong_entry_is_explained_on_its_cards(desk: TableOnPage) -> None:
    page = desk.page
    desk.go("#/enter/belle-lucie")
    text = page.get_by_label("Cards on the table")
    text.fill("KS KH KC\nKS 1X 10♥\n")

    wrong = page.locator(".read-word.is-wrong")
    expect(wrong).to_have_count(2)
    twice = "'KS' is on the table twice (first at line 1, column 1)"
    expect(wrong.first).to_have_attribute("title", twice)
    expect(wrong.first.locator(".card")).to_have_attribute("data-face", "KS")
    described = wrong.first.get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text("is on the table twice")
    expect(wrong.nth(1)).to_have_text("1X!")
    expect(page.locator(".read-word:not(.is-wrong) .card")).to_have_count(4)
    expect(page.locator(".faults li")).to_have_count(3)
    expect(page.get_by_role("button", name="Play this")).to_be_disabled()
    desk.shot("entry-wrong")

    page.get_by_role("button", name="Line 2, column 4").click()
    chosen = text.evaluate("(node) => node.value.slice(node.selectionStart, node.selectionEnd)")
    assert chosen == "1X"

    # The picker puts its card where the fault was; with the keys alone.
    page.get_by_role("button", name="ace of clubs, not used yet").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(text).to_have_value("KS KH KC\nKS 2D 10♥\n")
    expect(wrong).to_have_count(1)


def test_a_faultless_entry_is_drawn_solved_and_played(desk: TableOnPage) -> None:
    page = desk.page
    deal = un.game("belle-lucie").deal(seed=3)
    desk.go("#/enter/belle-lucie")
    # As people write: other spellings, and a blank line.
    page.get_by_label("Cards on the table").fill(typed(deal).replace("T", "10").replace("H", "♥") + "\n\n")
    expect(page.get_by_text("A whole table, without a fault.").first).to_be_visible()
    expect(page.locator(".mat .card")).to_have_count(52)
    desk.shot("entry-good")

    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict")).to_contain_text("position")
    page.get_by_role("button", name="Play this").click()
    desk.rest()
    expect(page.locator('.felt [data-kind="fan"]')).to_have_count(18)
    expect(page.locator(".felt .card[data-face]").first).to_be_visible()


def test_cards_are_picked_on_a_phone_and_nothing_is_lost(phone: TableOnPage) -> None:
    page = phone.page
    phone.go("#/enter/gaps")
    for name in ("ten of hearts", "two of clubs"):
        page.get_by_role("button", name=f"{name}, not used yet").tap()
    page.get_by_role("button", name="New row").tap()
    page.get_by_role("button", name="king of spades, not used yet").tap()
    assert field(page) == "TH 2C\nKS"
    expect(page.get_by_role("button", name="ten of hearts, used")).to_be_visible()
    expect(page.locator(".read-row")).to_have_count(2)
    page.get_by_role("button", name="Delete", exact=True).tap()
    assert field(page) == "TH 2C\n"
    phone.shot("entry-phone")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("link", name="Help").tap()
    expect(page.get_by_role("heading", name="What was known?")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Cards on the table")).to_have_value("TH 2C\n")


def test_an_answer_belongs_to_the_text_that_was_asked_about(desk: TableOnPage) -> None:
    """What was wrong: a chance or a proof that came after the text was changed stood beside another deal."""
    page = desk.page
    game = un.game("spider")
    seen = game.format(game.deal(7), hidden=True)
    desk.go("#/enter/spider")
    text = page.get_by_label("Cards on the table")
    ask = page.get_by_role("button", name="Estimate the chance")
    text.fill(seen)
    ask.click()
    expect(page.locator(".entry-answer .job")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as ended:
        text.fill(game.format(game.deal(8), hidden=True))
    expect(page.locator(".entry-answer")).to_be_empty()
    expect(ask).to_be_enabled()
    # The job is over, and what it has found by then is shown nowhere.
    path = f"api/jobs/{ended.value.url.rsplit('/', 1)[1]}"
    page.wait_for_function("(path) => fetch(path).then((a) => a.json()).then((job) => job.result !== null)", arg=path)
    expect(page.locator(".entry-answer")).to_be_empty()
    ask.click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".entry-answer")).to_contain_text("hidden: what a player sees")
    # Another game has another text.
    page.get_by_label("Game", exact=True).select_option("gaps")
    expect(page.locator(".entry-answer")).to_be_empty()
