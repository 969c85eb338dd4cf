"""Socket.IO `/chat`: the conversations of the socket's user, to read and to continue.

A returning client sends its last `seq` as `after`, and gets no gap and no duplicate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from typing import Any

from whence.app.platform import Platform
from whence.chat.proposals.applying import apply_action
from whence.chat.transcript.messages import StartedTurn
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.transports.edge.stream_limits import StreamLimits
from whence.transports.routes.http.turns import begun_answer
from whence.transports.routes.sockets.contract import (
    CHAT,
    ApplyAction,
    Join,
    Leave,
    Regenerate,
    Send,
    Stop,
)
from whence.transports.routes.sockets.namespace import Namespace, Socket
from whence.transports.routes.sockets.server import SocketServer
from whence.transports.routes.streams.chat_stream import opening, still_there
from whence.transports.routes.streams.event_stream import Opening, follow, while_allowed

MAX_JOINED = 20
"""Conversations one socket may follow at once; a page shows one, and each tab has its own
socket."""
CHECK_SECONDS = 15.0
"""After this time without an event, the server looks whether the conversation still exists."""


class TooManyJoined(Invalid):
    """A socket can follow 20 conversations; leave one first."""


class Talk(Namespace):
    """One task follows each conversation of each socket; answers do not depend on them."""

    def __init__(
        self, platform: Platform, server: SocketServer, stream_limits: StreamLimits
    ) -> None:
        super().__init__(CHAT, platform, server, stream_limits)

    async def handle(self, socket: Socket, who: Principal, sent: Wire) -> Mapping[str, Any]:
        """Join, leave, send, stop, regenerate, apply."""
        turns = self.platform.turns
        match sent:
            case Join():
                await self._join(socket, who, sent)
            case Leave():
                self.stop(socket, sent.session_id)
            case Send():
                return begun_of(
                    await turns.send(
                        who,
                        sent.session_id,
                        sent.content,
                        sent.client_message_id,
                        sent.wizard_input,
                    )
                )
            case Stop():
                turn_id = await turns.stop(who, sent.session_id)
                return {"turnId": str(turn_id) if turn_id else None}
            case Regenerate():
                return begun_of(await turns.regenerate(who, sent.session_id))
            case ApplyAction():
                applied = await apply_action(
                    self.platform.db,
                    who,
                    self.platform.kinds,
                    sent.message_id,
                    sent.action_index,
                    sent.reason,
                    follow_up=self.platform.follow_ups,
                )
                return {"applied": applied.model_dump(mode="json", by_alias=True)}
            case _:
                raise NotImplementedError(type(sent).__name__)
        return {}

    async def _join(self, socket: Socket, who: Principal, wanted: Join) -> None:
        if wanted.session_id not in socket.tasks and len(socket.tasks) >= MAX_JOINED:
            raise TooManyJoined
        begin = await opening(self.platform, who, wanted.session_id, wanted.after)
        if self.sockets.get(socket.sid) is not socket:
            return
        following = self._follow(socket, who, begin, snapshot=wanted.after is None)
        task = asyncio.create_task(following, name=f"socket-{wanted.session_id}")
        self.start(socket, wanted.session_id, task)

    async def _follow(
        self, socket: Socket, who: Principal, begin: Opening, *, snapshot: bool
    ) -> None:
        followed = follow(self.platform, begin, snapshot=snapshot)
        check = partial(still_there, self.platform, who, begin.stream_id)
        # The end of the client's access ends the whole socket, with all that it follows.
        ended: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        async with aclosing(while_allowed(ended, followed, CHECK_SECONDS, check)) as messages:
            async for message in messages:
                if message is not None:
                    await self.tell(socket, message.type, {**begin.names, **message.data})


def begun_of(begun: StartedTurn) -> dict[str, Any]:
    """A message and its answer in an acknowledgement, as REST returns them."""
    return begun_answer(begun).model_dump(mode="json", by_alias=True)
