"""Security headers of every answer: run nothing, allow no framing, cache nothing."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whence.transports.edge.site import Site

CONTENT_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)
"""For every answer except pages: data that a browser should neither show nor run."""
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
"""One year, the minimum for browsers' preload list."""


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
                if message["status"] == HTTPStatus.NO_CONTENT:
                    del headers["Content-Type"]  # FastAPI names one also where nothing follows
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if headers["Cache-Control"] == "no-cache":  # what FastAPI says of a stream
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, send_with_headers)
