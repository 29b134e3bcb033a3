"""The page's server: `python benches/web.py [--moves N] [--seconds S] [--json]`.

Starts a server on the loopback interface, with a temporary saves folder. Five parts:

paint  the first paint of the start page and of a table in chromium, if installed: the median of new browsers
page   the time to the first byte of `/`, and of the whole page with its modules and styles, one after the other
one    how long a move takes, with one tab: every move is on the disk before it is answered
ten    the same with ten tabs at once
jobs   the same with one tab while ten solve jobs are under way, and the server's memory against its limit

Each part prints median and 99th percentile. The goals of the project: a page within 1 s, a median below 50 ms.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter, sleep
from typing import Any

import httpx

from unshuffle.registry import games_with

GAMES = tuple(games_with("picture"))
HARD = (
    "belle-lucie/shamrocks@0", "belle-lucie/shamrocks@4", "aces-up/relaxed-discards@0", "aces-up/relaxed-discards@2",
    "spider/4-suits@1", "spider/4-suits@5", "agnes/up-color-high1@9", "agnes/up-color-high1@10",
    "gaps/basic@3", "belle-lucie/shamrocks@5",
)  # fmt: skip
PAGE_GOAL, MOVE_GOAL = 1.0, 0.050
MEMORY = 256 << 20
PAINTS = 5
# So that chromium runs as root and makes no requests of its own.
BROWSER_OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
_IS_PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"
_PAINTED_AT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_LINKED = re.compile(r'(?:src|href)="(/?static/[^"]+)"')


@contextmanager
def served(*options: str) -> Iterator[tuple[httpx.Client, int]]:
    with tempfile.TemporaryDirectory() as folder:
        line = [sys.executable, "-m", "unshuffle", "serve", "--no-browser", "--port", "0", "--saves", folder, *options]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                url = process.stdout.readline().split()[4]
                with httpx.Client(base_url=url, timeout=120, trust_env=False) as client:
                    yield client, process.pid
            finally:
                process.terminate()


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 if the system does not tell it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")))


def time_moves(url: str, count: int, game: str, seed: int) -> list[float]:
    """Play a game by arbitrary moves, a new one when it is over; return the seconds of each move."""
    taken: list[float] = []
    with httpx.Client(base_url=url, timeout=120, trust_env=False) as client:
        table: Any = None
        while len(taken) < count:
            if table is None or not table["legal"]:
                table = client.post("/api/tables", json={"game": game, "seed": str(seed)}).json()
                seed += 1
            token = table["legal"][len(taken) % len(table["legal"])]["token"]
            begun = perf_counter()
            answer = client.post(f"/api/tables/{table['id']}/moves", json={"moves": [token]})
            taken.append(perf_counter() - begun)
            answer.raise_for_status()
            table = answer.json()
    return taken


def told(times: list[float]) -> dict[str, float]:
    return {
        "moves": len(times),
        "median_ms": round(1000 * median(times), 2),
        "p99_ms": round(1000 * quantiles(times, n=100)[98], 2),
        "max_ms": round(1000 * max(times), 2),
    }


def measure_page(client: httpx.Client) -> dict[str, float]:
    firsts, wholes = [], []
    for _ in range(10):
        begun = perf_counter()
        with client.stream("GET", "/") as answer:
            body = b""
            for part in answer.iter_bytes():
                if not body:
                    firsts.append(perf_counter() - begun)
                body += part
        for path in _LINKED.findall(body.decode()):
            client.get(path).raise_for_status()
        wholes.append(perf_counter() - begun)
    return {"first_byte_ms": round(1000 * median(firsts), 2), "linked_ms": round(1000 * median(wholes), 2)}


def measure_paint(url: str) -> dict[str, float]:
    """Return the milliseconds from the request of a page to its first paint; empty without a browser."""
    program = shutil.which("chromium")
    if program is None:
        return {}
    from playwright.sync_api import sync_playwright

    paints: dict[str, list[float]] = {"start_ms": [], "table_ms": []}
    with sync_playwright() as play:
        for _ in range(PAINTS):
            for name, path in (("start_ms", ""), ("table_ms", "#/play?deal=spider/4-suits@7")):
                browser = play.chromium.launch(executable_path=program, args=list(BROWSER_OPTIONS))
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(f"{url}{path}")
                page.wait_for_function(_IS_PAINTED)
                paints[name].append(page.evaluate(_PAINTED_AT))
                browser.close()
    return {name: round(median(times), 1) for name, times in paints.items()}


def measure_jobs(client: httpx.Client, pid: int, moves: int, seconds: float) -> dict[str, float]:
    url = str(client.base_url)
    names = []
    for deal in HARD:
        table = client.post("/api/tables", json={"deal": deal}).json()
        asked = {"kind": "solve", "table": table["id"], "look": True, "seconds": seconds}
        names.append(client.post("/api/jobs", json=asked).raise_for_status().json()["id"])
    sleep(1)
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(lambda: [each for game in GAMES for each in time_moves(url, moves // 5, game, 1)])
        most, under_way = 0, []
        while not playing.done():
            most = max(most, resident(pid))
            states = [client.get(f"/api/jobs/{name}").json()["status"] for name in names]
            under_way.append(sum(state in ("queued", "running") for state in states))
            sleep(0.2)
    begun = monotonic()
    for name in names:
        client.delete(f"/api/jobs/{name}")
    while any(client.get(f"/api/jobs/{name}").json()["status"] in ("queued", "running") for name in names):
        sleep(0.01)
    ended = monotonic() - begun
    return {
        **told(playing.result()),
        "jobs_at_least": min(under_way),
        "rss_mib": round(most / 2**20),
        "limit_mib": MEMORY >> 20,
        "ended_ms": round(1000 * ended),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=200, help="moves in each part")
    parser.add_argument("--seconds", type=float, default=120.0, help="time for each solve job")
    parser.add_argument("--jobs", type=int, default=None, help="solve jobs that run at once (default: the cores)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    jobs = () if arguments.jobs is None else ("--jobs", str(arguments.jobs))
    with served("--memory", str(MEMORY), *jobs) as (client, pid):
        url = str(client.base_url)
        parts: dict[str, Callable[[], dict[str, float]]] = {
            "paint": lambda: measure_paint(url),
            "page": lambda: measure_page(client),
            "one": lambda: told([each for game in GAMES for each in time_moves(url, arguments.moves // 5, game, 1)]),
            "ten": lambda: told(_ten_tabs(url, arguments.moves)),
            "jobs": lambda: measure_jobs(client, pid, arguments.moves, arguments.seconds),
        }
        base = resident(pid)
        for name, measure in parts.items():
            found[name] = measure()
            if not arguments.json:
                print(f"{name:<5}" + "  ".join(f"{key} {value:g}" for key, value in found[name].items()), flush=True)
        found["jobs"]["rss_before_mib"] = round(base / 2**20)
    if arguments.json:
        print(json.dumps(found))
    else:
        print(f"server before any job: {base >> 20} MiB; goals: page {PAGE_GOAL:g} s, move {1000 * MOVE_GOAL:g} ms")


def _ten_tabs(url: str, moves: int) -> list[float]:
    with ThreadPoolExecutor(10) as pool:
        tabs = [pool.submit(time_moves, url, moves // 10, GAMES[tab % 5], 100 * tab) for tab in range(10)]
        return [each for tab in tabs for each in tab.result()]


if __name__ == "__main__":
    main()
