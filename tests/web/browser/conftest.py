"""The page in Debian's chromium, before a server in a process of its own; complaints of the browser are failures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of each module, not of the session: the loop in which it runs would be in the way of other tests."""
    if os.environ.get("UNSHUFFLE_ENGINE") == "python":
        pytest.skip("the page is the same on either engine; the native one answers sooner")
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


@pytest.fixture(scope="module")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    # After the browser, so that where it is missing no server is started.
    server = Served(tmp_path_factory.mktemp("saves"))
    server.start()
    yield server
    server.kill()


@dataclass
class Complaints:
    """What the browser complained about, and what it asked of other hosts."""

    heard: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """Parts of complaints that the test is about."""

    def watch(self, context: BrowserContext, url: str) -> None:
        def console(said: ConsoleMessage) -> None:
            if said.type in ("error", "warning"):
                self.heard.append(f"{said.type}: {said.text}")

        def request(asked: Request) -> None:
            if not asked.url.startswith((url, "data:", "blob:")):
                self.heard.append(f"asked of another host: {asked.url}")

        def page(opened: Page) -> None:
            opened.on("console", console)
            opened.on("request", request)
            opened.on("pageerror", lambda error: self.heard.append(f"page error: {error}"))

        context.on("page", page)

    def check(self) -> None:
        unexpected = [text for text in self.heard if not any(part in text for part in self.expected)]
        assert not unexpected, "\n".join(unexpected)


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    found = Complaints()
    yield found
    found.check()


@pytest.fixture
def desk(browser: Browser, served: Served, complaints: Complaints) -> Iterator[TableOnPage]:
    """The page on a desk: mouse and keyboard, 1280 by 800."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    yield from _page(context, served, complaints)


@pytest.fixture
def phone(browser: Browser, served: Served, complaints: Complaints) -> Iterator[TableOnPage]:
    """The page on a small phone: touch, 360 by 740, and a dark evening."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
        color_scheme="dark",
    )
    yield from _page(context, served, complaints)


def _page(context: BrowserContext, served: Served, complaints: Complaints) -> Iterator[TableOnPage]:
    context.set_default_timeout(PATIENCE)
    complaints.watch(context, served.url)
    SHOTS.mkdir(parents=True, exist_ok=True)
    yield TableOnPage(context.new_page(), served.url, SHOTS)
    context.close()
