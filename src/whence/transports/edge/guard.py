"""The checks every request passes before any route or socket sees it."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp

from whence.transports.edge.error_answers import answer
from whence.transports.edge.headers import SecurityHeaders
from whence.transports.edge.identity import Gate
from whence.transports.edge.limits import Limited
from whence.transports.edge.origins import CheckedOrigins, OwnHostOnly
from whence.transports.edge.receiving import ReadWhole


def guarded(app: ASGIApp, gate: Gate, is_open: Callable[[str], bool]) -> ASGIApp:
    """Wrap `app` in all checks; from the outside in: headers, host and client, limits, origin,
    body.  `is_open`: whether the socket with this id belongs to an authenticated client."""
    whole = ReadWhole(app, gate.may_upload, answer, gate.platform.files.spool.max_bytes)
    checked = CheckedOrigins(whole, gate.site)
    limited = Limited(checked, gate.limits, is_open, answer)
    return SecurityHeaders(OwnHostOnly(limited, gate.site), gate.site)
