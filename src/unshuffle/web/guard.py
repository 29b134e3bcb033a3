"""The checks of a request before the application sees it: host, origin, content type and size."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unshuffle.numbers import read_whole
from unshuffle.web.trouble import answer

CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# The whole header must match: a lenient parser could take `127.0.0.1,evil.com` for a loopback host.
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(?::[0-9]{1,5})?")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERY_ADDRESS = ("0.0.0.0", "::", "")
_READING = ("GET", "HEAD", "OPTIONS")


class Guard:
    """The outermost ASGI layer. Rejects foreign hosts and origins, and bodies too large or not JSON; adds headers."""

    def __init__(self, app: ASGIApp, host: str, most_bytes: int) -> None:
        self._app = app
        self._host = host.lower()
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or answer it with an error."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._why_not(scope["method"], headers)
        body = b""
        if refusal is None:
            try:
                read = await self._read(headers, receive)
            except ClientDisconnect:
                return  # the client is gone, and a part of a request is useless
            if read is None:
                refusal = 413, f"the body is larger than {self._most_bytes:,} bytes"
            else:
                body = read
        if refusal is not None:
            await answer(*refusal)(scope, receive, send_with_headers)
            return
        is_told = False

        async def receive_read() -> Message:
            nonlocal is_told
            if is_told:
                return await receive()  # the end of the connection
            is_told = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, receive_read, send_with_headers)

    def _why_not(self, method: str, headers: Headers) -> tuple[int, str] | None:
        hosts = headers.getlist("host")
        host = ", ".join(hosts)
        if len(hosts) != 1 or not self._is_ours(host):
            # By DNS rebinding a foreign page could use its own host name to read the answers.
            return 403, f"this server does not answer for the host {host[:80]!r}"
        if method in _READING:
            return None
        origin = headers.get("origin")
        if origin is not None and not _is_same(origin, host):
            return 403, f"the page of {origin[:80]!r} may not change anything here"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "another page may not change anything here"
        if method == "POST":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "the body must be JSON (Content-Type: application/json)"
        return None

    def _is_ours(self, host: str) -> bool:
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = match["name"].strip("[]").lower()
        if name in (*_LOOPBACK, self._host):
            return True
        # A server that listens on all addresses accepts any IP address, but no other name.
        return self._host in _EVERY_ADDRESS and _is_address(name)

    async def _read(self, headers: Headers, receive: Receive) -> bytes | None:
        """Return the body; None if its header or its content is too large."""
        length = headers.get("content-length", "0")
        if read_whole(length, self._most_bytes) is None:
            return None
        parts: list[bytes] = []
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            parts.append(message.get("body", b""))
            if sum(map(len, parts)) > self._most_bytes:
                return None
            if not message.get("more_body", False):
                return b"".join(parts)


def _is_same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server that is bound to this host."""
    if host in _LOOPBACK:
        return True
    return _is_address(host) and ip_address(host).is_loopback


def urls(host: str, port: int) -> Iterable[str]:
    """Yield the URL of the page."""
    name = "127.0.0.1" if host in _EVERY_ADDRESS else host
    yield f"http://{f'[{name}]' if ':' in name else name}:{port}/"
