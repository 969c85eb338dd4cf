"""From an answer's status to the error that says what to do about it."""

from __future__ import annotations

import httpx

from whence.kernel.fetch.errors import (
    Absent,
    AccessDenied,
    CredentialsRefused,
    FetchError,
    HostUnavailable,
    RequestRefused,
    Throttled,
)
from whence.kernel.retry import retry_after

_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 401, 403, 404, 429
_SERVER_ERRORS = 500
"""This status and everything above it is the host's own failure."""
_KEPT_BODY = 16_000
"""Bytes of a refusal that are kept for the adapter; error documents are far shorter."""
_KINDS: dict[int, tuple[type[FetchError], str]] = {
    _UNAUTHORIZED: (
        CredentialsRefused,
        "rejects the credentials; check them in the settings",
    ),
    _FORBIDDEN: (AccessDenied, "denies access; ask its operator to grant it"),
    _NOT_FOUND: (Absent, "has nothing there"),
}


def refusal(request: httpx.Request, answer: httpx.Response, body: bytes) -> FetchError:
    """The error for an answer that is neither a success nor a redirect."""
    body = body[:_KEPT_BODY]
    host, status = request.url.host, answer.status_code
    call = f"{request.method} {request.url.path}"
    pause = retry_after(answer.headers)
    throttled = status == _TOO_MANY or (
        # Some gateways throttle with 403; the pause they name tells it from a refusal.
        status == _FORBIDDEN and pause is not None
    )
    if throttled:
        return Throttled(
            f"{host} asks for fewer requests ({status}); whence tries again later.",
            host=host,
            status=status,
            body=body,
            retry_after=pause,
        )
    if status >= _SERVER_ERRORS:
        return HostUnavailable(
            f"{host} failed ({status}) at {call}; it is tried again later.",
            host=host,
            status=status,
            body=body,
            retry_after=pause,
        )
    kind, words = _KINDS.get(status, (RequestRefused, "rejects the request as invalid"))
    return kind(f"{host} {words} ({status} at {call}).", host=host, status=status, body=body)
