"""The two cookies of a signed-in browser: a short-lived access token and the secret that renews it.

Scripts cannot read them, and other sites' pages do not send them.  Over TLS their names begin with
`__Host-`, so that browsers accept them only from this host over TLS and a neighbouring subdomain
cannot plant a session.  Such cookies need the path `/`.
"""

from __future__ import annotations

from datetime import timedelta
from http.cookies import CookieError, SimpleCookie

from starlette.responses import Response

from whence.kernel.settings import Settings

ACCESS = "whence_access"
REFRESH = "whence_refresh"
REFRESH_PATH = "/api/auth"
"""Over plain HTTP the refresh secret is sent only here, so that no other route can leak it."""


def is_https(settings: Settings) -> bool:
    """Whether people reach this server over TLS."""
    return (settings.public_url or "").strip().lower().startswith("https://")


def access_cookie(settings: Settings) -> str:
    """The name of the access token's cookie."""
    return f"__Host-{ACCESS}" if is_https(settings) else ACCESS


def refresh_cookie(settings: Settings) -> str:
    """The name of the refresh secret's cookie."""
    return f"__Host-{REFRESH}" if is_https(settings) else REFRESH


def cookie_in(header: str, name: str) -> str | None:
    """The value of a cookie in a `Cookie` header; None if it is absent or unreadable."""
    try:
        cookie = SimpleCookie(header).get(name)
    except CookieError:
        return None
    return cookie.value if cookie and cookie.value else None


def keep_session(response: Response, settings: Settings, access: str, refresh: str) -> None:
    """Set a browser's session cookies.

    Both cookies live as long as a session may be idle, so that a browser with an expired access
    token is known to have a session to renew.
    """
    seconds = int(timedelta(days=settings.session_days).total_seconds())
    for name, value, path in _both(settings, access, refresh):
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            path=path,
            secure=is_https(settings),
            httponly=True,
            samesite="strict",
        )


def forget_session(response: Response, settings: Settings) -> None:
    """Remove both cookies."""
    for name, _, path in _both(settings, "", ""):
        response.delete_cookie(
            name, path=path, secure=is_https(settings), httponly=True, samesite="strict"
        )


def _both(settings: Settings, access: str, refresh: str) -> list[tuple[str, str, str]]:
    return [
        (access_cookie(settings), access, "/"),
        (refresh_cookie(settings), refresh, "/" if is_https(settings) else REFRESH_PATH),
    ]
