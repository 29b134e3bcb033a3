"""Who may ask, and how much: hosts, pages, bodies, paths, and the headers of every answer."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.web.conftest import Server, serve
from unshuffle.web import connection, table_routes
from unshuffle.web.guard import CONTENT_POLICY, Guard, is_loopback

NEW = {"game": "aces-up", "seed": "7"}
# A lenient reader finds this machine in each of them.
JOINED = [
    "127.0.0.1:8650,evil.example",
    "127.0.0.1,evil.example",
    "127.0.0.1:evil.example",
    "127.0.0.1/evil.example",
    "127.0.0.1?evil.example",
    "127.0.0.1#evil.example",
    "127.0.0.1 evil.example",
    "evil.example@127.0.0.1",
    "127.0.0.1:8650:8650",
    "127.0.0.1:",
    "127.0.0.1:123456",
    "[127.0.0.1]evil.example",
    "[::1]evil.example",
    "localhost.",
    "192.0.2.1",
]


@pytest.mark.parametrize(
    "path", ["/", "/api/tables", "/api/nothing", "/nothing", "/static/nothing.js", "/openapi.json"]
)
def test_every_answer_has_the_headers(shared: Server, path: str) -> None:
    headers = shared.client.get(path).headers
    assert headers["content-security-policy"] == CONTENT_POLICY
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", *JOINED])
def test_another_host_is_not_answered(shared: Server, host: str) -> None:
    for path in ("/", "/api/tables", "/static/main.js"):
        answer = shared.client.get(path, headers={"Host": host})
        assert answer.status_code in (400, 403)  # 400 is the shared's own, for what is no host at all
    refused = shared.client.post("/api/tables", json=NEW, headers={"Host": host})
    assert refused.status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:8650", "LOCALHOST:8650"])
def test_names_of_this_machine_are_answered(shared: Server, host: str) -> None:
    assert shared.client.get("/api/tables", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_page_changes_nothing(shared: Server, headers: dict[str, str]) -> None:
    table = shared.table("aces-up", moves=["d"])
    assert shared.client.post("/api/tables", json=NEW, headers=headers).status_code == 403
    assert shared.client.delete(f"/api/tables/{table['id']}", headers=headers).status_code == 403
    assert shared.get(f"/tables/{table['id']}") == table


def test_its_own_page_may(shared: Server) -> None:
    origin = str(shared.client.base_url).rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert shared.client.post("/api/tables", json=NEW, headers=headers).status_code == 201


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_page_is_no_request(shared: Server, kind: str) -> None:
    answer = shared.client.post("/api/tables", content=json.dumps(NEW), headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert "JSON" in answer.json()["detail"]


def test_a_body_is_not_read_beyond_its_limit(tmp_path: Path) -> None:
    large = json.dumps({**NEW, "text": "x" * 2000}).encode()

    def in_pieces() -> Iterator[bytes]:  # no length is told beforehand
        for start in range(0, len(large), 100):
            yield large[start : start + 100]

    for server in serve(tmp_path, body=1000):
        headers = {"Content-Type": "application/json"}
        answer = server.client.post("/api/tables", content=large, headers=headers)
        assert answer.status_code == 413
        assert answer.json()["detail"] == "the body is larger than 1,000 bytes"
        assert server.client.post("/api/tables", content=in_pieces(), headers=headers).status_code == 413
        assert server.table("aces-up")["id"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/....//app.py",
        "/static//etc/passwd",
        "/static/..%5capp.py",
        "/..%2f..%2fetc%2fpasswd",
        "/api/tables/..%2f..%2fsecret",
        "/api/tables/..%2f..%2fsecret/save",
        "/api/advised/..%2fsecret/save",
    ],
)
def test_no_path_leads_out(shared: Server, path: str) -> None:
    shared.settings.saves.mkdir(exist_ok=True)
    (shared.settings.saves.parent / "secret.json").write_text('{"format": "unshuffle-play", "game": "aces-up"}')
    answer = shared.client.get(path)
    assert answer.status_code == 404, answer.text
    assert "unshuffle-play" not in answer.text


@pytest.mark.parametrize("break_", ["%0d%0a", "%0a", "%0d", '"%3b'])
def test_nothing_can_be_put_into_a_header(shared: Server, break_: str) -> None:
    """A name of the request stands in one header only, that of a download, and only if a save has that name."""
    name = f"x{break_}Set-Cookie:%20a=b"
    for path in (f"tables/{name}/save", f"advised/{name}/save", f"tables/{name}", f"studies/{name}/report"):
        answer = shared.client.get(f"/api/{path}")
        assert answer.status_code in (400, 404)
        assert "set-cookie" not in answer.headers
        assert "content-disposition" not in answer.headers
    save = {
        **shared.client.get(f"/api/tables/{shared.table('aces-up', moves=['d'])['id']}/save").json(),
        "id": "x\r\nA: b",
    }
    taken = shared.client.post("/api/saves?rename=true", json=save)
    assert taken.status_code == 400
    assert "x\r\n" not in "".join(map(str, taken.headers.values()))


def test_no_answer_leads_to_another_path(shared: Server) -> None:
    """Law: every path of the description, with a slash more or fewer, is answered as described, or is not there."""
    described = shared.client.get("/openapi.json").json()["paths"]
    assert len(described) > 20
    described.pop("/api/about")  # it tells the engine, and these tests have none
    for path, methods in described.items():
        for asked in (f"{path}/", path.removesuffix("/"), f"/{path}", f"{path}//", path.replace("/", "//")):
            for method in methods:
                answer = shared.client.request(method, asked, json={} if method == "post" else None)
                allowed = {404, 405, *map(int, methods[method]["responses"])}
                assert answer.status_code in allowed, (method, asked, answer.text)
                assert "location" not in answer.headers
    for asked in ("/static", "/static/", "/openapi.json/", "//", "/api", "/api/"):
        assert shared.client.get(asked).status_code in (200, 404)


def test_a_request_with_two_hosts_is_not_answered(shared: Server) -> None:
    heads = ("Host: 127.0.0.1\r\nHost: evil.example", "Host: evil.example\r\nHost: 127.0.0.1", "X: 1")
    for head in heads:
        with connected(shared) as client:
            client.sendall(f"GET / HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n".encode())
            assert client.recv(1000).split()[1] in (b"400", b"403")


HEAD = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 30\r\n"
HALVES = {
    "nothing": b"",
    "half a line": b"GE",
    "half a head": HEAD,
    "a head without its body": HEAD + b"\r\n",
    "half a body": HEAD + b'\r\n{"game": "aces-up"',
    "a refused request without its body": HEAD.replace(b"127.0.0.1", b"evil.example") + b"\r\n",
    "a body that never ends": HEAD.replace(b"Content-Length: 30", b"Transfer-Encoding: chunked") + b"\r\n1\r\n ",
    "a whole request and half of another": b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /",
}


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    """A connection of its own; it is not waited for longer than a minute."""
    port = server.client.base_url.port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        yield client


@pytest.mark.parametrize("trickles", [False, True])
def test_a_half_sent_request_ends(server: Server, monkeypatch: pytest.MonkeyPatch, trickles: bool) -> None:
    """Law: whatever part of a request arrives, the server closes the connection, and plays none of it.

    In a second run something more arrives from time to time, which is no reason to wait for longer.
    """
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.3)
    for name, half in HALVES.items():
        with connected(server) as client:
            client.sendall(half)
            if trickles:
                client.settimeout(0.05)
            said, ended_at = b"", monotonic() + 60
            while monotonic() < ended_at:
                try:
                    part = client.recv(1000)
                    if not part:
                        break
                    said += part
                except TimeoutError:
                    with suppress(ConnectionError):
                        client.sendall(b"a" if half.count(b"\r\n\r\n") == 0 else b" ")
                except ConnectionError:
                    break
            else:
                pytest.fail(f"{name}: the connection is still open")
            is_refused = "refused" in name
            assert said.startswith(b"HTTP/1.1 403" if is_refused else b"HTTP/1.1 200" if "whole" in name else b""), name
            assert bool(said) == (is_refused or "whole" in name or ("never ends" in name and trickles)), (name, said)
    assert server.get("/tables") == []


def test_a_request_in_pieces_is_answered(server: Server) -> None:
    body = json.dumps(NEW).encode()
    with connected(server) as client:
        for piece in (HEAD[:20], HEAD[20:].replace(b"30", b"%d" % len(body)), b"\r\n", body[:5], body[5:]):
            client.sendall(piece)
            sleep(0.01)
        assert client.recv(1000).startswith(b"HTTP/1.1 201")


def test_unknown_paths_and_methods_are_told_in_json(server: Server) -> None:
    assert server.get("/nothing", 404)["detail"] == "there is no /api/nothing"
    answer = server.client.put("/api/tables", json={})
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"] or "POST" in answer.headers["allow"]
    for path in ("/docs", "/redoc"):
        assert server.client.get(path).status_code == 404


def test_a_body_that_is_no_json_or_has_the_wrong_shape(server: Server) -> None:
    headers = {"Content-Type": "application/json"}
    for body in (
        b"{",
        b"[]",
        b"null",
        b'{"game": 7}',
        b'{"game": "gaps", "more": 1}',
        b'{"game":"gaps","seed":7}',
    ):
        answer = server.client.post("/api/tables", content=body, headers=headers)
        assert answer.status_code == 422, (body, answer.text)
        assert answer.json()["faults"]
    assert server.client.post("/api/tables", content=b"\xff", headers=headers).status_code == 400


def test_a_bug_tells_no_traceback(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr(table_routes, "show_table", broken)
    answer = server.client.post("/api/tables", json=NEW)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == CONTENT_POLICY


def test_bound_to_every_address_addresses_are_answered_and_names_are_not() -> None:
    guard = Guard(lambda *_: None, "0.0.0.0", 10)  # type: ignore[arg-type] # never called
    assert guard._is_ours("192.0.2.1:8650")
    assert guard._is_ours("localhost")
    assert not guard._is_ours("evil.example")
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "127.0.0.2", "0.0.0.0", "192.0.2.1")] == [
        True, True, True, False, False,
    ]  # fmt: skip
