"""The Socket.IO server: python-socketio, with bounds on what waits and on who says nothing.

python-socketio queues packets for a client without a bound, keeps a connection that never enters a
namespace for as long as it answers pings, and collects as many files for one event as the client
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
"""Packets that wait for a slow client before its next event is held back in the log."""
MAX_UNREAD = 1000
"""Packets (answers, that is) at which a client that sends and does not read is cut off."""
CONNECT_SECONDS = 10.0
"""After this time a connection must have entered a namespace, and with that shown who it is."""
ESCAPED_CHARACTER = 12
"""Bytes of JSON that a client may take for one character: an escaped surrogate pair."""
MAX_MESSAGE_BYTES = ESCAPED_CHARACTER * CONTENT_LIMIT + 3 * INPUT_LIMIT + 10_000
"""What a client may send at once: the longest message with the longest input to a wizard beside it,
whose UTF-8 grows threefold where every character is escaped; and the names and ids around them."""
_BINARY = ("5", "6")
"""The first characters of Socket.IO packets that announce binary parts; no event here has any."""
_log = get("sockets")


class Unreadable(ValueError):
    """This packet is none that any event here could be."""


class Outbox(asyncio.Queue[Any]):
    """Packets that wait for one client, and whether there is room for more."""

    def __init__(self) -> None:
        super().__init__()
        self._room = asyncio.Event()
        self._room.set()
        self._takers = deque[asyncio.Future[Any]]()

    def get(self) -> asyncio.Future[Any]:  # type: ignore[override]
        """The next packet.  A future: `wait_for`, which waits for it, makes a task of all else."""
        taken: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._takers.append(taken)
        self._hand_out()
        return taken

    def put_nowait(self, item: Any) -> None:
        """Leave a packet for whoever waits first."""
        super().put_nowait(item)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._takers and not self.empty():
            taken = self._takers.popleft()
            if not taken.done():
                taken.set_result(self.get_nowait())

    async def room(self) -> None:
        """Wait until fewer than `MAX_WAITING` packets wait."""
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
    """One for a process; namespaces register with it."""

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
        """Whether a connection has entered a namespace, and with that shown who it is."""
        entered = tuple(self.manager.get_namespaces())
        return any(self.manager.sid_from_eio_sid(eio_sid, name) for name in entered)

    def connection(self, sid: str, namespace: str) -> AsyncSocket | None:
        """The connection under a socket, None once it is gone."""
        found = self.eio.sockets.get(self.manager.eio_sid_from_sid(sid, namespace))
        return found if isinstance(found, AsyncSocket) and not found.closed else None

    async def tell(self, sid: str, namespace: str, name: str, data: Mapping[str, Any]) -> None:
        """Send one client one event, once it has room for it; nothing to one that is gone.

        `emit` is for rooms: it looks through the data for bytes, and begins a task for each packet.
        """
        found = self.connection(sid, namespace)
        if found and isinstance(found.queue, Outbox):
            await found.queue.room()
        if found is None or found.closed:
            return
        event = socket_packet.Packet(
            socket_packet.EVENT, namespace=namespace, data=[name, data], binary=False
        )
        await found.send(engine_packet.Packet(engine_packet.MESSAGE, event.encode()))

    def unread(self, sid: str, namespace: str) -> int:
        """How many packets wait for a client."""
        found = self.connection(sid, namespace)
        return found.queue.qsize() if found else 0

    async def cut(self, connection: AsyncSocket) -> None:
        """Close a connection as a broken line would, so that its client comes back by itself.

        A proper goodbye would tell it to stay away.
        """
        await connection.close(wait=False, abort=True, reason=self.reason.SERVER_DISCONNECT)
        await connection.queue.put(None)  # lets the writer end, which closes the WebSocket

    async def _handle_eio_connect(self, eio_sid: str, environ: Mapping[str, Any]) -> Any:
        loop = asyncio.get_running_loop()
        self._deadlines[eio_sid] = loop.call_later(CONNECT_SECONDS, self._late, eio_sid)
        return await super()._handle_eio_connect(eio_sid, environ)

    async def _handle_eio_message(self, eio_sid: str, data: Any) -> None:
        """Close the connection of whoever sends what no client of ours would."""
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
