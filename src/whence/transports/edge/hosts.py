"""Which addresses whence serves on, and which names a request may call it by.

A page of another site can point its own name at 127.0.0.1 (DNS rebinding); its requests then carry
that name in `Host`, so that a name which is not ours is refused before anything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from whence.kernel.errors import Misconfigured
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
    kept = [pair for pair in _pairs(scope) if pair[0].lower() not in _FORWARDED]
    settled = {**scope, "headers": kept, "client": (site.client_of(peer, hops), 0)}
    if site.public_origin is None or site.public_netloc is None:
        return settled
    # A proxy speaks plain HTTP to us, and may name us by our inner address.
    by_proxy = peer is not None and site.trusts(peer)
    if by_proxy or headers.get("host", "").lower() == site.public_netloc:
        secure = urlsplit(site.public_origin).scheme == "https"
        schemes = {"http": ("http", "https"), "websocket": ("ws", "wss")}
        settled["scheme"] = schemes[scope["type"]][secure]
        others = [pair for pair in kept if pair[0].lower() != b"host"]
        settled["headers"] = [
            (b"host", site.public_netloc.encode()),
            *others,
        ]
    return settled


def _pairs(scope: Scope) -> Iterable[tuple[bytes, bytes]]:
    return cast("Iterable[tuple[bytes, bytes]]", scope["headers"])
