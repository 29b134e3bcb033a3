"""The application behind a real server in a thread of this process, asked over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
import uvicorn

from unshuffle.web.app import make_app
from unshuffle.web.serving import bind, configured
from unshuffle.web.settings import Settings


@dataclass
class Server:
    """One server: what it was started with, and a client."""

    settings: Settings
    client: httpx.Client

    def get(self, path: str, code: int = 200) -> Any:
        answer = self.client.get(f"/api{path}")
        assert answer.status_code == code, answer.text
        return answer.json()

    def post(self, path: str, body: Any, code: int = 200) -> Any:
        answer = self.client.post(f"/api{path}", json=body)
        assert answer.status_code == code, answer.text
        return answer.json()

    def delete(self, path: str, code: int = 200) -> Any:
        answer = self.client.delete(f"/api{path}")
        assert answer.status_code == code, answer.text
        return answer.json() if answer.content else None

    def table(self, game: str = "belle-lucie", **asked: Any) -> Any:
        return self.post("/tables", {"game": game, **({"seed": "7"} if not asked else {}), **asked}, 201)

    def job(self, **asked: Any) -> Any:
        """A job, waited for to its end."""
        return self.wait(self.post("/jobs", asked, 202)["id"])

    def wait(self, name: str, seconds: float = 120) -> Any:
        until = monotonic() + seconds
        while monotonic() < until:
            job = self.get(f"/jobs/{name}")
            if job["status"] in ("done", "failed", "cancelled"):
                return job
            sleep(0.02)
        raise AssertionError(f"the job did not end: {job}")

    def answer(self, name: str, answer: str, **more: Any) -> Any:
        """An answer at an advised game's prompt."""
        job = self.job(kind="answer", advised=name, answer=answer, **more)
        assert job["status"] == "done", job
        return job["result"]


def serve(folder: Path, **changes: Any) -> Iterator[Server]:
    given: dict[str, Any] = {"saves": folder / "saves", "store": folder / "store.sqlite", "jobs": 2}
    settings = Settings(**{**given, "memory": 120_000_000, **changes})
    app = make_app(settings)
    listening = bind(settings.host, 0)
    listening.listen()  # so that no request comes too early
    uvicorn_server = uvicorn.Server(configured(app.asgi, "critical"))
    thread = Thread(target=uvicorn_server.run, kwargs={"sockets": [listening]})
    thread.start()
    port = listening.getsockname()[1]
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False, verify=False) as client:
            yield Server(settings, client)
    finally:
        app.jobs.stop_all()
        uvicorn_server.should_exit = True
        thread.join()
        app.jobs.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with an empty folder of its own."""
    yield from serve(tmp_path)


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that look only at what they have made: to start one costs more than most tests."""
    yield from serve(tmp_path_factory.mktemp("shared"))
