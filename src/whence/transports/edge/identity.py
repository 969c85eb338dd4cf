"""Identifies the sender of a request: an API token, an access token, or a browser's session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection
from starlette.types import Scope as AsgiScope

from whence.app.platform import Platform
from whence.kernel import log
from whence.kernel.errors import Unauthorized
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Principal, Scope
from whence.transports.edge.cookies import ACCESS, access_cookie, cookie_in
from whence.transports.edge.limits import Limits, known
from whence.transports.edge.origins import CrossSite, Sender, sender_of
from whence.transports.edge.site import Site, site_of

API_TOKEN = "whence_"
"""The prefix of an API token; an access token is a JWT."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_bearer = HTTPBearer(
    auto_error=False, description="An API token, `whence_…`, or the access token of a session"
)
_cookie = APIKeyCookie(
    name=ACCESS, auto_error=False, description="A browser's session (`__Host-` before it on https)"
)


@dataclass(frozen=True)
class Gate:
    """What every request is checked against: the platform, the addresses, the limits."""

    platform: Platform
    site: Site
    limits: Limits

    async def may_upload(self, scope: AsgiScope) -> None:
        """Raise unless the sender of this request may write; called before the body is read."""
        who = await identified(self, HTTPConnection(scope), changes=True)
        who.principal.require(Scope.WRITE)


@dataclass(frozen=True)
class Asker:
    """The principal, and the credential used."""

    principal: Principal
    by_token: bool = field(compare=False)
    """Whether the credential is an API token, which acts for a person but is not one."""


def gate_of(platform: Platform, host: str | None = None) -> Gate:
    """The gate for a server that listens on `host`; raises Misconfigured."""
    limits = Limits(platform.settings.requests_per_minute)
    return Gate(platform, site_of(platform.settings, host), limits)


async def principal_of(platform: Platform, *, bearer: str | None, cookie: str | None) -> Principal:
    """The principal of a token or a browser's access cookie; raises Unauthorized.

    If a token is sent, only the token counts, even if it is wrong.
    """
    if bearer and bearer.startswith(API_TOKEN):
        return await tokens.authenticate(platform.db, bearer, ("api",))
    secret = bearer or cookie
    if not secret:
        raise Unauthorized
    return await sessions.authenticate(platform.db, secret)


def gate(request: HTTPConnection) -> Gate:
    """The gate this request passed."""
    gate_ = request.app.state.gate
    assert isinstance(gate_, Gate)
    return gate_


AtGate = Annotated[Gate, Depends(gate)]


def current_platform(at: AtGate) -> Platform:
    """The platform behind this request."""
    return at.platform


CurrentPlatform = Annotated[Platform, Depends(current_platform)]


async def asker(
    request: Request,
    at: AtGate,
    _header: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    _session: Annotated[str | None, Depends(_cookie)],
) -> Asker:
    """The sender, counted against their limit.  Raises Unauthorized, CrossSite, TooManyRequests."""
    who = await identified(at, request, changes=request.method not in _SAFE)
    at.limits.count_principal(who.principal)
    log.bind(org=who.principal.org_id, user=who.principal.user_id)
    return who


async def identified(at: Gate, request: HTTPConnection, *, changes: bool) -> Asker:
    """The sender; raises Unauthorized, and CrossSite for a change by cookie from another site."""
    header = request.headers.get("authorization")
    if header:
        scheme, _, bearer = header.partition(" ")
        if scheme.lower() != "bearer" or not bearer.strip():
            raise Unauthorized
        bearer = bearer.strip()
        who = await principal_of(at.platform, bearer=bearer, cookie=None)
        known(request.scope)
        return Asker(who, by_token=bearer.startswith(API_TOKEN))
    cookie = cookie_of(at, request)
    if cookie and changes and not same_origin(at, request):
        raise CrossSite
    who = await principal_of(at.platform, bearer=None, cookie=cookie)
    known(request.scope)
    return Asker(who, by_token=False)


def cookie_of(at: Gate, request: HTTPConnection) -> str | None:
    """The access token in this request's cookie."""
    return cookie_in(request.headers.get("cookie", ""), access_cookie(at.platform.settings))


def address_of(request: HTTPConnection) -> str:
    """The client's address, as reported by trusted proxies."""
    return request.client.host if request.client else "unknown"


def same_origin(at: Gate, request: HTTPConnection) -> bool:
    """Whether the browser reports that a page of this server sent the request."""
    return sender_of(at.site, request) is Sender.OWN


def from_another_site(at: Gate, request: HTTPConnection) -> bool:
    """Whether the browser reports that a page of another site sent the request.

    For changes without a cookie.  Programs report nothing; browsers name the origin of every POST.
    """
    return sender_of(at.site, request) in (Sender.OTHER, Sender.ALLOWED)
