"""What every answer tells a browser: to run nothing, to be framed by nobody, to keep nothing.

Other sites may read answers only where `WHENCE_ALLOWED_ORIGINS` names them, and never with the
cookies of whoever looks at them: their pages send a token of their own.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.transports.edge.site import Site

CONTENT_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)
"""For every answer but the pages: data that a browser is to show to nobody and run for nobody."""
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""For the pages: one style sheet of our own and forms; no script, no picture, no other site."""
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
        "microphone=(), midi=(), payment=(), publickey-credentials-get=(), usb=(), "
        "browsing-topics=()"
    ),
    "Cache-Control": "no-store",
}
HSTS_SECONDS = 31_536_000
"""A year, the least that browsers' own preload list takes."""
PREFLIGHT_SECONDS = 600
"""How long a browser may remember what another site may ask for."""
_METHODS = "GET, POST, PATCH, DELETE"
_SENT = "Authorization, Content-Type, If-Match, Last-Event-ID"
_READ = "ETag, Location, Retry-After"


class SecurityHeaders:
    """Adds the headers to every HTTP answer that does not set them itself."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._headers = dict(SECURITY_HEADERS)
        if site.is_https:
            self._headers["Strict-Transport-Security"] = f"max-age={HSTS_SECONDS}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if headers["Cache-Control"] == "no-cache":  # what FastAPI says of a stream
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, send_with_headers)


class NamedOriginsOnly:
    """Cross-origin reading of `/api/` for the origins that the operator names, without cookies."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._origins = site.allowed_origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        origin = asked.get("origin", "").lower()
        if origin not in self._origins:
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and "access-control-request-method" in asked:
            allowed = {
                "Access-Control-Allow-Origin": origin,
                "Access-Control-Allow-Methods": _METHODS,
                "Access-Control-Allow-Headers": _SENT,
                "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
                "Vary": "Origin",
            }
            await Response(status_code=204, headers=allowed)(scope, receive, send)
            return

        async def send_with_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Access-Control-Allow-Origin"] = origin
                headers["Access-Control-Expose-Headers"] = _READ
                headers.add_vary_header("Origin")
            await send(message)

        await self._app(without_cookies(scope), receive, send_with_origin)


def without_cookies(scope: Scope) -> Scope:
    """The same request as nobody's browser: another site's page acts by its own token alone."""
    kept = [pair for pair in scope["headers"] if pair[0].lower() != b"cookie"]
    return {**scope, "headers": kept}
