"""`unshuffle serve` as a process: its port, its end, and what is left when it is killed."""

from __future__ import annotations

import builtins
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.conftest import Run, run
from tests.cli.program import PROGRAM, environment
from unshuffle.errors import UsageError
from unshuffle.web import serving
from unshuffle.web.serving import bind

__all__ = ["run"]  # a fixture

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """The program, and a client for the page that it names."""
    line = [*PROGRAM, "serve", "--no-browser", "--port", "0", "--saves", str(folder / "saves"), *arguments]
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            assert told.startswith("The page is at http://127.0.0.1:"), told
            with httpx.Client(base_url=told.split()[4], timeout=60, trust_env=False) as client:
                yield process, client
        finally:
            process.kill()


@posix
@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    with started(tmp_path) as (process, client):
        table = client.post("/api/tables", json={"game": "spider", "seed": "7"}).json()
        for _ in range(5):
            token = table["legal"][0]["token"]
            table = client.post(f"/api/tables/{table['id']}/moves", json={"moves": [token]}).json()
        table = client.post(f"/api/tables/{table['id']}/undo", json={"count": 2}).json()
        process.send_signal(signal.SIGKILL)
        process.wait()
    with started(tmp_path) as (_, client):
        assert client.get(f"/api/tables/{table['id']}").json() == table
        assert client.post(f"/api/tables/{table['id']}/redo", json={"count": 2}).json()["undone"] == []


@posix
@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_ctrl_c_ends_it_with_its_jobs(tmp_path: Path) -> None:
    with started(tmp_path) as (process, client):
        table = client.post("/api/tables", json={"deal": "belle-lucie/shamrocks@0"}).json()
        asked = {"kind": "solve", "table": table["id"], "seconds": 300}
        job = client.post("/api/jobs", json=asked).json()
        with client.stream("GET", f"/api/jobs/{job['id']}/events") as stream:
            lines = stream.iter_lines()
            next(lines)
            process.send_signal(signal.SIGINT)
            assert "event: end" in list(lines)  # whoever listens hears of it
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_port_in_use_is_told_and_without_one_the_next_is_taken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = run("serve", "--no-browser", "--port", port)
        assert ended.code == 2
        assert ended.err == f"Error: cannot listen on 127.0.0.1, port {port}: another program uses it\n"
        monkeypatch.setattr(serving, "PORT", port)
        with bind("127.0.0.1", None) as near:
            assert port < near.getsockname()[1] < port + 20
        monkeypatch.setattr(serving, "_NEAR", 1)
        with pytest.raises(UsageError, match="all in use"):
            bind("127.0.0.1", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--memory", "much"], "--memory: 'much' is not an amount of memory"),
        (["--memory", "0"], "--memory: 0 is not an amount of memory"),
        (["--seconds", "inf"], "--seconds: inf is not a time"),
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
    ],
)
@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_wrong_usage(run: Run, arguments: list[str], words: str) -> None:
    ended = run("serve", "--no-browser", "--port", "0", *arguments)
    assert ended.code == 2
    assert words in ended.err


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_without_the_extra_it_says_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "fastapi":
            raise ImportError("no fastapi", name="fastapi")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    ended = run("serve", "--no-browser")
    assert ended.code == 2
    assert ended.err == "Error: the page needs fastapi; pip install 'unshuffle[web]' brings it\n"


def test_small_answers_are_sent_at_once() -> None:
    with bind("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP  # or asyncio leaves the delay of small packets as it is


def test_another_address_is_warned_of() -> None:
    said: list[str] = []
    for host in ("127.0.0.1", "::1", "localhost", "127.0.0.2", "0.0.0.0"):
        serving.warn(host, said.append)
    assert said == ["Warning: everyone who can reach 0.0.0.0 can use this server, its saves and its processor."]
