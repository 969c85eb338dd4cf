"""Sign-in and sign-out: a session starts, is renewed, changes organization, ends.

The access token is in the answer, for programs, and in a cookie, for browsers; the refresh secret
is only in a cookie.  These calls are refused from other sites' pages, so that nobody is signed in
as somebody else without knowing it (login CSRF).
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
"""Maximum characters of a password or secret; no real one is that long."""


async def own_page(request: Request, at: AtGate) -> None:
    """Raise CrossSite for a change sent by another site's page."""
    if request.method != "GET" and from_another_site(at, request):
        raise CrossSite


router = APIRouter(prefix="/api/auth", tags=["sign-in"], dependencies=[Depends(own_page)])
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST_SECRET)]


class Credentials(Wire):
    """E-mail and password, and the organization for people who belong to several."""

    email: Annotated[str, Field(max_length=LONGEST_SECRET)]
    password: Secret
    organization_id: UUID | None = None


class PasswordChange(Wire):
    """The current password and the new one."""

    old: Secret
    new: Secret


class Reset(Wire):
    """The one-time secret of a reset link, and the new password."""

    token: Secret
    password: Secret


class Acceptance(Wire):
    """The secret of an invitation, with the name and password of a new account or the password of
    an existing one."""

    token: Secret
    name: Annotated[str, Field(max_length=LONGEST_SECRET)] = ""
    password: Secret


class InvitationLink(Wire):
    """The secret of an invitation's link."""

    token: Secret


class InvitationOffer(Wire):
    """What an invitation offers to the holder of its link."""

    email: str
    role: Role
    organization: str
    expires_at: datetime


class Switch(Wire):
    """The organization to work in."""

    organization_id: UUID


class Access(Wire):
    """A session's access token: send it as `Authorization: Bearer …` until it expires."""

    access_token: str
    token_type: Literal["Bearer"] = "Bearer"
    expires_at: datetime
    session_expires_at: datetime
    """When the session ends unless it is used before."""
    user_id: UUID
    organization_id: UUID
    role: Role


class EndedSessions(Wire):
    """The number of sessions that ended."""

    ended: int


@router.post("/sign-in", dependencies=[PUBLIC])
async def sign_in(at: AtGate, request: Request, response: Response, body: Credentials) -> Access:
    """Sign in with e-mail and password."""
    who = await signed_in_by_password(
        at, request, body.email, body.password, organization=body.organization_id
    )
    return answered(at, response, await begun(at, request, who))


@router.post("/refresh", dependencies=[PUBLIC])
async def refresh(at: AtGate, request: Request, response: Response) -> Access:
    """Renew a session: returns a new access token, and a new secret in the cookie."""
    return answered(at, response, await renewed(at, request))


@router.post("/sign-out", status_code=204, dependencies=[PUBLIC])
async def sign_out(at: AtGate, request: Request, response: Response) -> None:
    """End this session, in the browser and on the server."""
    await left(at, request)
    forget_session(response, at.platform.settings)


@router.post("/sign-out-everywhere")
async def sign_out_everywhere(at: AtGate, who: SignedIn, response: Response) -> EndedSessions:
    """End all your sessions, in all browsers and organizations."""
    number = await sessions.end_all(at.platform.db, who)
    forget_session(response, at.platform.settings)
    return EndedSessions(ended=number)


@router.post("/password", status_code=204)
async def change_password(at: AtGate, who: SignedIn, body: PasswordChange) -> None:
    """Change your password; all your other sessions end."""
    await accounts.change_password(at.platform.db, who, body.old, body.new)


@router.post("/reset", status_code=204, dependencies=[PUBLIC])
async def reset(at: AtGate, request: Request, body: Reset) -> None:
    """Set a new password with the secret of a one-time link; all sessions of the account end."""
    await accounts.reset_password(
        at.platform.db, body.token, body.password, address=address_of(request)
    )


@router.post("/invitation", dependencies=[PUBLIC])
async def read_invitation(at: AtGate, body: InvitationLink) -> InvitationOffer:
    """What an invitation offers; looking at it accepts nothing."""
    return InvitationOffer.model_validate(await invitations.offer(at.platform.db, body.token))


@router.post("/accept", dependencies=[PUBLIC])
async def accept(at: AtGate, request: Request, response: Response, body: Acceptance) -> Access:
    """Accept an invitation and sign in."""
    who = await invitations.accept(
        at.platform.db, body.token, body.name, body.password, address=address_of(request)
    )
    return answered(at, response, await begun(at, request, who))


@router.post("/switch")
async def switch(
    at: AtGate, who: SignedIn, request: Request, response: Response, body: Switch
) -> Access:
    """Switch to another of your organizations; the current session ends."""
    return answered(at, response, await switched(at, request, who, body.organization_id))


def answered(at: Gate, response: Response, started: Started) -> Access:
    """A session in the form programs read, with the cookies for a browser."""
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
    """The account for an e-mail and password; raises WrongCredentials, TooManyTries."""
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
    """A new session, labelled with the browser's name for itself."""
    label = request.headers.get("user-agent", "")
    return await sessions.start(
        at.platform.db, who, label=label, settings=at.platform.settings, signed_in_at=signed_in_at
    )


async def renewed(at: Gate, request: Request) -> Started:
    """Renew the session of this request's secret; raises Unauthorized."""
    secret = refresh_secret(at, request)
    if not secret:
        raise Unauthorized("There is no session here to renew; sign in.")
    return await sessions.refresh(at.platform.db, secret, settings=at.platform.settings)


async def left(at: Gate, request: Request) -> None:
    """End the session of this request, if it has an active one, by either of its secrets."""
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
    """Replace this session by one in another organization; raises NotFound."""
    there = await accounts.switch(at.platform.db, who, organization)
    started = await begun(at, request, there, await sessions.signed_in_at(at.platform.db, who))
    if who.credential is not None:
        await sessions.end(at.platform.db, who, who.credential)
    return started


def refresh_secret(at: Gate, request: Request) -> str | None:
    """The refresh secret in this request's cookie."""
    return cookie_in(request.headers.get("cookie", ""), refresh_cookie(at.platform.settings))
