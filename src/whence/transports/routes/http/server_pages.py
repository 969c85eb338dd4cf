"""The one-time link that signs in, and the pages that the server writes itself."""

from __future__ import annotations

from html import escape
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from whence.kernel.errors import Forbidden, NotFound, Unauthorized
from whence.tenancy import tokens
from whence.transports.edge.access import PUBLIC
from whence.transports.edge.cookies import keep_session
from whence.transports.edge.html import page, words
from whence.transports.edge.identity import AtGate, Gate, identified
from whence.transports.edge.problems import TABLE
from whence.transports.routes.http.auth import begun

router = APIRouter(include_in_schema=False, dependencies=[PUBLIC])
Token = Annotated[str, Query(max_length=200)]
USED = "/sign-in?link=used"
"""Where the web application says that a link does not sign in any more."""
_NOT_BUILT = (
    "<p>The web application is not built here. Building it needs Node 20.19 or newer, once:</p>"
    "<p><code>make web</code></p>"
    "<p>Then start <code>whence serve</code> again and open the link that it prints. The wheel of "
    "a release contains the application, without Node.</p>"
    "<p>Meanwhile the API works: <a href='/docs'>what it offers</a>.</p>"
)


@router.get("/")
@router.get("/accept")
@router.get("/reset")
async def not_built() -> Response:
    """What to do for a web application; where it is built, it answers these addresses itself."""
    return page("whence", _NOT_BUILT)


@router.get("/sign-in")
async def sign_in(request: Request, at: AtGate, token: Token = "") -> Response:
    """With the one-time link of `whence serve`, a session; else the web application's page.

    A browser that is signed in goes on with a used link too: it may have been clicked twice.  Where
    people have accounts, no link signs in.
    """
    if not token:
        return page("whence", _NOT_BUILT)
    if not _is_opened_by_a_person(request):
        raise Forbidden("Open this link in a tab of its own.")
    if at.platform.settings.accounts:
        return RedirectResponse("/sign-in", status_code=303)
    try:
        who = await tokens.spend_link(at.platform.db, token)
    except Unauthorized:
        is_in = await _is_signed_in(request, at)
        return RedirectResponse("/" if is_in else USED, status_code=303)
    started = await begun(at, request, who)
    done = RedirectResponse("/", status_code=303)
    keep_session(done, at.platform.settings, started.access, started.refresh)
    return done


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


async def _is_signed_in(request: Request, at: Gate) -> bool:
    try:
        await identified(at, request, changes=False)
    except Unauthorized:
        return False
    return True


def _is_opened_by_a_person(request: Request) -> bool:
    """Whether this request is a tab that shows the page, not an image, frame, script or
    prefetch."""
    headers = request.headers
    ahead = f"{headers.get('sec-purpose', '')} {headers.get('purpose', '')}".lower()
    shown = headers.get("sec-fetch-dest", "document") == "document"
    return request.method == "GET" and shown and "pre" not in ahead
