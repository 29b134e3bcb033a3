"""The page in Debian's chromium, before a server in a process of its own; complaints of the browser are failures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.cli.program import PROGRAM, environment
from tests.web.browser.table import TableOnPage

# Nothing is sent out or looked up; the sandbox cannot be had by root, as whom CI runs.
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SHOTS = Path(__file__).parents[3] / "build" / "screenshots"
PATIENCE = 30_000
"""Milliseconds: what takes longer on a busy machine is a failure."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for this folder. It ends with it: its event loop would be in the way of other tests."""
    chromium = shutil.which("chromium")
    if chromium is None:
        missing = "no `chromium` here; on Debian: apt-get install --no-install-recommends chromium"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Served:
    """A server in a process of its own, with saves of its own."""

    saves: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        command = [*PROGRAM, "serve", "--no-browser", "--port", str(self.port), "--saves", str(self.saves)]
        command += ["--store", str(self.saves / "store.sqlite")]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, f"the server said {said!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@pytest.fixture(scope="package")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # After the browser, so that where it is missing no server is started.
    server = Served(tmp_path_factory.mktemp("saves"))
    server.start()
    yield server
    server.kill()


@dataclass
class Complaints:
    """What the browser complained about during a test, and what it asked of other hosts."""

    heard: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """Parts of complaints that the test is about."""

    def check(self) -> None:
        unexpected = [text for text in self.heard if not any(part in text for part in self.expected)]
        assert not unexpected, "\n".join(unexpected)


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    found = Complaints()
    yield found
    found.check()


class Window:
    """A browser window that the tests of this folder use one after the other.

    Opening a window costs more processor time than most tests. Every test begins with an empty storage and loads the
    page anew.
    """

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self._context = browser.new_context(**options)
        self._context.set_default_timeout(PATIENCE)
        self._context.on("page", self._listen)
        self._url, self._size = url, options["viewport"]
        self._complaints = Complaints()
        self._page = self._context.new_page()

    def _listen(self, page: Page) -> None:
        def console(said: ConsoleMessage) -> None:
            # The page names its icon; for the document between two tests the browser asks for the usual one.
            if said.type in ("error", "warning") and not said.location["url"].endswith("/favicon.ico"):
                self._complaints.heard.append(f"{said.type}: {said.text}")

        def request(asked: Request) -> None:
            if not asked.url.startswith((self._url, "data:", "blob:")):
                self._complaints.heard.append(f"asked of another host: {asked.url}")

        page.on("console", console)
        page.on("request", request)
        page.on("pageerror", lambda error: self._complaints.heard.append(f"page error: {error}"))

    def lend(self, complaints: Complaints) -> Iterator[TableOnPage]:
        """Lend the window to a test, and then leave the page and forget what it stored."""
        self._complaints = complaints
        yield TableOnPage(self._page, self._url, SHOTS)
        self._complaints = Complaints()
        for page in self._context.pages:
            if page != self._page:
                page.close()
        self._context.clear_permissions()
        if self._page.viewport_size != self._size:
            self._page.set_viewport_size(self._size)
        # A document of the same server, so that the next test's page is loaded by the same process.
        self._page.goto(f"{self._url}static/icon.svg")
        self._page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")

    def close(self) -> None:
        self._context.close()


@pytest.fixture(scope="package")
def desk_window(browser: Browser, served: Served) -> Iterator[Window]:
    window = Window(browser, served.url, viewport={"width": 1280, "height": 800}, color_scheme="light")
    yield window
    window.close()


@pytest.fixture(scope="package")
def phone_window(browser: Browser, served: Served) -> Iterator[Window]:
    window = Window(
        browser,
        served.url,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
        color_scheme="dark",
    )
    yield window
    window.close()


@pytest.fixture
def desk(desk_window: Window, complaints: Complaints) -> Iterator[TableOnPage]:
    """The page on a desk: mouse and keyboard, 1280 by 800."""
    yield from desk_window.lend(complaints)


@pytest.fixture
def phone(phone_window: Window, complaints: Complaints) -> Iterator[TableOnPage]:
    """The page on a small phone: touch, 360 by 740, and a dark evening."""
    yield from phone_window.lend(complaints)
