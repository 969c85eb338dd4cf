"""The built web application: its files, and its first page at every address of its own.

The pages of the application have addresses that only the application knows, such as
`/records/items`.  A person who opens one gets `index.html`, which draws it.  What belongs to the
API, and the link that signs in, passes through.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

import whence
from whence.transports.edge.request_log import request_of

PACKAGED = Path(whence.__file__).parent / "web_dist"
"""Where the wheel has the application, and where `make` builds it."""
APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Our own scripts, styles, fonts and pictures; nothing inline, nothing from other sites."""
ROUTE = "web"
"""The route label of the application's files in the metrics."""
FOREVER = "public, max-age=31536000, immutable"
"""Files below `assets/` carry a digest of their content in their name."""
ASK_AGAIN = "public, max-age=0, must-revalidate"
"""For the first page, which names the current files: browsers keep it and ask whether it holds."""
_SERVER = ("api", "docs", "openapi.json", "problems", "socket.io", "healthz", "readyz", "metrics")
"""First words of the addresses that the server itself answers."""
_SIGN_IN = "/sign-in"
_HEADERS = {
    "Content-Security-Policy": APP_POLICY,
    # Only to this server: it tells its own pages by what browsers say of a request's origin.
    "Referrer-Policy": "same-origin",
    # The camera, for photographs of items.
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
}
_PACKED = {"br": ".br", "gzip": ".gz"}
"""What the build compressed, the smallest first: the encoding's name, and the end of the file's."""
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}


def built_app(folder: Path | None) -> Path | None:
    """The folder of the built application; None where nobody built it."""
    folder = folder or PACKAGED
    return folder if (folder / "index.html").is_file() else None


class WebApp:
    """Answers the addresses of the web application, and passes on all others."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._app = app
        self._folder = folder
        self._files = {
            f"/{path.relative_to(folder).as_posix()}": path
            for path in folder.rglob("*")
            if path.is_file() and path.suffix not in _PACKED.values()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or _passes(scope):
            await self._app(scope, receive, send)
            return
        if request := request_of(scope):
            request.route = ROUTE
        await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        path: str = scope["path"]
        headers = Headers(scope=scope)
        file = self._files.get(path)
        if file is None and path.startswith("/assets/"):
            return Response(status_code=404)  # of an older build: its page has to be read again
        is_asset = path.startswith("/assets/")
        file = file or self._folder / "index.html"
        answer = {**_HEADERS, "Cache-Control": FOREVER if is_asset else ASK_AGAIN}
        content, accepted = file, headers.get("accept-encoding", "")
        for encoding, suffix in _PACKED.items():
            packed = file.with_name(f"{file.name}{suffix}")
            if not packed.is_file():
                continue
            answer["Vary"] = "Accept-Encoding"
            if encoding in accepted:
                answer["Content-Encoding"] = encoding
                content = packed
                break
        kind = _TYPES.get(file.suffix)
        sent = FileResponse(content, media_type=kind, headers=answer, stat_result=content.stat())
        if headers.get("if-none-match") == sent.headers["etag"]:
            # With the policy: a browser puts the headers of this answer over those that it kept.
            return Response(status_code=304, headers={**answer, "ETag": sent.headers["etag"]})
        return sent


def _passes(scope: Scope) -> bool:
    path: str = scope["path"]
    if path.split("/")[1] in _SERVER:
        return True
    query: bytes = scope["query_string"]
    return path == _SIGN_IN and "token" in parse_qs(query.decode("latin-1"))
