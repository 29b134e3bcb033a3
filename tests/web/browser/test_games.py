"""Games at the table: opened by a link, a card dragged and taken back, a hint, a solution watched, and won."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import unshuffle as un
from tests.laws import IS_LONG
from tests.web.browser.table import TableOnPage
from unshuffle.game import WINNABLE

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")

# Deals that can be won and that the solver decides in a blink.
DEALS = [
    "aces-up/standard@17",
    "agnes/down-color-anyrun@6",
    "belle-lucie/one-deal@3",
    "gaps/addiction@3",
    "spider/1-suit@4",
]
# A game without hidden cards, and one with them, whose player is asked whether the solver may look.
SOLVED = DEALS if IS_LONG else [deal for deal in DEALS if deal.startswith(("aces-up", "belle-lucie"))]
LOST_PHASE = """\
2D 3D 4D 5D 6D 7D 8D -- QS -- -- TH JS
2C 3C 4C 5C 6C 7C 8C 9C TC JC KS JH 9H
2H 3H 4H 5H 6H 7H 8H QD JD TD 9D -- QC
2S 3S 4S 5S 6S 7S 8S 9S TS KD KH QH KC
"""
"""A first table of Gaps that a short search proves to be lost; the game may be won by its redeals."""


def name_of(deal: str) -> str:
    return deal.split("/")[0]


@pytest.mark.parametrize("deal", DEALS, ids=name_of)
def test_a_card_is_dragged_and_taken_back_and_a_hint_given(desk: TableOnPage, deal: str) -> None:
    game, page = name_of(deal), desk.page
    desk.open(deal)
    assert desk.address["deal"] == deal
    move = desk.draggable()
    begun = len(desk.table()["moves"])
    desk.shot(f"{game}-desk")

    desk.drag(move)
    desk.expect_moves(begun + 1)
    expect(page.locator("#said")).to_contain_text(":")
    after = desk.table()
    assert after["moves"][-1] == move["token"]
    assert desk.address["moves"].split(",") == after["moves"]
    desk.rest()

    page.keyboard.press("Control+z")
    desk.expect_moves(begun)
    assert desk.table()["undone"] == [move["token"]]
    desk.rest()

    desk.button("Hint").click()
    expect(page.locator(".told")).to_be_visible()
    expect(page.locator(".answers .meter-figure")).to_contain_text("%")
    expect(page.locator(".is-hinted").first).to_be_attached()
    desk.shot(f"{game}-hint")


@pytest.mark.parametrize("deal", SOLVED, ids=name_of)
def test_a_game_is_solved_watched_and_won(desk: TableOnPage, deal: str) -> None:
    game, page = name_of(deal), desk.page
    desk.open(deal)
    desk.solve()
    expect(page.locator(".verdict")).to_contain_text("can")
    desk.watch()
    desk.button("Pause").click()
    last = int(page.get_by_label("Step of the line").get_attribute("max") or "0")
    desk.slide(last // 2)
    expect(page.locator(".playback-count")).to_have_text(f"{last // 2} / {last}")
    desk.button("Step forward").click()
    expect(page.locator(".playback-count")).to_have_text(f"{last // 2 + 1} / {last}")
    desk.button("Step back").click()
    desk.rest()
    desk.shot(f"{game}-playback")
    desk.button("To the end").click()
    expect(page.locator(".playback-words")).to_contain_text("Won!")
    # So far nothing has happened to the game itself.
    assert desk.table()["moves"] == []

    desk.button("Play on from here").click()
    expect(page.locator(".ending-won")).to_be_visible()
    assert desk.table()["outcome"] == "won"
    desk.shot(f"{game}-won")


def test_play_back_runs_by_itself_and_stops_at_the_end(desk: TableOnPage) -> None:
    desk.open("belle-lucie/one-deal@3")
    desk.solve()
    desk.watch()
    desk.page.get_by_label("Speed").select_option("10")
    last = int(desk.page.get_by_label("Step of the line").get_attribute("max") or "0")
    desk.slide(last - 4)
    desk.button("Play").click()
    expect(desk.page.locator(".playback-words")).to_contain_text("Won!")
    expect(desk.button("Play")).to_be_visible()
    desk.button("Back to my game").click()
    desk.expect_moves(0)


def test_two_clicks_move_a_card_and_a_double_click_sends_it_up(desk: TableOnPage) -> None:
    desk.open("agnes/down-color-anyrun@7")
    legal = desk.table()["legal"]
    across = next(move for move in legal if not move["goes_up"] and move["to"])
    desk.card(across["from"]["place"], across["from"]["card"]).click()
    expect(desk.page.locator(".is-chosen").first).to_be_attached()
    desk.card(across["to"]["place"], None).click()
    desk.expect_moves(1)
    desk.rest()
    desk.button("Undo").click()
    desk.expect_moves(0)
    desk.rest()
    up = next(move for move in legal if move["goes_up"])
    desk.card(up["from"]["place"], up["from"]["card"]).dblclick()
    desk.expect_moves(1)
    assert desk.table()["moves"] == [up["token"]]


def test_what_cannot_be_done_is_explained_and_changes_nothing(desk: TableOnPage) -> None:
    desk.open("agnes/down-color-anyrun@7")
    table = desk.table()
    froms = {(move["from"]["place"], move["from"]["card"]) for move in table["legal"] if move["from"]}
    piles = [place for area in table["picture"]["areas"] for place in area["places"] if place["kind"] == "pile"]
    stuck = next(pile for pile in piles if pile["cards"] and (pile["id"], len(pile["cards"]) - 1) not in froms)
    desk.card(stuck["id"], None).click()
    expect(desk.page.locator(".toast")).to_contain_text("cannot move now")
    movable = next(move for move in table["legal"] if move["from"]["card"] is not None)
    targets = {move["to"]["place"] for move in table["legal"] if move["from"] == movable["from"] and move["to"]}
    other = next(pile for pile in piles if pile["id"] not in targets and pile["id"] != movable["from"]["place"])
    card = desk.box(desk.card(movable["from"]["place"], movable["from"]["card"]))
    desk.page.mouse.move(card.x + 20, card.y + 20)
    desk.page.mouse.down()
    desk.page.mouse.move(*desk.box(desk.card(other["id"], None)).middle, steps=4)
    desk.page.mouse.up()
    expect(desk.page.locator(".toast").last).to_have_text(re.compile(rf"cannot go to {other['label']}"))
    desk.expect_moves(0)


def test_a_solve_tells_how_far_it_is_and_can_be_stopped(desk: TableOnPage) -> None:
    # Free twos: a search of many seconds.
    desk.open("gaps/one-deal@14")
    desk.page.get_by_role("button", name="Can this still be won?").click()
    expect(desk.page.locator(".answers")).to_contain_text("position")
    desk.shot("solving")
    desk.button("Stop").click()
    expect(desk.page.locator(".verdict")).to_contain_text("not a no")
    expect(desk.page.locator(".answers")).to_contain_text("Stopped after")


def test_a_winnable_deal_whose_phase_is_lost_is_no_red_news(desk: TableOnPage) -> None:
    """A deal that the form gives as winnable was called lost, in red; what counts there is the chance with redeals."""
    page = desk.page
    desk.lay(game="gaps", text=LOST_PHASE, fill=True)
    desk.button("Can this still be won?").click()
    expect(page.locator(".answers .verdict")).to_have_count(2)
    expect(page.locator(".answers .meter-figure")).to_contain_text("%")
    first, second = page.locator(".answers .verdict").all()
    expect(first).to_contain_text("With the redeals that are left the chance to win is ")
    expect(second).to_contain_text("This phase cannot be won without a redeal (proved)")
    expect(page.locator(".verdict-bad")).to_have_count(0)
    desk.shot("gaps-phase-lost")

    # Where no redeal is left the same is bad news.
    desk.lay(game="gaps", variant="addiction-one-deal", text=LOST_PHASE)
    desk.button("Can this still be won?").click()
    expect(page.locator(".answers .verdict-bad")).to_contain_text("The game cannot be won (proved)")
    expect(page.locator(".answers .meter-figure")).to_have_count(0)


def test_a_review_shows_a_lost_phase_otherwise_than_a_lost_game(desk: TableOnPage) -> None:
    page = desk.page
    for variant, count in (("addiction", 2), ("addiction-one-deal", 0)):
        game = un.game("gaps", variant)
        move = game.parse(LOST_PHASE).legal_moves()[0].token
        table = desk.lay(game="gaps", variant=variant, text=LOST_PHASE, fill=variant == "addiction", moves=[move])
        desk.go(f"#/review/{table['id']}")
        expect(page.locator(".position .mark-lost")).to_have_count(2)
        expect(page.locator(".position .mark-lost.goes-on")).to_have_count(count)
        expect(page.locator(".review-words .mark-lost.goes-on")).to_have_count(count // 2)


def test_the_form_and_the_help_say_what_winnable_means(desk: TableOnPage) -> None:
    desk.open("aces-up/standard@17")
    desk.page.keyboard.press("n")
    desk.page.locator(".deal-form").get_by_text("Winnable", exact=True).click()
    expect(desk.page.locator(".deal-form .way-fields")).to_contain_text(WINNABLE)
    desk.shot("form-winnable")
    desk.page.keyboard.press("Escape")
    desk.go("#/help")
    expect(desk.page.locator(".help-list").first).to_contain_text(WINNABLE)
