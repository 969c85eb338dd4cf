"""Socket.IO `/research`: clients subscribe to jobs of their organization and get their events.

A returning client sends its last `seq` as `after`, and gets no gap and no duplicate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from whence.app.platform import Platform
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.transports.edge.stream_limits import StreamLimits
from whence.transports.routes.sockets.contract import RESEARCH, Subscribe, Unsubscribe
from whence.transports.routes.sockets.namespace import Namespace, Socket
from whence.transports.routes.sockets.server import SocketServer
from whence.transports.routes.streams.event_stream import Opening, follow
from whence.transports.routes.streams.work_stream import run_opening as opening

MAX_SUBSCRIPTIONS = 50
"""Jobs one socket may watch at once; a page shows a screenful."""


class TooManySubscriptions(Invalid):
    """A socket can watch 50 jobs; unsubscribe from one first."""


class Research(Namespace):
    """One task follows each job of each socket; all of them end with the socket."""

    def __init__(
        self, platform: Platform, server: SocketServer, stream_limits: StreamLimits
    ) -> None:
        super().__init__(RESEARCH, platform, server, stream_limits)

    async def handle(self, socket: Socket, who: Principal, sent: Wire) -> Mapping[str, Any]:
        """Subscribe or unsubscribe."""
        match sent:
            case Subscribe():
                await self._subscribe(socket, who, sent)
            case Unsubscribe():
                self.stop(socket, sent.job_id)
            case _:
                raise NotImplementedError(type(sent).__name__)
        return {}

    async def _subscribe(self, socket: Socket, who: Principal, wanted: Subscribe) -> None:
        if wanted.job_id not in socket.tasks and len(socket.tasks) >= MAX_SUBSCRIPTIONS:
            raise TooManySubscriptions
        begin = await opening(self.platform, who, wanted.job_id, wanted.after)
        if self.sockets.get(socket.sid) is not socket:
            return
        task = asyncio.create_task(self._follow(socket, begin), name=f"socket-{wanted.job_id}")
        self.start(socket, wanted.job_id, task)

    async def _follow(self, socket: Socket, begin: Opening) -> None:
        async with aclosing(follow(self.platform, begin, snapshot=True)) as messages:
            async for message in messages:
                await self.tell(socket, message.type, message.data)
