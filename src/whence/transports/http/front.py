"""The few pages for people: signing in by the one-time link, who you are, what the API offers."""

from __future__ import annotations

from html import escape
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from whence.kernel.errors import NotFound, Unauthorized
from whence.tenancy import tokens
from whence.tenancy.profile import profile
from whence.transports.http.identity import SESSION_COOKIE, Built
from whence.transports.http.problems import TABLE

router = APIRouter(include_in_schema=False)
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:3rem auto;padding:0 1rem;"
    "color-scheme:light dark}code{font-size:.95em}td,th{padding:.2rem .8rem .2rem 0;"
    "text-align:left;vertical-align:top}"
)


@router.get("/sign-in")
async def sign_in(built: Built, token: Annotated[str, Query(max_length=200)]) -> Response:
    """Trade the one-time link for a session, once."""
    try:
        _, session = await tokens.redeem(built.db, token)
    except Unauthorized:
        words = "This link was used already, or it is too old. <code>whence serve</code> prints one"
        return _page("Not signed in", f"<p>{words} each time it starts.</p>", 401)
    done = RedirectResponse("/", status_code=303)
    done.set_cookie(
        SESSION_COOKIE,
        session,
        max_age=int(tokens.SESSION_LIFETIME.total_seconds()),
        path="/",
        httponly=True,
        samesite="strict",
    )
    done.headers["Cache-Control"] = "no-store"
    return done


@router.get("/")
async def index(request: Request, built: Built) -> Response:
    """Who is signed in, and where the documentation is."""
    secret = request.cookies.get(SESSION_COOKIE, "")
    try:
        who = await tokens.authenticate(built.db, secret, ("session",))
    except Unauthorized:
        body = "<p>You are not signed in. Open the link that <code>whence serve</code> printed.</p>"
    else:
        async with built.unit(who) as session:
            found = await profile(session, who)
        name, organization = escape(found.name), escape(found.organization)
        body = f"<p>Signed in as {name} ({who.role}) of {organization}.</p>"
    return _page("whence", f"{body}<p><a href='/docs'>What the API offers</a></p>")


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The API, read off its OpenAPI document; no script, nothing from another site."""
    document = cast("dict[str, dict[str, dict[str, Any]]]", request.app.openapi())
    rows = [
        f"<tr><td>{method.upper()}</td><td><code>{escape(path)}</code></td>"
        f"<td>{escape(str(call.get('description') or call.get('summary') or ''))}</td></tr>"
        for path, calls in document["paths"].items()
        for method, call in calls.items()
    ]
    link = "<p>For programs: <a href='/openapi.json'>openapi.json</a></p>"
    return _page("The API of whence", f"{link}<table>{''.join(rows)}</table>")


@router.get("/problems/{name}")
async def problem(name: str) -> Response:
    """What a problem's `type` means."""
    for error, (status, slug, title) in TABLE.items():
        if slug == name:
            words = escape(" ".join((error.__doc__ or "").split()))
            return _page(title, f"<p>{words}</p><p>HTTP status {status}</p>")
    raise NotFound("There is no such kind of problem.")


def _page(title: str, body: str, status: int = 200) -> Response:
    return HTMLResponse(
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style>"
        f"<h1>{escape(title)}</h1>{body}</html>",
        status_code=status,
        headers={"Cache-Control": "no-store"},
    )
