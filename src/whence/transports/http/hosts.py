"""Which addresses whence serves on, and which names a request may call it by.

A page of another site can point its own name at 127.0.0.1 (DNS rebinding); its requests then carry
that name in `Host`, so that a name which is not ours is refused before anything else.
"""

from __future__ import annotations

from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.kernel.errors import Misconfigured
from whence.transports.http.answers import answer
from whence.transports.http.problems import WrongHost, of_error

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""For every answer: the few pages of the API need no script, no picture and no other site."""
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": CONTENT_POLICY,
}


class OpenAddress(Misconfigured):
    """whence has no accounts yet, so that it serves this machine only; set WHENCE_HOST to
    127.0.0.1 and reach it from elsewhere through a tunnel (`ssh -L 8000:127.0.0.1:8000`)."""


def require_loopback(host: str) -> None:
    """Raise OpenAddress unless `host` is this machine's own loopback address."""
    try:
        local = host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        local = False
    if not local:
        raise OpenAddress(
            f"'{host}' can be reached from other machines, and whence has no accounts yet. "
            "Set WHENCE_HOST to 127.0.0.1 and reach it from elsewhere through a tunnel, such as "
            "`ssh -L 8000:127.0.0.1:8000`."
        )


def host_name(header: str) -> str:
    """The name in a `Host` header without its port, in lower case; `[::1]:80` is `::1`."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


class OwnHostOnly:
    """Refuses requests and web sockets for other host names, and adds the security headers."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = LOCAL_NAMES | {host.strip("[]").lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        known = host_name(Headers(scope=scope).get("host", "")) in self._names
        if scope["type"] == "websocket":
            if known:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        app = self._app if known else answer(of_error(WrongHost()))
        await app(scope, receive, send_with_headers)
