"""Advice beside a real table, through redeals, a killed server and a save file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import unshuffle as un
from tests.laws import IS_LONG
from tests.web.browser.conftest import Served
from tests.web.browser.table import TableOnPage
from tests.web.browser.typed import typed

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


def begin(desk: TableOnPage, game: str, variant: str, name: str) -> Page:
    page = desk.page
    desk.go("#/advise")
    page.get_by_label("Game", exact=True).select_option(game)
    page.get_by_label("Variant").select_option(variant)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".stage")).to_be_visible()
    return page


def answer(page: Page, text: str) -> None:
    page.locator("#answer").fill(text)
    page.keyboard.press("Enter")


def expect_stage(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.locator(".advise-side")).not_to_have_class(re.compile("is-busy"))


def advised(page: Page, name: str) -> Any:
    """The game as the server has it."""
    return page.evaluate("(id) => fetch(`api/advised/${id}`).then((answer) => answer.json())", name)


REDEALT = [("belle-lucie", "classic", 4), ("gaps", "addiction", 10)]


@pytest.mark.parametrize(("game", "variant", "seed"), REDEALT if IS_LONG else REDEALT[:1])
def test_a_game_with_a_redeal_outlives_its_server(
    desk: TableOnPage, served: Served, game: str, variant: str, seed: int
) -> None:
    name = f"{game}-test"
    page = begin(desk, game, variant, name)
    state = un.game(game, variant).deal(seed=seed)
    first, *others = typed(state).splitlines()

    # A card twice: on the draft it is marked, and taken back it is gone.
    expect_stage(page, "The cards on your table")
    answer(page, f"{first}\n{first.split()[-1]}")
    expect(page.locator(".draft .is-wrong").first).to_be_visible()
    expect(page.locator(".advise-board .faults")).to_contain_text("twice")
    page.get_by_role("button", name="Take back", exact=True).click()
    expect(page.locator(".draft .is-wrong")).to_have_count(0)

    answer(page, "\n".join([first, *others]))
    expect_stage(page, "Your move")
    page.get_by_role("button", name="Advice").click()
    expect(page.locator(".plan-moves li").first).to_be_visible()
    expect(page.locator(".chance-figure")).to_contain_text("%")
    expect(page.locator(".adviser-says")).to_contain_text("redeal")
    desk.shot(f"advise-{game}-plan")

    plan = [told["token"] for told in advised(page, name)["planned"]]
    page.get_by_role("button", name="Moves 1 to 2 are done").click()
    expect(page.locator(".plan-moves li")).to_have_count(len(plan) - 2)
    page.get_by_role("button", name="All of the plan is done").click()
    expect(page.locator(".plan-moves")).to_have_count(0)
    page.get_by_role("button", name="Redeal", exact=True).click()
    expect_stage(page, "The redeal")

    for token in plan:
        state = state.play(un.game(game, variant).parse_move(token, state))
    state = state.play(un.game(game, variant).parse_move("r", state))
    answer(page, typed(state))
    expect_stage(page, "Your move")
    board = page.locator(".mat-picture").inner_html()
    shown = advised(page, name)["picture"]

    page.goto("about:blank")
    served.kill()
    served.start()
    desk.go("#/advise")
    page.locator(".save-main", has_text=name).click()
    expect_stage(page, "Your move")
    assert advised(page, name)["picture"] == shown
    assert board.count("card") == page.locator(".mat-picture").inner_html().count("card")
    expect(page.locator(".sitting-head")).to_contain_text("2 of")


def test_a_save_file_goes_out_and_comes_back(desk: TableOnPage, tmp_path: Path) -> None:
    page = begin(desk, "spider", "1-suit", "travels")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download travels").click()
    path = tmp_path / "travels.json"
    download.value.save_as(path)
    page.get_by_role("link", name="All games").click()
    page.get_by_role("button", name="Delete travels").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".save-main", has_text="travels")).to_have_count(0)

    page.locator("#advised-file").set_input_files(path)
    expect_stage(page, "The cards on your table")
    assert advised(page, "travels")["variant"] == "1-suit"


def test_cards_that_come_to_light_are_asked_for(phone: TableOnPage) -> None:
    page = begin(phone, "aces-up", "standard", "aces")
    page.get_by_role("button", name="That is all").tap()
    expect_stage(page, "Your move")
    answer(page, "d")
    expect_stage(page, "What came to light?")
    for card in ("ace of spades", "two of hearts", "three of clubs", "four of diamonds"):
        page.get_by_role("button", name=f"{card}, not used yet").tap()
    page.get_by_role("button", name="Enter", exact=True).tap()
    expect_stage(page, "Your move")
    expect(page.locator('.mat-picture .card[data-face="4D"]')).to_be_visible()
    phone.shot("advise-phone")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

    # A refused answer is explained and changes nothing.
    answer(page, "9-9")
    expect(page.locator(".said-now")).not_to_be_empty()
    expect_stage(page, "Your move")
