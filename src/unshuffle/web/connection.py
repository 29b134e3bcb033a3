"""A connection to the server with a time limit for each request."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15.0
"""The time limit of a request, head and body: much more than the largest body takes on a slow network."""


class Connection(H11Protocol):
    """A connection that closes if a request is not complete in time, even if bytes still arrive.

    The limit holds for a new connection without a request too. Between two requests the server's own limit is shorter,
    but it waits only for the first byte.
    """

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as in the class above
        """Start the time limit of the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limit."""
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        is_waited_for = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if not is_waited_for:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._close)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self.transport.close()
