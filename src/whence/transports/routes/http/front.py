"""The HTML pages: the signed-in person, sign-in and its forms, and an overview of the API."""

from __future__ import annotations

from html import escape
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from whence.app.platform import Platform
from whence.kernel.errors import Forbidden, NotFound, Unauthorized
from whence.tenancy import accounts, invitations, sessions, tokens
from whence.tenancy.passwords import MIN_LENGTH
from whence.tenancy.principal import Principal
from whence.tenancy.profile import profile
from whence.transports.edge.access import PUBLIC
from whence.transports.edge.cookies import keep_session
from whence.transports.edge.html import FORMS, field, form, page, small_form, words, wrong
from whence.transports.edge.identity import AtGate, Gate, cookie_of, principal_of
from whence.transports.edge.problems import TABLE
from whence.transports.routes.http.auth import begun

router = APIRouter(include_in_schema=False, dependencies=[PUBLIC])
Token = Annotated[str, Query(max_length=200)]
NOT_BUILT = (
    "<p class='soft'>The web application is not built here. Building it needs Node 20.19 or newer, "
    "once: <code>make web</code>.</p>"
)
"""These pages are shown only without the web application, which answers their addresses itself."""


@router.get("/")
async def index(request: Request, at: AtGate) -> Response:
    """The signed-in person and organization; renews an idle session on the way."""
    cookie = cookie_of(at, request)
    if not cookie:
        return _stranger(at)
    try:
        who = await principal_of(at.platform, bearer=None, cookie=cookie)
    except Unauthorized:
        return RedirectResponse(f"{FORMS}/continue", status_code=303)
    return await account_page(at.platform, who)


@router.get("/sign-in")
async def sign_in(request: Request, at: AtGate, token: Token = "") -> Response:
    """The sign-in form; with the one-time link of `whence serve`, a session at once."""
    if not token:
        return sign_in_page(at)
    if not _is_opened_by_a_person(request):
        raise Forbidden("Open this link in a tab of its own.")
    try:
        who = await tokens.spend_link(at.platform.db, token)
    except Unauthorized:
        message = (
            "This link was used already, or it is too old. <code>whence serve</code> prints one"
        )
        return page("Not signed in", f"<p>{message} each time it starts.</p>", 401)
    started = await begun(at, request, who)
    done = RedirectResponse("/", status_code=303)
    keep_session(done, at.platform.settings, started.access, started.refresh)
    return done


@router.get("/accept")
async def accept(at: AtGate, token: Token = "") -> Response:
    """The form of an invitation; only submitting it accepts the invitation."""
    return await accept_page(at, token)


@router.get("/reset")
async def reset(token: Token = "") -> Response:
    """The form of a reset link; only submitting it uses up the link."""
    return reset_page(token)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The API, generated from its OpenAPI document; without scripts or content from other sites."""
    document = cast("dict[str, dict[str, dict[str, Any]]]", request.app.openapi())
    rows = [
        f"<tr><td>{method.upper()}</td><td><code>{escape(path)}</code></td>"
        f"<td>{words(str(call.get('description') or call.get('summary') or ''))}</td></tr>"
        for path, calls in document["paths"].items()
        for method, call in calls.items()
    ]
    link = "<p>For programs: <a href='/openapi.json'>openapi.json</a></p>"
    return page("The API of whence", f"{link}<table>{''.join(rows)}</table>")


@router.get("/problems/{name}")
async def problem(name: str) -> Response:
    """The meaning of a problem's `type`."""
    for error, (status, slug, title) in TABLE.items():
        if slug == name:
            meaning = words(" ".join((error.__doc__ or "").split()))
            return page(title, f"<p>{meaning}</p><p>HTTP status {status}</p>")
    raise NotFound("There is no such kind of problem.")


def _stranger(at: Gate) -> Response:
    if at.platform.settings.accounts:
        way = "<p>You are not signed in. <a href='/sign-in'>Sign in</a></p>"
    else:
        way = "<p>You are not signed in. Open the link that <code>whence serve</code> printed.</p>"
    return page("whence", f"{way}{NOT_BUILT}<p><a href='/docs'>What the API offers</a></p>")


