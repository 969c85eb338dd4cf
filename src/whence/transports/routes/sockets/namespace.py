"""The base of all namespaces: authenticates clients, and answers each event by contract.

Every client event is acknowledged: `{ok: true}`, or `{ok: false, error}` with a problem document.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import socketio
from pydantic import ValidationError
from socketio.exceptions import ConnectionRefusedError as Refused

from whence.app.platform import Platform
from whence.chat.transcript.sessions import may_talk
from whence.kernel.errors import Invalid, Unauthorized
from whence.kernel.log import get
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal, Scope
from whence.transports.edge.cookies import access_cookie, cookie_in
from whence.transports.edge.error_answers import invalid_input
from whence.transports.edge.identity import principal_of
from whence.transports.edge.limits import known
from whence.transports.edge.problems import of_any
from whence.transports.edge.stream_limits import OpenStream, StreamLimits
from whence.transports.routes.sockets.contract import events_of
from whence.transports.routes.sockets.server import MAX_UNREAD, SocketServer
from whence.transports.routes.streams.event_stream import ACCESS_ENDED

_log = get("sockets")


@dataclass
class Socket:
    """One connected client, and the tasks that send to it."""

    sid: str
    stream: OpenStream
    tasks: dict[UUID, asyncio.Task[None]] = field(default_factory=dict[UUID, asyncio.Task[None]])


class Namespace(socketio.AsyncNamespace):
    """A namespace of the contract; subclasses handle its events."""

    def __init__(
        self, name: str, platform: Platform, server: SocketServer, stream_limits: StreamLimits
    ) -> None:
        super().__init__(name)
        self.platform = platform
        self.sockets: dict[str, Socket] = {}
        self._name = name
        self._server = server
        self._stream_limits = stream_limits
        self._events = events_of(name)

    @abstractmethod
    async def handle(self, socket: Socket, who: Principal, sent: Wire) -> Mapping[str, Any]:
        """Handle a client's event; return the members to add to `ok`.  Errors are reported to the
        client."""

    async def trigger_event(self, event: str, *args: Any) -> Any:
        """Handle any event a client sends."""
        match event, args:
            case "connect", (str(sid), environ, auth):
                await self._connect(sid, environ, auth)
            case "disconnect", (str(sid), *_):
                self._gone(sid)
            case _, (str(sid), *sent):
                return await self._acknowledged(event, sid, sent)
            case _:
                return None
        return None

    async def tell(self, socket: Socket, name: str, data: Mapping[str, Any]) -> None:
        """Send one event, once the client has room for it."""
        await self._server.tell(socket.sid, self._name, name, data)

    def start(self, socket: Socket, key: UUID, task: asyncio.Task[None]) -> None:
        """Keep a task that sends to the socket, replacing an earlier one with the same key.

        If it fails, the connection is cut, so that the client reconnects and resumes from its
        cursor.
        """
        self.stop(socket, key)
        socket.tasks[key] = task
        task.add_done_callback(lambda done: self._on_task_done(socket, key, done))

    def stop(self, socket: Socket, key: UUID) -> None:
        """End the task for `key`, if there is one."""
        if task := socket.tasks.pop(key, None):
            task.cancel()

    async def _connect(self, sid: str, environ: Mapping[str, Any], auth: Any) -> None:
        try:
            who = await self._presented(environ, auth)
            who.require(Scope.READ)
            # A client that left while it was looked up is never said to have disconnected.
            stream = self._stream_limits.open(who, lambda: self._is_there(sid))
            known(environ["asgi.scope"])
        except Exception as error:  # the edge: the client gets every error as a problem
            problem = of_any(error, "socket connect")
            raise Refused(problem.title, problem.shown()) from error
        self.sockets[sid] = Socket(sid, stream)
        stream.on_close(lambda: self._forget(sid))
        stream.ended.add_done_callback(
            lambda ended: self._server.start_background_task(self._send_away, sid, ended.result())
        )

    async def _presented(self, environ: Mapping[str, Any], auth: Any) -> Principal:
        match auth:
            case {"token": str(token)}:
                return await principal_of(self.platform, bearer=token, cookie=None)
            case _:
                name = access_cookie(self.platform.settings)
                cookie = cookie_in(str(environ.get("HTTP_COOKIE", "")), name)
                return await principal_of(self.platform, bearer=None, cookie=cookie)

    def _forget(self, sid: str) -> None:
        self.sockets.pop(sid, None)

    def _is_there(self, sid: str) -> bool:
        return self._server.connection(sid, self._name) is not None

    def _gone(self, sid: str) -> None:
        socket = self.sockets.pop(sid, None)
        if socket is None:
            return
        socket.stream.close()
        for key in tuple(socket.tasks):
            self.stop(socket, key)

    async def _send_away(self, sid: str, error: Exception) -> None:
        socket = self.sockets.get(sid)
        if socket is None:
            return
        for key in tuple(socket.tasks):
            self.stop(socket, key)
        if self._is_there(sid):
            await self.emit(ACCESS_ENDED, of_any(error, "socket").shown(), to=sid)
            await self.disconnect(sid)
        self._gone(sid)

    async def _acknowledged(self, event: str, sid: str, sent: list[Any]) -> dict[str, Any]:
        if self._server.unread(sid, self._name) > MAX_UNREAD:
            _log.warning("a client that sends and does not read is cut off", sid=sid)
            await self._cut(sid)
        try:
            answer = await self._answered(event, sid, sent)
        except Exception as error:  # noqa: BLE001 (the edge: it is logged and answered by its id)
            return {"ok": False, "error": of_any(error, f"socket {event}").shown()}
        return {"ok": True, **answer}

    async def _answered(self, event: str, sid: str, sent: list[Any]) -> Mapping[str, Any]:
        socket = self.sockets.get(sid)
        if socket is None:
            raise Unauthorized
        rule = self._events.get(event)
        if rule is None:
            raise Invalid(f"This is no event here; send {' or '.join(self._events)}.")
        payload = _parsed(rule.payload, sent[0] if len(sent) == 1 else sent)
        who = await socket.stream.current()
        who.require(rule.scope)
        if rule.talks:
            may_talk(who)
        return await self.handle(socket, who, payload)

    def _on_task_done(self, socket: Socket, key: UUID, done: asyncio.Task[None]) -> None:
        if socket.tasks.get(key) is done:
            del socket.tasks[key]
        if not done.cancelled() and (error := done.exception()):
            _log.error("a subscription failed", key=str(key), exc_info=error)
            self._server.start_background_task(self._cut, socket.sid)

    async def _cut(self, sid: str) -> None:
        if connection := self._server.connection(sid, self._name):
            await self._server.cut(connection)


def _parsed(model: type[Wire], payload: object) -> Wire:
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        errors = [{**item, "loc": ("payload", *item["loc"])} for item in error.errors()]
        raise invalid_input(errors, model) from error
