"""Socket.IO `/research`: a client subscribes to jobs of its organization and is sent their events.

Every client event is acknowledged: `{ok: true}`, or `{ok: false, error}` with a problem document.
A client that comes back sends its last `seq` as `after`, and gets no gap and no duplicate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Annotated, Any, TypeVar
from uuid import UUID

import socketio
from pydantic import Field, ValidationError
from socketio.exceptions import ConnectionRefusedError as Refused

from whence.kernel.errors import Invalid, Unauthorized
from whence.kernel.log import get
from whence.kernel.wire import Wire
from whence.sdk.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Scope
from whence.tenancy.tokens import TokenKind
from whence.transports.http.answers import invalid_input
from whence.transports.http.bodies import MAX_INTEGER
from whence.transports.http.identity import SESSION_COOKIE
from whence.transports.http.problems import of_any
from whence.transports.run_stream import Opening, follow, opening

NAMESPACE = "/research"
MAX_SUBSCRIPTIONS = 50
"""Jobs that one socket may watch at once; a page shows a screenful."""
MAX_WAITING = 2000
"""Packets that may wait for a slow client; then it is cut off and comes back with its cursor."""
MAX_MESSAGE_BYTES = 100_000
"""What a client may send at once; its largest message is a few ids."""
_log = get("sockets")
Sent = TypeVar("Sent", bound=Wire)


class Subscribe(Wire):
    """`subscribe_job`: events after `after` (default: all)."""

    job_id: UUID
    after: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = 0


class Unsubscribe(Wire):
    """`unsubscribe_job`: no more events of this job."""

    job_id: UUID


class TooManySubscriptions(Invalid):
    """One socket can watch 50 jobs; unsubscribe from one first."""


@dataclass
class Client:
    """One connected socket: its secret, which every subscription checks anew, and its tasks."""

    secret: str
    kinds: tuple[TokenKind, ...]
    tasks: dict[UUID, asyncio.Task[None]] = field(default_factory=dict[UUID, asyncio.Task[None]])


def research_server(built: Platform) -> socketio.AsyncServer:
    """The Socket.IO server with the `/research` namespace; only its own origin may connect."""
    server = socketio.AsyncServer(
        async_mode="asgi", max_http_buffer_size=MAX_MESSAGE_BYTES, namespaces=[NAMESPACE]
    )
    server.register_namespace(ResearchNamespace(built, server))
    return server


class ResearchNamespace(socketio.AsyncNamespace):
    """One tail task for each socket and job; all of them end with the socket."""

    def __init__(self, built: Platform, server: socketio.AsyncServer) -> None:
        super().__init__(NAMESPACE)
        self._built = built
        self._server = server
        self._clients: dict[str, Client] = {}

    async def trigger_event(self, event: str, *args: Any) -> Any:
        """Everything that a client sends comes through here."""
        match event, args:
            case "connect", (str(sid), environ, auth):
                await self._connect(sid, environ, auth)
            case "disconnect", (str(sid), *_):
                self._forget_client(sid)
            case _, (str(sid), *sent):
                return await self._acknowledged(event, sid, sent)
            case _:
                return None
        return None

    async def _connect(self, sid: str, environ: Mapping[str, Any], auth: Any) -> None:
        client = _presented(environ, auth)
        try:
            await self._principal(client)
        except Exception as error:
            problem = of_any(error, "socket connect")
            raise Refused(problem.title, problem.shown()) from error
        self._clients[sid] = client

    def _forget_client(self, sid: str) -> None:
        client = self._clients.pop(sid, None)
        for task in tuple(client.tasks.values()) if client else ():
            if task is not asyncio.current_task():  # which ends by itself once it has cut it off
                task.cancel()

    async def _acknowledged(self, event: str, sid: str, sent: list[Any]) -> dict[str, Any]:
        try:
            await self._handle(event, sid, sent)
        except Exception as error:  # noqa: BLE001 (the edge: it is logged and answered by its id)
            return {"ok": False, "error": of_any(error, f"socket {event}").shown()}
        return {"ok": True}

    async def _handle(self, event: str, sid: str, sent: list[Any]) -> None:
        client = self._clients.get(sid)
        if client is None:
            raise Unauthorized
        payload = sent[0] if len(sent) == 1 else sent
        match event:
            case "subscribe_job":
                await self._subscribe(sid, client, _parsed(Subscribe, payload))
            case "unsubscribe_job":
                task = client.tasks.pop(_parsed(Unsubscribe, payload).job_id, None)
                if task:
                    task.cancel()
            case _:
                raise Invalid("This is no event here; send subscribe_job or unsubscribe_job.")

    async def _subscribe(self, sid: str, client: Client, wanted: Subscribe) -> None:
        if wanted.job_id not in client.tasks and len(client.tasks) >= MAX_SUBSCRIPTIONS:
            raise TooManySubscriptions
        who = await self._principal(client)
        begin = await opening(self._built, who, wanted.job_id, wanted.after)
        if self._clients.get(sid) is not client:
            return
        if earlier := client.tasks.pop(wanted.job_id, None):
            earlier.cancel()
        task = asyncio.create_task(self._send(sid, begin), name=f"socket-{wanted.job_id}")
        client.tasks[wanted.job_id] = task
        task.add_done_callback(lambda done: _forget(client, wanted.job_id, done))

    async def _send(self, sid: str, begin: Opening) -> None:
        async with aclosing(follow(self._built, begin, snapshot=True)) as messages:
            async for message in messages:
                if self._is_behind(sid):
                    _log.warning("a socket reads too slowly and is cut off", sid=sid)
                    await self.disconnect(sid)
                    return
                await self.emit(message.type, message.data, to=sid)

    async def _principal(self, client: Client) -> Principal:
        who = await tokens.authenticate(self._built.db, client.secret, client.kinds)
        who.require(Scope.READ)
        return who

    def _is_behind(self, sid: str) -> bool:
        # python-socketio queues without a bound; how much waits is known to Engine.IO alone.
        transport = self._server.manager.eio_sid_from_sid(sid, NAMESPACE)
        found = self._server.eio.sockets.get(transport)
        return found is not None and found.queue.qsize() > MAX_WAITING


def _presented(environ: Mapping[str, Any], auth: Any) -> Client:
    match auth:
        case {"token": str(token)}:
            return Client(token, ("api",))
        case _:
            pass
    try:
        cookies = SimpleCookie(str(environ.get("HTTP_COOKIE", "")))
    except CookieError:
        cookies = SimpleCookie()
    session = cookies.get(SESSION_COOKIE)
    return Client(session.value if session else "", ("session",))


def _parsed(model: type[Sent], payload: object) -> Sent:
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        found = [{"loc": ("payload", *item["loc"]), "msg": item["msg"]} for item in error.errors()]
        raise invalid_input(found) from error


def _forget(client: Client, job_id: UUID, done: asyncio.Task[None]) -> None:
    if client.tasks.get(job_id) is done:
        del client.tasks[job_id]
    if not done.cancelled() and (error := done.exception()):
        _log.error("a subscription failed", job=str(job_id), exc_info=error)
