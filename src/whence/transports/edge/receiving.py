"""Receives requests within limits of size, time and this process's memory.

Routes get the body in one piece, so that a client that sends slowly or endlessly holds up only its
own connection.  Files are passed on as they arrive: their route writes them to disk before it uses
the database.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.kernel.errors import WhenceError
from whence.records.files.errors import MEGABYTE, NoRoom
from whence.transports.edge.problems import Problem, TooLarge, TooSlow, of_error

MAX_JSON_BYTES = 1_000_000
"""A record or a question; the largest text field of a record is a fraction of this."""
MAX_UPLOAD_BYTES = 25_000_000
"""A file to import at once; larger ones are streamed to `POST /api/imports/{name}/files`."""
UPLOADS = re.compile(r"/api/imports/")
STREAMED = re.compile(r"/api/[^/]+/[^/]+/files$")
"""Uploads whose route reads the body as a stream."""
MAX_HELD_BYTES = 256_000_000
"""Bodies one process holds while they arrive: ten uploads of full size."""
JSON_SECONDS = 20.0
"""For a JSON body: a megabyte at 400 kbit/s, a bad mobile connection."""
UPLOAD_SECONDS = 300.0
"""For an upload: 25 MB at 700 kbit/s."""
SLOWEST_BYTES = 100_000
"""Average bytes per second a streamed upload must reach after `UPLOAD_SECONDS`."""
SILENT_SECONDS = 30.0
"""Longest pause within a streamed upload."""


class ClientGone(WhenceError):
    """The client closed the connection before its request was complete."""


class ReadWhole:
    """Reads each body within its limits and passes it on whole.

    `may_upload` raises unless the sender may upload: unknown senders get no room for files.
    `shown` renders refusals.
    """

    def __init__(
        self,
        app: ASGIApp,
        may_upload: Callable[[Scope], Awaitable[None]],
        shown: Callable[[Problem], Response],
        max_streamed_bytes: int,
    ) -> None:
        self._app = app
        self._shown = shown
        self._may_upload = may_upload
        self._max_streamed_bytes = max_streamed_bytes
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if is_streamed(scope):
            await self._hand_on(scope, receive, send)
            return
        parts: list[bytes] = []
        try:
            await self._read_in_time(scope, receive, parts)
        except ClientGone:
            return
        except WhenceError as error:
            refused = self._shown(of_error(error))
            if isinstance(error, TooSlow):
                refused.headers["Connection"] = "close"  # it would continue sending as slowly
            await refused(scope, receive, send)
        else:
            await self._app(scope, replayed(b"".join(parts), receive), send)
        finally:
            self._held -= sum(map(len, parts))

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            most = self._max_streamed_bytes
            _check_announced(scope, most, _upload_too_large(most))
            await self._may_upload(scope)
        except WhenceError as error:
            await self._shown(of_error(error))(scope, receive, send)
            return
        arriving = Arriving(receive, self._max_streamed_bytes)

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start" and arriving.is_slow:
                MutableHeaders(scope=message)["Connection"] = "close"  # as in `__call__`
            await send(message)

        await self._app(scope, arriving, answered)

    async def _read_in_time(self, scope: Scope, receive: Receive, parts: list[bytes]) -> None:
        is_upload = is_file(scope)
        limit = MAX_UPLOAD_BYTES if is_upload else MAX_JSON_BYTES
        refusal = _import_too_large(limit) if is_upload else _too_large(limit)
        _check_announced(scope, limit, refusal)
        if is_upload:
            await self._may_upload(scope)
        try:
            async with asyncio.timeout(UPLOAD_SECONDS if is_upload else JSON_SECONDS):
                await self._read(receive, parts, limit, refusal)
        except TimeoutError as error:
            raise TooSlow from error

    async def _read(
        self, receive: Receive, parts: list[bytes], limit: int, refusal: TooLarge
    ) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            part: bytes = message.get("body", b"")
            parts.append(part)
            size += len(part)
            self._held += len(part)
            if size > limit:
                raise refusal
            if self._held > MAX_HELD_BYTES:
                raise NoRoom(retry_after=5)
            more = bool(message.get("more_body", False))


def is_file(scope: Scope) -> bool:
    """Whether the body of this request is a file, not JSON or a form."""
    is_upload = scope["method"] == "POST" and UPLOADS.match(scope["path"]) is not None
    return is_upload or is_streamed(scope)


def is_streamed(scope: Scope) -> bool:
    """Whether the route of this request reads its body, a file, as it arrives."""
    # As it was sent: a record's id may hold an encoded slash.
    path = cast("bytes", scope.get("raw_path") or scope["path"].encode()).decode("latin-1")
    is_upload = STREAMED.match(path.partition("?")[0]) is not None
    return scope["method"] == "POST" and is_upload


class Arriving:
    """The `receive` of a body that is passed on as it arrives, within limits of size and time.

    Reading it raises TooLarge, TooSlow and ClientGone.
    """

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._limit = receive, limit
        self._began, self._size = time.monotonic(), 0
        self.is_whole = self.is_slow = False

    async def __call__(self) -> Message:
        if self.is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                message = await self._receive()
        except TimeoutError as error:
            self.is_slow = True
            raise TooSlow from error
        if message["type"] == "http.disconnect":
            raise ClientGone
        self._size += len(message.get("body", b""))
        self.is_whole = not message.get("more_body", False)
        if self._size > self._limit:
            raise _upload_too_large(self._limit)
        seconds = time.monotonic() - self._began
        if not self.is_whole and seconds > UPLOAD_SECONDS + self._size / SLOWEST_BYTES:
            self.is_slow = True
            raise TooSlow
        return message


def _check_announced(scope: Scope, limit: int, refusal: TooLarge) -> None:
    announced = Headers(scope=scope).get("content-length", "0")
    if announced.isdigit() and len(announced) < 20 and int(announced) > limit:
        raise refusal


async def body_of(receive: Receive) -> bytes:
    """The body of a request that was already read whole."""
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = bool(message.get("more_body", False))
    return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body in one piece and then continues with the real one."""
    is_sent = False

    async def again() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"The body is larger than {limit // 1_000_000} MB; send less at once.")


def _import_too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The file is larger than {limit // 1_000_000} MB, the most that is imported at once; "
        "stream it to `POST /api/imports/{name}/files?filename=…`, which queues its import, or "
        "use `whence import`."
    )


def _upload_too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The file is larger than {limit // MEGABYTE} MB; send a smaller one, or have the operator "
        "raise WHENCE_UPLOAD_MB."
    )
