"""Gives each request an id, for its log lines and its answer, and counts each answer.

It is the outermost layer, so that early refusals are counted too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.kernel import log, metrics
from whence.kernel.ids import new_id

HEADER = "X-Request-Id"
NO_ROUTE = "none"
"""The route label of requests refused before routing, and of unknown routes."""
_KEY = "whence.request"
_SANE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{5,63}")
_BY_PROXY = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
_log = log.get("http")


@dataclass
class Request:
    """What is known of one request from its first byte on."""

    id: str
    is_direct: bool
    """Whether a program on this machine sent it, not a proxy on behalf of somebody else."""
    route: str = NO_ROUTE


def request_of(scope: Scope) -> Request | None:
    """What `RequestLog` knows of this request; None if it does not wrap the application."""
    request = cast("Mapping[str, object]", scope).get(_KEY)
    return request if isinstance(request, Request) else None


class RequestLog:
    """The outermost layer: assigns request ids and counts answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request = Request(id=_id_of(headers), is_direct=_is_direct(scope, headers))
        if scope["path"].startswith("/socket.io"):
            request.route = "/socket.io"
        began = time.perf_counter()
        status = 0

        async def logged_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request.id
                _count(scope["method"], request.route, status, time.perf_counter() - began)
            await send(message)

        with log.bound(request=request.id):
            try:
                await self._app({**scope, _KEY: request}, receive, logged_send)
            finally:
                if scope["type"] == "http" and not status:
                    _count(scope["method"], request.route, 500, time.perf_counter() - began)


class NamesRoute:
    """The layer just before the router: records the route's template for the metrics."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = request_of(scope)

        async def named(message: Message) -> None:
            if request and message["type"] == "http.response.start":
                path: object = getattr(scope.get("route"), "path", None)
                request.route = path if isinstance(path, str) else NO_ROUTE
            await send(message)

        await self._app(scope, receive, named)


def _count(method: str, route: str, status: int, seconds: float) -> None:
    metrics.answered(method, route, status, seconds)
    _log.info("answered", method=method, route=route, status=status, ms=round(seconds * 1000, 1))


def _id_of(headers: Headers) -> str:
    """The caller's request id if it is safe in a log line, otherwise a new one."""
    sent = headers.get(HEADER, "")
    return sent if _SANE.fullmatch(sent) else str(new_id())


def _is_direct(scope: Scope, headers: Headers) -> bool:
    client = cast("tuple[str, int] | None", scope.get("client"))
    try:
        is_near = client is not None and ip_address(client[0]).is_loopback
    except ValueError:
        is_near = False
    return is_near and not any(name in headers for name in _BY_PROXY)
