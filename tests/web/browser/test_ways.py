"""Other ways to the same table: keys only, a phone, a link, a save file, a list; and a server that dies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.browser.conftest import Complaints, Served
from tests.web.browser.table import TableOnPage

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")

EVERY_GAME = [
    "aces-up/standard@17",
    "agnes/down-color-none@7",
    "belle-lucie/one-deal@3",
    "gaps/addiction@3",
    "spider/4-suits@7",
]


def walk_to(desk: TableOnPage, move: dict[str, Any]) -> Locator:
    """Move the focus with the arrow keys to the card of the move, and return that card."""
    page, keys = desk.page, desk.page.keyboard
    source = desk.card(move["from"]["place"], move["from"]["card"])
    for _ in range(60):
        here = page.evaluate("() => document.activeElement.closest('.place')?.dataset.place ?? ''")
        if here == move["from"]["place"] and source.evaluate("(node) => node === document.activeElement"):
            break
        at, to = desk.box(page.locator(":focus")), desk.box(source)
        if abs(to.y - at.y) > 4:
            keys.press("ArrowDown" if to.y > at.y else "ArrowUp")
        else:
            keys.press("ArrowRight" if to.x > at.x else "ArrowLeft")
    return source


def test_a_game_with_the_keyboard_only(desk: TableOnPage) -> None:
    page, keys = desk.page, desk.page.keyboard
    desk.go("")
    play = page.get_by_role("button", name="Play La Belle Lucie")
    expect(play).to_be_visible()
    for _ in range(40):
        keys.press("Tab")
        if play.evaluate("(node) => node === document.activeElement"):
            break
    keys.press("Enter")
    desk.rest()
    desk.open("belle-lucie/one-deal@3")

    # With the arrows to a card that can move, lifted, set down on the target to which the focus has gone.
    keys.press("t")
    source = walk_to(desk, desk.draggable())
    expect(source).to_be_focused()
    name = source.get_attribute("aria-label") or ""
    assert " of " in name
    assert "Fan" in name
    keys.press("Enter")
    expect(source).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".is-target:focus")).to_be_attached()
    desk.shot("keyboard-lifted")
    keys.press("Escape")
    expect(page.locator(".is-chosen")).to_have_count(0)
    expect(source).to_be_focused()
    keys.press("Enter")
    keys.press("Enter")
    desk.expect_moves(1)
    desk.rest()
    expect(page.locator(".felt :focus")).to_be_attached()
    keys.press("u")
    desk.expect_moves(0)
    keys.press("r")
    desk.expect_moves(1)

    keys.press("h")
    expect(page.locator(".told")).to_be_visible()
    keys.press("s")
    expect(page.locator(".verdict")).to_be_visible()
    keys.press("?")
    expect(page.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    desk.shot("keys")
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.press("l")
    expect(page.locator(".legal-list button").first).to_be_visible()
    keys.press("Tab")
    keys.press("Enter")
    desk.expect_moves(2)


@pytest.mark.parametrize("deal", EVERY_GAME, ids=lambda deal: deal.split("/")[0])
def test_every_card_is_within_a_phone(phone: TableOnPage, deal: str) -> None:
    phone.open(deal)
    wide = phone.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 360
    for box in phone.boxes(".felt .place"):
        assert box.x >= 0
        assert box.x + box.width <= 360
        assert box.width >= 24
    phone.shot(f"{deal.split('/')[0]}-phone")


def test_a_game_on_a_phone(phone: TableOnPage) -> None:
    """Tap and tap, a drag by a finger, undo, a hint; the answer leaves room for the table."""
    phone.open("spider/1-suit@4")
    move = phone.draggable()
    phone.card(move["from"]["place"], move["from"]["card"]).tap()
    expect(phone.page.locator(".is-target").first).to_be_attached()
    phone.card(move["to"]["place"], None).tap()
    phone.expect_moves(1)
    phone.rest()
    phone.button("Undo").tap()
    phone.expect_moves(0)
    phone.rest()

    finger = phone.page.context.new_cdp_session(phone.page)
    start = phone.box(phone.card(move["from"]["place"], move["from"]["card"])).middle
    end = phone.box(phone.card(move["to"]["place"], None)).middle
    for kind, share in [("touchStart", 0.0), ("touchMove", 0.3), ("touchMove", 0.7), ("touchMove", 1.0)]:
        x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.expect_moves(1)

    phone.button("Hint").tap()
    expect(phone.page.locator(".told")).to_be_visible()
    assert phone.box(phone.page.locator(".felt")).height > 200
    phone.shot("spider-phone-hint")
    phone.page.set_viewport_size({"width": 740, "height": 360})
    phone.rest()
    phone.shot("spider-phone-landscape")


def test_a_link_opens_the_same_position_elsewhere(desk: TableOnPage, complaints: Complaints) -> None:
    desk.open("agnes/down-color-anyrun@6")
    move = desk.draggable()
    desk.drag(move)
    desk.expect_moves(1)
    address = desk.address
    desk.button("More").click()
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.button("Copy link to this position").click()
    expect(desk.page.locator(".toast")).to_contain_text("copied")
    link = desk.page.evaluate("() => navigator.clipboard.readText()")
    assert "id=" not in link
    desk.go("")
    desk.page.goto(link)
    desk.expect_moves(1)
    assert desk.address["id"] != address["id"]
    assert desk.address["moves"] == address["moves"]

    # With the id of a save that this server does not have, the deal and the moves are enough.
    complaints.expected.append("404")
    desk.go("")
    desk.go(f"#/play?deal={address['deal']}&moves={address['moves']}&id=00000000")
    desk.expect_moves(1)


def test_a_wrong_link_is_explained(desk: TableOnPage, complaints: Complaints) -> None:
    complaints.expected.append("400")
    desk.go("#/play?deal=spider/4-suites@7")
    expect(desk.page.locator(".form-faults")).to_contain_text("4-suit")
    desk.page.get_by_role("link", name="To the games").click()
    expect(desk.page.get_by_role("heading", name="What shall we play?")).to_be_visible()


def test_a_new_game_by_number_by_rule_and_winnable(desk: TableOnPage, complaints: Complaints) -> None:
    page = desk.page
    desk.go("")
    page.get_by_role("button", name="Choose a deal or variant of Spider").click()
    form = page.get_by_role("dialog", name="New game")
    form.get_by_label("Variant").select_option("2-suits")
    form.get_by_text("By number").click()
    form.get_by_role("textbox", name="Number").fill("12x")
    complaints.expected.append("400")
    form.get_by_role("button", name="Deal", exact=True).click()
    expect(form.locator(".form-faults")).to_contain_text("12x")
    desk.shot("deal-form")
    form.get_by_role("textbox", name="Number").fill("12")
    form.get_by_role("button", name="Deal", exact=True).click()
    desk.rest()
    assert desk.address["deal"] == "spider/2-suits@12"

    page.keyboard.press("n")
    form.get_by_label("Game").select_option("belle-lucie")
    form.get_by_text("More rules").click()
    form.get_by_label("redeals", exact=True).select_option("1")
    form.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".gametitle h1")).to_have_text("La Belle Lucie")
    desk.rest()
    expect(desk.place("redeal")).to_be_visible()

    page.keyboard.press("n")
    form.get_by_label("Game").select_option("gaps")
    form.get_by_text("Winnable").click()
    form.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".gametitle h1")).to_have_text("Gaps")
    desk.rest()


def test_a_save_is_listed_downloaded_deleted_and_loaded_again(desk: TableOnPage, tmp_path: Path) -> None:
    page = desk.page
    desk.open("gaps/addiction@3")
    desk.drag(desk.draggable())
    desk.expect_moves(1)
    name, token = desk.address["id"], desk.table()["moves"][0]
    desk.go("#/")
    row = page.locator(".save", has=page.locator(f'a[href="#/table/{name}"]'))
    expect(row).to_contain_text("Gaps")
    desk.shot("home")
    with page.expect_download() as downloading:
        row.get_by_role("link", name="Download").click()
    file = tmp_path / "game.json"
    downloading.value.save_as(file)
    assert token in json.dumps(json.loads(file.read_text(encoding="utf-8")))
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(row).to_have_count(0)
    page.locator('.saved input[type="file"]').set_input_files(file)
    desk.expect_moves(1)
    assert desk.table()["moves"] == [token]


def test_themes_and_colours_are_kept(desk: TableOnPage) -> None:
    desk.open("aces-up/standard@17")
    desk.press_stock()
    page = desk.page
    page.click("#open-settings")
    page.get_by_label("Table", exact=True).select_option("dark")
    page.get_by_label("Animation").select_option("off")
    page.get_by_text("Four colours").click()
    desk.button("Done").click()
    page.reload()
    desk.rest()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-animated", "no")
    desk.shot("dark-four-colours")
    desk.press_stock()
    assert page.evaluate("() => document.getAnimations().length") == 0


NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=button]")]
    .filter((node) => node.checkVisibility())
    .filter((node) => !(node.ariaLabel || node.labels?.[0]?.textContent || node.textContent || "").trim())
    .map((node) => node.outerHTML.slice(0, 120))"""


