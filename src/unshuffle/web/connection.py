"""A connection to the server that does not wait for ever: whoever begins a request sends the rest of it in time."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15.0
"""So long a request may take to arrive, head and body: much longer than the largest body takes on a slow network."""


class Connection(H11Protocol):
    """Closes itself if a request does not arrive wholly in time, however its bytes trickle in.

    A connection without a request counts too. Between two requests the server's own, shorter limit holds, which waits
    for the first byte only.
    """

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as in the class above
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
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
