"""What a person does at the page, by the words on it: open a deal, drag a card, press a button."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.laws import IS_LONG


@dataclass(frozen=True)
class Box:
    """Where something is on the screen."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass
class TableOnPage:
    """A browser window with the page in it."""

    page: Page
    url: str
    shots: Path

    # Where to go and what is there.

    def go(self, fragment: str) -> None:
        self.page.goto(f"{self.url}{fragment}")

    def open(self, deal: str, moves: str = "") -> None:
        """A deal by its link, the cards at rest."""
        self.go(f"#/play?deal={deal}" + (f"&moves={moves}" if moves else ""))
        self.rest()

    def lay(self, **asked: Any) -> Any:
        """Begin a game as the API is asked, and open it. Return the table as the server has it."""
        self.go("#/help")
        table = self.page.evaluate(
            """(asked) => fetch("api/tables", { method: "POST", headers: { "Content-Type": "application/json" },
               body: JSON.stringify(asked) }).then((answer) => answer.json())""",
            asked,
        )
        self.go(f"#/table/{table['id']}")
        self.rest()
        return table

    def rest(self) -> None:
        """Wait until the cards lie still."""
        expect(self.page.locator(".felt .place").first).to_be_visible()
        self.page.evaluate("() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished))")

    @property
    def address(self) -> dict[str, str]:
        """What the address bar says: deal, moves, id."""
        query = urlsplit(urlsplit(self.page.url).fragment).query
        return {name: values[0] for name, values in parse_qs(query).items()}

    def table(self) -> Any:
        """The game as the server has it."""
        return self.page.evaluate(
            "(id) => fetch(`api/tables/${id}`).then((answer) => answer.json())", self.address["id"]
        )

    def place(self, name: str) -> Locator:
        return self.page.locator(f'.felt [data-place="{name}"]')

    def card(self, place: str, index: int | None) -> Locator:
        """A card by its place, or the last one there, or the place if it is empty."""
        cards = self.place(place).locator(":scope > .card")
        if cards.count() == 0:
            return self.place(place)
        return cards.nth(cards.count() - 1 if index is None else index)

    def box(self, of: Locator) -> Box:
        found = of.bounding_box()
        assert found is not None
        return Box(found["x"], found["y"], found["width"], found["height"])

    def boxes(self, selector: str) -> list[Box]:
        """Of all at once: a question each would take its time."""
        script = """(nodes) => nodes.map((node) => node.getBoundingClientRect())
            .map(({ x, y, width, height }) => ({ x, y, width, height }))"""
        return [Box(**found) for found in self.page.locator(selector).evaluate_all(script)]

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def shot(self, name: str) -> None:
        """Keep a picture for people to look at. In the long run only: no test reads it, and each takes its time."""
        if IS_LONG:
            self.shots.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=self.shots / f"{name}.png")

    # What to do.

    def draggable(self) -> Any:
        """A legal move of a card, after pressing the stock until there is one."""
        for _ in range(20):
            table = self.table()
            moves = [
                move for move in table["legal"] if move["from"] and move["from"]["card"] is not None and move["to"]
            ]
            if moves:
                return moves[0]
            self.press_stock()
        raise AssertionError("no card can be dragged")

    def press_stock(self) -> None:
        made = len(self.table()["moves"])
        self.place("stock").click()
        self.expect_moves(made + 1)
        self.rest()

    def expect_moves(self, count: int) -> None:
        expect(self.page.locator(".standing .count")).to_have_text(f"{count} move{'' if count == 1 else 's'}")

    def drag(self, move: Any) -> None:
        """A move by the mouse, as a hand would do it: down, along, up."""
        mouse = self.page.mouse
        source = self.box(self.card(move["from"]["place"], move["from"]["card"]))
        x, y = source.x + source.width / 2, source.y + min(12, source.height / 2)
        target = self.box(self.card(move["to"]["place"], None)).middle
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 15, y + 15, steps=2)
        expect(self.page.locator(".is-target").first).to_be_attached()
        mouse.move(*target, steps=5)
        expect(self.page.locator(".is-over")).to_have_count(1)
        mouse.up()

    def solve(self) -> None:
        """Ask whether the game can still be won; the cards may be looked at."""
        looks = self.table()["solver_looks"]
        self.page.get_by_role("button", name="Can this still be won?").click()
        if looks:
            self.button("Look").click()
        expect(self.page.locator(".verdict")).to_be_visible()

    def watch(self) -> None:
        self.button("Watch the solution").click()
        expect(self.page.locator(".playback-count")).to_be_visible()

    def slide(self, step: int) -> None:
        """The slider of the play-back to a step."""
        self.page.get_by_label("Step of the line").fill(str(step))
