"""Running the server: the port, the browser, and the end of all jobs."""

from __future__ import annotations

import errno
import socket
import sys
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from unshuffle.errors import UsageError, in_a_line
from unshuffle.web.app import make_app
from unshuffle.web.connection import Connection
from unshuffle.web.guard import is_loopback, urls
from unshuffle.web.jobs import Jobs
from unshuffle.web.settings import PORT, Settings

_NEAR = 20
"""The number of ports that are tried from the default port on, if none is given."""
_SWITCH_SECONDS = 0.0005
"""The switch interval of Python threads. It is short, so that a move does not wait for jobs that run in Python."""


def bind(host: str, port: int | None) -> socket.socket:
    """Return a socket on this port, or on the first free port from the default port on."""
    ports = range(PORT, PORT + _NEAR) if port is None else (port,)
    for number in ports:
        try:
            return _bound(host, number)
        except (OSError, UnicodeError) as error:
            is_taken = getattr(error, "errno", None) == errno.EADDRINUSE
            if not is_taken or port is not None:
                why = "another program uses it" if is_taken else getattr(error, "strerror", None) or str(error)
                raise UsageError(f"cannot listen on {in_a_line(host)}, port {number}: {why}") from None
    raise UsageError(f"the ports {ports[0]}..{ports[-1]} of {host} are all in use; name one with --port")


def _bound(host: str, port: int) -> socket.socket:
    family, kind, _, _, _ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # asyncio sets TCP_NODELAY only if the protocol is explicitly TCP; without it every answer takes 40 ms more.
    found = socket.socket(family, kind, socket.IPPROTO_TCP)
    try:
        # Allows a port whose server has just ended. On Windows the option has another meaning.
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError:
        found.close()
        raise
    return found


def serve(settings: Settings, listening: socket.socket, *, opens_browser: bool, say: Callable[[str], object]) -> None:
    """Serve until Ctrl-C."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    (url,) = urls(settings.host, listening.getsockname()[1])
    warn(settings.host, say)
    app = make_app(settings)
    try:
        _Server(configured(app.asgi, "warning"), app.jobs, url, opens_browser, say).run(sockets=[listening])
    finally:
        app.jobs.close()


def configured(asgi: ASGIApp, log_level: str) -> uvicorn.Config:
    """Return the uvicorn configuration of the application."""
    return uvicorn.Config(
        asgi,
        http=Connection,
        log_level=log_level,
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=2,
    )


def warn(host: str, say: Callable[[str], object]) -> None:
    """Print a warning if other machines can reach the server."""
    if not is_loopback(host):
        say(f"Warning: everyone who can reach {host} can use this server, its saves and its processor.")


class _Server(uvicorn.Server):
    """A server that prints the address of the page once it listens."""

    def __init__(
        self, config: uvicorn.Config, jobs: Jobs, url: str, opens_browser: bool, say: Callable[[str], object]
    ) -> None:
        super().__init__(config)
        self._jobs = jobs
        self._url = url
        self._opens_browser = opens_browser
        self._say = say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, print the address, and open the browser."""
        await super().startup(sockets)
        if self.started:
            self._say(f"The page is at {self._url} (Ctrl-C ends the server).")
            if self._opens_browser:
                webbrowser.open(self._url)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Cancel all jobs first, so that the shutdown does not wait for their event streams."""
        self._jobs.stop_all()
        super().handle_exit(sig, frame)
