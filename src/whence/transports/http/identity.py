"""Who sends a request: an API token in its header, or the browser's session in its cookie."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from whence.kernel.errors import Forbidden, Unauthorized
from whence.sdk.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Scope

SESSION_COOKIE = "whence_session"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_bearer = HTTPBearer(auto_error=False, description="An API token, `whence_…`")
_session = APIKeyCookie(
    name=SESSION_COOKIE, auto_error=False, description="The browser's session, from `/sign-in`"
)


class CrossSite(Forbidden):
    """This change was sent by another site; send it from whence's own pages, or with a token."""


def built_platform(request: Request) -> Platform:
    """The program behind this request."""
    built = request.app.state.built
    assert isinstance(built, Platform)
    return built


Built = Annotated[Platform, Depends(built_platform)]


async def authenticated(
    request: Request,
    built: Built,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    session: Annotated[str | None, Depends(_session)],
) -> Principal:
    """The principal; raises Unauthorized, and CrossSite for another site's change by cookie."""
    if request.headers.get("authorization"):
        if bearer is None:
            raise Unauthorized
        return await tokens.authenticate(built.db, bearer.credentials, ("api",))
    if not session:
        raise Unauthorized
    if request.method not in _SAFE and not same_origin(request):
        raise CrossSite
    return await tokens.authenticate(built.db, session, ("session",))


def same_origin(request: Request) -> bool:
    """Whether the browser says that this server's own page sent the request."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin is not None:
        own = (request.url.scheme, request.headers.get("host", "").lower())
        sent = urlsplit(origin.lower())
        return (sent.scheme, sent.netloc) == own
    return site is not None


def reader(who: Annotated[Principal, Depends(authenticated)]) -> Principal:
    """A principal who may read."""
    who.require(Scope.READ)
    return who


def writer(who: Annotated[Principal, Depends(authenticated)]) -> Principal:
    """A principal who may change things."""
    who.require(Scope.WRITE)
    return who


Reader = Annotated[Principal, Depends(reader)]
Writer = Annotated[Principal, Depends(writer)]