async def account_page(
    platform: Platform, who: Principal, *, error: str = "", done: str = "", status: int = 200
) -> Response:
    """The signed-in person, their organizations, and the ways to sign out."""
    async with platform.unit(who) as session:
        me = await profile(session, who)
    others = [
        row for row in await accounts.organizations(platform.db, who) if row.org_id != who.org_id
    ]
    mine = [row for row in await sessions.listed(platform.db, who) if row.user_id == who.user_id]
    signed_in = f"<b>{escape(me.name)}</b> ({who.role}) of <b>{escape(me.organization)}</b>"
    parts = [
        wrong(error) if error else "",
        f"<p role='status'>{escape(done)}</p>" if done else "",
        f"<p>Signed in as {signed_in}.</p>",
        small_form(f"{FORMS}/sign-out", "Sign out"),
        small_form(f"{FORMS}/sign-out-everywhere", "Sign out everywhere"),
        "<h2>Where you are signed in</h2><ul class='plain'>",
        *(_session_row(row) for row in mine),
        "</ul>",
    ]
    if others:
        parts.append("<h2>Your other organizations</h2>")
        parts += [
            small_form(f"{FORMS}/switch", f"Go to {row.name}", organization=str(row.org_id))
            for row in others
        ]
    if platform.settings.accounts:
        parts.append(_password_form(me.email))
    parts.append(NOT_BUILT)
    parts.append("<h2>For programs</h2><p><a href='/docs'>What the API offers</a></p>")
    return page("whence", "".join(parts), status)


def sign_in_page(at: Gate, *, email: str = "", error: str = "", status: int = 200) -> Response:
    """The form for e-mail and password."""
    if not at.platform.settings.accounts:
        return _stranger(at)
    fields = [
        field(
            "email", "E-mail", kind="email", value=email, complete="username", is_wrong=bool(error)
        ),
        field("password", "Password", kind="password", complete="current-password"),
    ]
    lost = (
        "<p class='soft'>No password yet, or forgotten? Ask whoever runs this server for a link "
        "(<code>whence account reset</code>).</p>"
    )
    body = (wrong(error) if error else "") + form(f"{FORMS}/sign-in", "Sign in", fields) + lost
    return page("Sign in", body, status)


async def accept_page(
    at: Gate, token: str, *, name: str = "", error: str = "", status: int = 200
) -> Response:
    """The offer of an invitation, and the form to accept it."""
    try:
        offer = await invitations.offer(at.platform.db, token)
    except Unauthorized as unknown:
        return page("Invitation", wrong(unknown.message), 401)
    fields = [
        field("name", "Your name", value=name, complete="name", is_required=False),
        field(
            "password",
            "Password",
            kind="password",
            complete="new-password",
            hint=f"At least {MIN_LENGTH} characters. If you have an account here, its password.",
            is_wrong=bool(error),
        ),
    ]
    body = (
        (wrong(error) if error else "")
        + f"<p>You are invited to <b>{escape(offer.organization)}</b> as {offer.role}, with the "
        f"e-mail <b>{escape(offer.email)}</b>.</p>"
        + form(f"{FORMS}/accept", "Join", fields, token=token)
    )
    return page("Invitation", body, status)


def reset_page(token: str, *, error: str = "", status: int = 200) -> Response:
    """The form for a new password."""
    if not token:
        return page("New password", wrong("This link is not complete; ask for a new one."), 401)
    fields = [
        field(
            "password",
            "New password",
            kind="password",
            complete="new-password",
            hint=f"At least {MIN_LENGTH} characters.",
            is_wrong=bool(error),
        )
    ]
    body = (wrong(error) if error else "") + form(
        f"{FORMS}/reset", "Set password", fields, token=token
    )
    return page("New password", body, status)


def _session_row(row: sessions.Session) -> str:
    used = row.last_used_at.strftime("%Y-%m-%d %H:%M UTC")
    end = (
        "<span class='soft'>This browser</span>"
        if row.is_current
        else small_form(f"{FORMS}/end-session", "Sign it out", session=str(row.id))
    )
    return f"<li>{escape(row.label)}<br><span class='soft'>Last used {used}</span><br>{end}</li>"


def _password_form(email: str) -> str:
    fields = [
        # Password managers ask whose password it is.
        f"<input hidden autocomplete='username' value='{escape(email)}'>",
        field("old", "Present password", kind="password", complete="current-password"),
        field(
            "new",
            "New password",
            kind="password",
            complete="new-password",
            hint=f"At least {MIN_LENGTH} characters.",
        ),
    ]
    return "<h2>Change your password</h2>" + form(f"{FORMS}/password", "Change it", fields)


def _is_opened_by_a_person(request: Request) -> bool:
    """Whether this request is a tab that shows the page, not an image, frame, script or
    prefetch."""
    headers = request.headers
    ahead = f"{headers.get('sec-purpose', '')} {headers.get('purpose', '')}".lower()
    shown = headers.get("sec-fetch-dest", "document") == "document"
    return request.method == "GET" and shown and "pre" not in ahead
