"""Signing in and out: a session begins, is renewed, moves to another organization, ends.

The access token is in the answer, for programs, and in a cookie, for browsers; the secret that
renews it is in a cookie only.  None of these calls is taken from another site's page, so that
nobody is signed in as somebody else without knowing (login CSRF).
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from whence.kernel.errors import Unauthorized
from whence.kernel.wire import Wire
from whence.tenancy import accounts, invitations, sessions
from whence.tenancy.principal import Principal, Role
from whence.tenancy.sessions import Started
from whence.transports.edge.access import PUBLIC, SignedIn
from whence.transports.edge.cookies import cookie_in, forget_session, keep_session, refresh_cookie
from whence.transports.edge.identity import (
    AtGate,
    Gate,
    address_of,
    from_another_site,
    identified,
)
from whence.transports.edge.origins import CrossSite

LONGEST_SECRET = 1000
"""Characters of a password or secret that are looked at; no real one is that long."""


async def own_page(request: Request, at: AtGate) -> None:
    """Raise CrossSite for a change that another site's page sends."""
    if request.method != "GET" and from_another_site(at, request):
        raise CrossSite


router = APIRouter(prefix="/api/auth", tags=["sign-in"], dependencies=[Depends(own_page)])
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST_SECRET)]


class Credentials(Wire):
    """E-mail and password, and for people of several organizations which one."""

    email: Annotated[str, Field(max_length=LONGEST_SECRET)]
    password: Secret
    organization_id: UUID | None = None


class PasswordChange(Wire):
    """The present password and the next one."""

    old: Secret
    new: Secret


class Reset(Wire):
    """The one-time secret of a reset link, and the new password."""

    token: Secret
    password: Secret


class Acceptance(Wire):
    """The secret of an invitation; for a new account its name and password, else its password."""

    token: Secret
    name: Annotated[str, Field(max_length=LONGEST_SECRET)] = ""
    password: Secret


class Switch(Wire):
    """The organization to work in."""

    organization_id: UUID


class Access(Wire):
    """A session's access token: send it as `Authorization: Bearer …` until it expires."""

    access_token: str
    token_type: Literal["Bearer"] = "Bearer"
    expires_at: datetime
    session_expires_at: datetime
    """When the session ends unless it is used until then."""
    user_id: UUID
    organization_id: UUID
    role: Role


class Ended(Wire):
    """How many sessions ended."""

    ended: int


@router.post("/sign-in", dependencies=[PUBLIC])
async def sign_in(at: AtGate, request: Request, response: Response, body: Credentials) -> Access:
    """Sign in by e-mail and password."""
    who = await signed_in_by_password(
        at, request, body.email, body.password, organization=body.organization_id
    )
    return answered(at, response, await begun(at, request, who))


@router.post("/refresh", dependencies=[PUBLIC])
async def refresh(at: AtGate, request: Request, response: Response) -> Access:
    """Renew a session: another access token, and another secret in the cookie."""
    return answered(at, response, await renewed(at, request))


@router.post("/sign-out", status_code=204, dependencies=[PUBLIC])
async def sign_out(at: AtGate, request: Request, response: Response) -> None:
    """End this session, here and at the server."""
    await left(at, request)
    forget_session(response, at.platform.settings)


@router.post("/sign-out-everywhere")
async def sign_out_everywhere(at: AtGate, who: SignedIn, response: Response) -> Ended:
    """End every session of yours, in all browsers and organizations."""
    ended = await sessions.end_all(at.platform.db, who)
    forget_session(response, at.platform.settings)
    return Ended(ended=ended)


@router.post("/password", status_code=204)
async def change_password(at: AtGate, who: SignedIn, body: PasswordChange) -> None:
    """Change your password; every other session of yours ends."""
    await accounts.change_password(at.platform.db, who, body.old, body.new)


@router.post("/reset", status_code=204, dependencies=[PUBLIC])
async def reset(at: AtGate, request: Request, body: Reset) -> None:
    """Set a new password by the secret of a one-time link; every session of the account ends."""
    await accounts.reset_password(
        at.platform.db, body.token, body.password, address=address_of(request)
    )


@router.post("/accept", dependencies=[PUBLIC])
async def accept(at: AtGate, request: Request, response: Response, body: Acceptance) -> Access:
    """Take up an invitation, and be signed in."""
    who = await invitations.accept(
        at.platform.db, body.token, body.name, body.password, address=address_of(request)
    )
    return answered(at, response, await begun(at, request, who))


@router.post("/switch")
async def switch(
    at: AtGate, who: SignedIn, request: Request, response: Response, body: Switch
) -> Access:
    """Go on in another organization of yours; the session here ends."""
    return answered(at, response, await switched(at, request, who, body.organization_id))


def answered(at: Gate, response: Response, started: Started) -> Access:
    """A session as a program reads it, with the cookies for a browser."""
    keep_session(response, at.platform.settings, started.access, started.refresh)
    return Access(
        access_token=started.access,
        expires_at=started.access_expires_at,
        session_expires_at=started.refresh_expires_at,
        user_id=started.who.user_id,
        organization_id=started.who.org_id,
        role=started.who.role,
    )


async def signed_in_by_password(
    at: Gate, request: Request, email: str, password: str, *, organization: UUID | None = None
) -> Principal:
    """Whom e-mail and password open; raises WrongCredentials, TooManyTries."""
    return await accounts.sign_in(
        at.platform.db,
        email,
        password,
        address=address_of(request),
        organization=organization,
        device=refresh_secret(at, request),
    )


async def begun(
    at: Gate, request: Request, who: Principal, signed_in_at: datetime | None = None
) -> Started:
    """A new session, called by the browser's name for itself."""
    label = request.headers.get("user-agent", "")
    return await sessions.start(
        at.platform.db, who, label=label, settings=at.platform.settings, signed_in_at=signed_in_at
    )


async def renewed(at: Gate, request: Request) -> Started:
    """The session of this request's secret, renewed; raises Unauthorized."""
    secret = refresh_secret(at, request)
    if not secret:
        raise Unauthorized("There is no session here to renew; sign in.")
    return await sessions.refresh(at.platform.db, secret, settings=at.platform.settings)


async def left(at: Gate, request: Request) -> None:
    """End the session of this request, if it has one that lives, by whichever secret shows it."""
    try:
        asker = await identified(at, request, changes=True)
        who, by_token = asker.principal, asker.by_token
    except Unauthorized:
        try:
            who, by_token = (await renewed(at, request)).who, False
        except Unauthorized:
            return
    if who.credential is not None and not by_token:
        await sessions.end(at.platform.db, who, who.credential)


async def switched(at: Gate, request: Request, who: Principal, organization: UUID) -> Started:
    """A session in another organization, in the place of this one; raises NotFound."""
    there = await accounts.switch(at.platform.db, who, organization)
    started = await begun(at, request, there, await sessions.signed_in_at(at.platform.db, who))
    if who.credential is not None:
        await sessions.end(at.platform.db, who, who.credential)
    return started


def refresh_secret(at: Gate, request: Request) -> str | None:
    """The renewing secret in this request's cookie."""
    return cookie_in(request.headers.get("cookie", ""), refresh_cookie(at.platform.settings))
