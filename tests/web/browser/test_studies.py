"""A study is run from the page and shown with its intervals."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Complaints
from tests.web.browser.table import TableOnPage

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


def test_a_study_is_run_and_shown(desk: TableOnPage) -> None:
    page = desk.page
    desk.go("#/studies")
    page.get_by_label("Name").fill("fans")
    page.get_by_label("Game", exact=True).select_option("belle-lucie")
    page.get_by_label("Variant").select_option("one-deal")
    page.get_by_label("Deals", exact=True).fill("40")
    page.get_by_role("button", name="Run").click()

    table = page.locator(".rates-table")
    expect(table).to_be_visible()
    study = page.evaluate("() => fetch('api/studies/fans').then((answer) => answer.json())")
    (row,) = study["rows"]
    assert row["n"] == 40
    expect(table.locator("tbody tr")).to_have_count(1)
    expect(table).to_contain_text(f"{100 * row['rate']:.1f} %")
    expect(table).to_contain_text(f"{100 * row['low']:.1f} – {100 * row['high']:.1f}")
    expect(table).to_contain_text("open")
    expect(table.locator("svg.interval circle")).to_have_count(1)
    expect(page.locator("figure.chart svg").first).to_be_visible()
    page.get_by_text("What the figures rest on").click()
    expect(page.locator(".provenance").first).to_contain_text("one-deal")
    desk.shot("study")

    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Full report").click()
    expect(opened.value.get_by_role("heading", name="fans")).to_be_visible()

    page.get_by_role("link", name="All studies").click()
    expect(page.get_by_role("link", name="fans")).to_contain_text("40 deals in 1 run")


def test_a_long_study_is_stopped_and_kept(phone: TableOnPage) -> None:
    page = phone.page
    phone.go("#/studies")
    page.get_by_label("Name").fill("long")
    page.get_by_label("Game", exact=True).select_option("spider")
    page.get_by_label("Who plays").select_option("greedy")
    page.get_by_label("Deals", exact=True).fill("100000")
    page.get_by_role("button", name="Run").tap()
    expect(page.locator(".job-words")).to_contain_text("of 100,000")
    page.get_by_role("button", name="Stop").tap()
    expect(page.get_by_role("link", name="long")).to_be_visible()
    expect(page.locator(".job")).to_have_count(0)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_wrong_study_is_explained(desk: TableOnPage, complaints: Complaints) -> None:
    page = desk.page
    complaints.expected.append("400")
    desk.go("#/studies")
    page.get_by_label("Name").fill("wrong")
    page.get_by_label("Game", exact=True).select_option("belle-lucie")
    page.get_by_text("Other rules").click()
    page.get_by_label("max cards").fill("many")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_contain_text("many")
