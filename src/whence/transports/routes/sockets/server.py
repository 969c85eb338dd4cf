"""The Socket.IO server: python-socketio, with limits for queued packets and idle connections.

python-socketio itself queues packets without a limit, keeps connections that never enter a
namespace as long as they answer pings, and collects as many attachments for an event as the client
announces.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

import engineio
import socketio
from engineio import packet as engine_packet
from engineio.async_socket import AsyncSocket
from socketio import packet as socket_packet

from whence.chat.transcript.messages import CONTENT_LIMIT, INPUT_LIMIT
from whence.kernel.log import get
from whence.transports.routes.sockets.contract import CLIENT_EVENTS

MAX_WAITING = 100
"""Packets queued for a slow client before its next event waits in the log."""
MAX_UNREAD = 1000
"""Queued packets (acknowledgements) at which a client that sends without reading is cut off."""
CONNECT_SECONDS = 10.0
"""Within this time a connection must enter a namespace, and so authenticate."""
ESCAPED_CHARACTER = 12
"""Bytes of JSON a client may need for one character: an escaped surrogate pair."""
MAX_MESSAGE_BYTES = ESCAPED_CHARACTER * CONTENT_LIMIT + 3 * INPUT_LIMIT + 10_000
"""Largest message of a client: the longest text with the longest wizard input, whose UTF-8 triples
if every character is escaped, and the names and ids around them."""
_BINARY = ("5", "6")
"""The first characters of Socket.IO packets that announce attachments; no event here has any."""
_log = get("sockets")


class Unreadable(ValueError):
    """This packet cannot be any of the events here."""


class Outbox(asyncio.Queue[Any]):
    """The packets queued for one client, with a way to wait for room."""

    def __init__(self) -> None:
        super().__init__()
        self._room = asyncio.Event()
        self._room.set()
        self._takers = deque[asyncio.Future[Any]]()

    def get(self) -> asyncio.Future[Any]:  # type: ignore[override]
        """The next packet.  A future, because `wait_for`, which awaits it, would create a task
        otherwise."""
        taken: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._takers.append(taken)
        self._hand_out()
        return taken

    def put_nowait(self, item: Any) -> None:
        """Hand a packet to the first waiting reader, or queue it."""
        super().put_nowait(item)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._takers and not self.empty():
            taken = self._takers.popleft()
            if not taken.done():
                taken.set_result(self.get_nowait())

    async def room(self) -> None:
        """Wait until fewer than `MAX_WAITING` packets are queued."""
        await self._room.wait()

    def _put(self, item: Any) -> None:
        super()._put(item)
        if self.qsize() >= MAX_WAITING:
            self._room.clear()

    def _get(self) -> Any:
        item = super()._get()
        if self.qsize() < MAX_WAITING:
            self._room.set()
        return item


class _Engine(engineio.AsyncServer):
    def create_queue(self, *_: Any, **__: Any) -> Outbox:
        return Outbox()


class SocketServer(socketio.AsyncServer):
    """One server for a process; namespaces register with it."""

    def __init__(self) -> None:
        super().__init__(
            async_mode="asgi",
            cors_allowed_origins=[],  # `edge/origins.py` checks them, as for every other way in
            max_http_buffer_size=MAX_MESSAGE_BYTES,
            namespaces=sorted({event.namespace for event in CLIENT_EVENTS}),
            # One event of a client after the other: a flood waits in the client's own connection.
            async_handlers=False,
        )
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def is_open(self, eio_sid: str) -> bool:
        """Whether a connection has entered a namespace, and so authenticated."""
        entered = tuple(self.manager.get_namespaces())
        return any(self.manager.sid_from_eio_sid(eio_sid, name) for name in entered)

    def connection(self, sid: str, namespace: str) -> AsyncSocket | None:
        """The connection of a socket; None once it is gone."""
        socket = self.eio.sockets.get(self.manager.eio_sid_from_sid(sid, namespace))
        return socket if isinstance(socket, AsyncSocket) and not socket.closed else None

    async def tell(self, sid: str, namespace: str, name: str, data: Mapping[str, Any]) -> None:
        """Send one client an event, once it has room for it; does nothing if the client is gone.

        `emit` is for rooms: it searches the data for bytes and starts a task for each packet.
        """
        connection = self.connection(sid, namespace)
        if connection and isinstance(connection.queue, Outbox):
            await connection.queue.room()
        if connection is None or connection.closed:
            return
        event = socket_packet.Packet(
            socket_packet.EVENT, namespace=namespace, data=[name, data], binary=False
        )
        await connection.send(engine_packet.Packet(engine_packet.MESSAGE, event.encode()))

    def unread(self, sid: str, namespace: str) -> int:
        """The number of packets queued for a client."""
        connection = self.connection(sid, namespace)
        return connection.queue.qsize() if connection else 0

    async def cut(self, connection: AsyncSocket) -> None:
        """Close a connection as if the line broke, so that the client reconnects by itself.

        After a regular disconnect the client would stay away.
        """
        await connection.close(wait=False, abort=True, reason=self.reason.SERVER_DISCONNECT)
        await connection.queue.put(None)  # lets the writer end, which closes the WebSocket

    async def _handle_eio_connect(self, eio_sid: str, environ: Mapping[str, Any]) -> Any:
        loop = asyncio.get_running_loop()
        self._deadlines[eio_sid] = loop.call_later(CONNECT_SECONDS, self._late, eio_sid)
        return await super()._handle_eio_connect(eio_sid, environ)

    async def _handle_eio_message(self, eio_sid: str, data: Any) -> None:
        """Close the connection of a client that sends malformed packets."""
        try:
            if not isinstance(data, str) or data.startswith(_BINARY):
                raise Unreadable("a packet with binary parts")
            await super()._handle_eio_message(eio_sid, data)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            # python-socketio takes a packet apart as if it were well formed.
            _log.warning("a socket's packet cannot be read", reason=repr(error)[:200])
            await self._cut_late(eio_sid)

    async def _handle_eio_disconnect(self, eio_sid: str, reason: str) -> None:
        if deadline := self._deadlines.pop(eio_sid, None):
            deadline.cancel()
        await super()._handle_eio_disconnect(eio_sid, reason)

    def _late(self, eio_sid: str) -> None:
        del self._deadlines[eio_sid]
        if not self.is_open(eio_sid):
            self.start_background_task(self._cut_late, eio_sid)

    async def _cut_late(self, eio_sid: str) -> None:
        if connection := self.eio.sockets.get(eio_sid):
            await self.cut(connection)

    def _engineio_server_class(self) -> type[engineio.AsyncServer]:
        return _Engine
