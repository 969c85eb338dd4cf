"""The host name a request uses, and the site whose page sent it.

A page of another site can point its own name at 127.0.0.1 (DNS rebinding); its requests then carry
that name in `Host`.  An unknown name is refused before anything else.

The origin is checked once for REST, event streams and Socket.IO.

A page of this server acts with its session cookie.  A page of a site in `WHENCE_ALLOWED_ORIGINS`
may read answers and open sockets, but never with its visitor's cookies: it sends a token of its
own.  Any other page gets no socket, no readable answer, and no change by cookie.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import cast
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.kernel.errors import Forbidden, Misconfigured
from whence.transports.edge.error_answers import answer
from whence.transports.edge.problems import Problem, WrongHost, of_error
from whence.transports.edge.site import Site

_FORWARDED = frozenset(
    {
        b"forwarded",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-prefix",
        b"x-forwarded-proto",
        b"x-real-ip",
    }
)
"""What proxies say about their client.  It ends here, so that nothing further in believes it."""


class OpenAddress(Misconfigured):
    """Beyond this machine whence serves only with accounts: set WHENCE_ACCOUNTS=true and make the
    first account with `whence account create you@example.org`."""


def require_accounts_beyond_loopback(site: Site, *, accounts: bool) -> None:
    """Raise OpenAddress when other machines could reach a server without accounts."""
    if not accounts and not site.is_local:
        raise OpenAddress(
            f"'{site.host}' can be reached from other machines, and accounts are off. Set "
            "WHENCE_ACCOUNTS=true and make the first account with `whence account create "
            "you@example.org --role owner`; or set WHENCE_HOST to 127.0.0.1 and reach it from "
            "elsewhere through a tunnel, such as `ssh -L 8000:127.0.0.1:8000`."
        )


class OwnHostOnly:
    """Refuses other host names, and settles who the client is and at which address it asked."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._site.answers_to(Headers(scope=scope).get("host", "")):
            await self._app(_settled(scope, self._site), receive, send)
        else:
            await refuse(of_error(WrongHost()), scope, receive, send)


async def refuse(
    problem: Problem, scope: Scope, receive: Receive, send: Send, shown: Response | None = None
) -> None:
    """Answer a problem, as a document or as `shown`; a web socket is closed before it opens, which
    clients see as 403.
    """
    if scope["type"] == "http":
        await (shown or answer(problem))(scope, receive, send)
        return
    await receive()
    await send({"type": "websocket.close", "code": 1008})


def _settled(scope: Scope, site: Site) -> Scope:
    """The scope with the client's own address, and the public address where it was asked there."""
    headers = Headers(scope=scope)
    connection = cast("tuple[str, int] | None", scope.get("client"))
    peer = connection[0] if connection else None
    hops = [hop for line in headers.getlist("x-forwarded-for") for hop in line.split(",")]
    passed_on = [pair for pair in _pairs(scope) if pair[0].lower() not in _FORWARDED]
    settled = {**scope, "headers": passed_on, "client": (site.client_of(peer, hops), 0)}
    if site.public_origin is None or site.public_netloc is None:
        return settled
    # A proxy speaks plain HTTP to us, and may name us by our inner address.
    by_proxy = peer is not None and site.trusts(peer)
    if by_proxy or headers.get("host", "").lower() == site.public_netloc:
        secure = urlsplit(site.public_origin).scheme == "https"
        schemes = {"http": ("http", "https"), "websocket": ("ws", "wss")}
        settled["scheme"] = schemes[scope["type"]][secure]
        others = [pair for pair in passed_on if pair[0].lower() != b"host"]
        settled["headers"] = [
            (b"host", site.public_netloc.encode()),
            *others,
        ]
    return settled


def _pairs(scope: Scope) -> Iterable[tuple[bytes, bytes]]:
    return cast("Iterable[tuple[bytes, bytes]]", scope["headers"])


API = "/api/"
SOCKETS = "/socket.io/"
PREFLIGHT_SECONDS = 600
"""How long a browser may cache what another site may request."""
_METHODS = "GET, POST, PATCH, DELETE"
_SENT = "Authorization, Content-Type, If-Match, Last-Event-ID"
_READ = "ETag, Location, Retry-After"


class CrossSite(Forbidden):
    """A page of another site sent this request; send it from whence's own pages, or with a token
    from a site listed in WHENCE_ALLOWED_ORIGINS."""


class Sender(Enum):
    """The page that sent a request, as the browser reports it."""

    OWN = auto()
    ALLOWED = auto()
    """A site the operator listed."""
    OTHER = auto()
    UNKNOWN = auto()
    """Not reported: a program, or a simple read by an old browser."""


def sender_of(site: Site, request: HTTPConnection) -> Sender:
    """The page that sent this request, by `Origin` and `Sec-Fetch-Site`."""
    origin = request.headers.get("origin")
    fetched_from = request.headers.get("sec-fetch-site")
    if origin is not None and origin.lower() in site.allowed_origins:
        return Sender.ALLOWED
    if fetched_from is not None and fetched_from != "same-origin":
        return Sender.OTHER
    if origin is not None and not (origin == "null" and fetched_from == "same-origin"):
        sent = urlsplit(origin.lower())
        scheme = {"ws": "http", "wss": "https"}.get(request.url.scheme, request.url.scheme)
        own = {f"{scheme}://{request.headers.get('host', '').lower()}", site.public_origin}
        return Sender.OWN if f"{sent.scheme}://{sent.netloc}" in own else Sender.OTHER
    return Sender.OWN if fetched_from is not None else Sender.UNKNOWN


class CheckedOrigins:
    """Lets allowed sites read `/api/` and open sockets without cookies; refuses sockets to others.

    Routes themselves refuse changes by cookie from other sites (`identity.identified`), because
    only they know whether a request carries a cookie that counts.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope.get("path", "")
        if scope["type"] not in ("http", "websocket") or not path.startswith((API, SOCKETS)):
            await self._app(scope, receive, send)
            return
        sender = sender_of(self._site, HTTPConnection(scope))
        if sender is Sender.ALLOWED:
            await self._answer_allowed(scope, receive, send)
        elif sender is Sender.OTHER and path.startswith(SOCKETS):
            await refuse(of_error(CrossSite()), scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer_allowed(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        origin = headers["origin"].lower()
        if scope["type"] == "websocket":
            await self._app(without_cookies(scope), receive, send)
        elif scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await _preflight(origin)(scope, receive, send)
        else:

            async def send_with_origin(message: Message) -> None:
                if message["type"] == "http.response.start":
                    answered = MutableHeaders(scope=message)
                    answered["Access-Control-Allow-Origin"] = origin
                    answered["Access-Control-Expose-Headers"] = _READ
                    answered.add_vary_header("Origin")
                await send(message)

            await self._app(without_cookies(scope), receive, send_with_origin)


def _preflight(origin: str) -> Response:
    allowed = {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _SENT,
        "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        "Vary": "Origin",
    }
    return Response(status_code=204, headers=allowed)


def without_cookies(scope: Scope) -> Scope:
    """The request without cookies: another site's page acts only by its own token."""
    headers = [pair for pair in scope["headers"] if pair[0].lower() != b"cookie"]
    return {**scope, "headers": headers}
