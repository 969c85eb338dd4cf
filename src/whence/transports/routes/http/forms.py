"""The forms of the HTML pages: like the calls of `/api/auth`, but answered with pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any
from urllib.parse import parse_qs
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response
from fastapi.routing import APIRoute

from whence.kernel.errors import Invalid, TooMany, Unauthorized, Unavailable, WhenceError
from whence.tenancy import accounts, invitations, sessions
from whence.tenancy.sessions import Started
from whence.transports.edge.access import PUBLIC, SignedIn
from whence.transports.edge.cookies import forget_session, keep_session
from whence.transports.edge.html import FORMS, page, wrong
from whence.transports.edge.identity import (
    AtGate,
    CrossSite,
    Gate,
    address_of,
    cookie_of,
    same_origin,
)
from whence.transports.edge.problems import of_error
from whence.transports.routes.http.auth import (
    LONGEST_SECRET,
    begun,
    left,
    own_page,
    refresh_secret,
    renewed,
    signed_in_by_password,
    switched,
)
from whence.transports.routes.http.front import (
    accept_page,
    account_page,
    reset_page,
    sign_in_page,
)

MAX_FIELDS = 10
"""More fields than any of our forms has."""
SHOWN = (Invalid, Unauthorized, TooMany, Unavailable)
"""Errors that a person can correct by filling in the form again."""


class NotAForm(Invalid):
    """Send this form from whence's own page."""


async def own_form(request: Request, at: AtGate) -> None:
    """Raise CrossSite unless a page of ours sent this; browsers always report it."""
    if request.method != "GET" and not same_origin(at, request):
        raise CrossSite


async def filled_in(request: Request) -> dict[str, str]:
    """The fields of a form; raises NotAForm."""
    body = await request.body()
    try:
        parsed = parse_qs(body.decode("ascii"), max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as error:
        raise NotAForm from error
    fields = {name: values[0] for name, values in parsed.items()}
    if any("\x00" in value or len(value) > LONGEST_SECRET for value in fields.values()):
        raise NotAForm
    return fields


class FormRoute(APIRoute):
    """A route whose errors are pages, because a person sent the form."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, with errors rendered for people."""
        handler = super().get_route_handler()

        async def in_words(request: Request) -> Response:
            try:
                return await handler(request)
            except WhenceError as error:
                body = f"{wrong(error.message)}<p><a href='/'>Continue</a></p>"
                return page("That did not work", body, _status(error))

        return in_words


router = APIRouter(
    prefix=FORMS,
    include_in_schema=False,
    route_class=FormRoute,
    dependencies=[Depends(own_page), Depends(own_form)],
)
Fields = Annotated[dict[str, str], Depends(filled_in)]


@router.post("/sign-in", dependencies=[PUBLIC])
async def sign_in(request: Request, at: AtGate, fields: Fields) -> Response:
    """Sign in, or show the form again with the error."""
    email = fields.get("email", "")
    try:
        who = await signed_in_by_password(at, request, email, fields.get("password", ""))
    except SHOWN as error:
        return sign_in_page(at, email=email, error=error.message, status=_status(error))
    return _home(at, await begun(at, request, who))


@router.get("/continue", dependencies=[PUBLIC])
async def go_on(request: Request, at: AtGate) -> Response:
    """Renew an idle session and redirect to the first page; without a session, to sign-in.

    A link from another site comes without cookies: it must not remove cookies it cannot send.
    """
    try:
        return _home(at, await renewed(at, request))
    except Unauthorized:
        out = RedirectResponse("/", status_code=303)
        if cookie_of(at, request) or refresh_secret(at, request):
            forget_session(out, at.platform.settings)
        return out


@router.post("/sign-out", dependencies=[PUBLIC])
async def sign_out(request: Request, at: AtGate) -> Response:
    """End this session."""
    await left(at, request)
    return _out(at, "You are signed out.")


@router.post("/sign-out-everywhere")
async def sign_out_everywhere(at: AtGate, who: SignedIn) -> Response:
    """End every session."""
    number = await sessions.end_all(at.platform.db, who)
    return _out(at, f"You are signed out everywhere. Sessions ended: {number}.")


@router.post("/end-session")
async def end_session(at: AtGate, who: SignedIn, fields: Fields) -> Response:
    """End one of one's own sessions."""
    await sessions.end(at.platform.db, who, _id(fields, "session"))
    return RedirectResponse("/", status_code=303)


@router.post("/switch")
async def switch(request: Request, at: AtGate, who: SignedIn, fields: Fields) -> Response:
    """Switch to another organization."""
    return _home(at, await switched(at, request, who, _id(fields, "organization")))


@router.post("/password")
async def change_password(at: AtGate, who: SignedIn, fields: Fields) -> Response:
    """Change the password."""
    try:
        await accounts.change_password(
            at.platform.db, who, fields.get("old", ""), fields.get("new", "")
        )
    except SHOWN as error:
        return await account_page(at.platform, who, error=error.message, status=_status(error))
    done = "Your password is changed; every other session of yours has ended."
    return await account_page(at.platform, who, done=done)


@router.post("/accept", dependencies=[PUBLIC])
async def accept(request: Request, at: AtGate, fields: Fields) -> Response:
    """Accept an invitation, or show the form again with the error."""
    token, name = fields.get("token", ""), fields.get("name", "")
    try:
        who = await invitations.accept(
            at.platform.db, token, name, fields.get("password", ""), address=address_of(request)
        )
    except SHOWN as error:
        return await accept_page(at, token, name=name, error=error.message, status=_status(error))
    return _home(at, await begun(at, request, who))


@router.post("/reset", dependencies=[PUBLIC])
async def reset(request: Request, at: AtGate, fields: Fields) -> Response:
    """Set a new password, or show the form again with the error."""
    token = fields.get("token", "")
    try:
        await accounts.reset_password(
            at.platform.db, token, fields.get("password", ""), address=address_of(request)
        )
    except SHOWN as error:
        return reset_page(token, error=error.message, status=_status(error))
    return _out(at, "Your password is set. Sign in with it.")


def _home(at: Gate, started: Started) -> Response:
    home = RedirectResponse("/", status_code=303)
    keep_session(home, at.platform.settings, started.access, started.refresh)
    return home


def _out(at: Gate, words: str) -> Response:
    """A page after a session's end, which also removes the cookies."""
    way = "<p><a href='/sign-in'>Sign in</a></p>" if at.platform.settings.accounts else ""
    html = page("whence", f"<p role='status'>{words}</p>{way}")
    forget_session(html, at.platform.settings)
    return html


def _id(fields: dict[str, str], name: str) -> UUID:
    try:
        return UUID(fields.get(name, ""))
    except ValueError as error:
        raise NotAForm from error


def _status(error: WhenceError) -> int:
    return of_error(error).status