def test_every_control_has_a_name(desk: TableOnPage) -> None:
    page = desk.page
    for fragment in ("#/", "#/play?deal=spider/4-suits@7", "#/help", "#/enter", "#/advise", "#/studies"):
        desk.go(fragment)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        assert page.evaluate(NAMELESS) == [], fragment
    desk.go("#/")
    page.get_by_role("button", name="Choose a deal or variant of Gaps").click()
    page.get_by_text("More rules").click()
    assert page.evaluate(NAMELESS) == []
    page.keyboard.press("Escape")
    page.click("#open-settings")
    assert page.evaluate(NAMELESS) == []


def test_a_killed_server_loses_nothing(served: Served, complaints: Complaints, desk: TableOnPage) -> None:
    # The browser tells of every request that nobody answers.
    complaints.expected += ["ERR_CONNECTION", "ERR_CONTENT_LENGTH_MISMATCH"]
    desk.open("belle-lucie/one-deal@3")
    move = desk.draggable()
    desk.drag(move)
    desk.expect_moves(1)
    served.kill()
    desk.page.keyboard.press("u")
    expect(desk.page.locator("#offline")).to_contain_text("does not answer")
    desk.shot("server-gone")
    served.start()
    expect(desk.page.locator("#offline")).to_be_hidden()
    desk.expect_moves(1)
    assert desk.table()["moves"] == [move["token"]]
    desk.page.keyboard.press("u")
    desk.expect_moves(0)


def test_the_coach_asks_before_a_win_is_given_away(desk: TableOnPage) -> None:
    page = desk.page
    desk.open("belle-lucie/one-deal@3")
    page.click("#open-settings")
    page.get_by_text("Coach: ask").click()
    desk.button("Done").click()
    legal = desk.table()["legal"]
    page.keyboard.press("l")
    good, bad = "AC^", "2H>3H"
    assert {good, bad} <= {move["token"] for move in legal}
    page.locator(f'.legal-list button[data-token="{bad}"]').click()
    expect(page.get_by_role("dialog", name="The coach asks")).to_contain_text("100 %")
    desk.shot("coach")
    desk.button("Think again").click()
    desk.expect_moves(0)
    page.locator(f'.legal-list button[data-token="{good}"]').click()
    desk.expect_moves(1)
    page.keyboard.press("u")
    desk.expect_moves(0)
    page.locator(f'.legal-list button[data-token="{bad}"]').click()
    desk.button("Move anyway").click()
    desk.expect_moves(1)
