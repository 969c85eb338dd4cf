"""Closes stalled connections: uvicorn waits forever for the head of a request, this does not.

A client that opens many connections and sends a byte now and then (Slowloris) would otherwise
occupy all of them, and so the server.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from whence.transports.edge.headers import SECURITY_HEADERS
from whence.transports.edge.problems import MEDIA_TYPE, Problem

HEAD_SECONDS = 10.0
"""For the first byte and all headers of a request; browsers open connections ahead, and retry.
Also for the rest of a refused body, which is read only to be discarded."""
MAX_HEAD_BYTES = 32_768
"""Request line and headers; browsers send 2 to 4 kB."""
UNREADABLE = Problem(
    type="/problems/invalid",
    title="The input is not valid",
    status=400,
    detail="This is no HTTP request that can be read, its headers are larger than 32 kB, or it "
    "has both Content-Length and Transfer-Encoding.",
)


class _StrictParser(h11.Connection):
    """h11 for a server, with two rules that it leaves to others.

    It limits only heads that are incomplete, so one that arrives at once had no limit.  And it
    takes a length beside chunks, which a proxy in front may read differently (RFC 9112, 6.3).
    """

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEAD_BYTES)

    def next_event(self) -> Any:
        """The next event.  Raises RemoteProtocolError for a head that breaks a rule."""
        if self.their_state is not h11.IDLE:
            return super().next_event()
        before = len(self.trailing_data[0])
        event = super().next_event()
        if isinstance(event, h11.Request):
            if before - len(self.trailing_data[0]) > MAX_HEAD_BYTES:
                raise h11.RemoteProtocolError("the head is too large")
            names = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("Content-Length beside Transfer-Encoding")
        return event


class TimedConnection(H11Protocol):
    """An HTTP connection that closes if the head of a request does not arrive in time."""

    head_seconds = HEAD_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = _StrictParser()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read data; until the head is complete, the timer keeps running."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._forget()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Send a problem document with the usual headers, as for any other error."""
        body = json.dumps(UNREADABLE.shown()).encode()
        sent = SECURITY_HEADERS | {
            "Content-Type": MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        headers = [(name.encode(), value.encode()) for name, value in sent.items()]
        parts = (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        )
        for part in parts:
            self.transport.write(self.conn.send(part) or b"")
        self.transport.close()

    def _watch(self) -> None:
        if not self._waits() or self.transport.is_closing():
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self._close)

    def _waits(self) -> bool:
        """Whether only this connection waits for what the client sends."""
        sent = self.conn.their_state
        return sent is h11.IDLE or (sent is h11.SEND_BODY and self.conn.our_state is h11.DONE)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._deadline = None
        if self._waits() and not self.transport.is_closing():
            self.transport.close()
