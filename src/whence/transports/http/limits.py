"""How much one address or one person may ask for in a minute, and how much at the same time.

Counted in this process's memory over a moving window, so that N processes allow N times as much.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from whence.kernel.errors import TooMany, Unavailable
from whence.tenancy.principal import Principal
from whence.transports.http.hosts import refuse
from whence.transports.http.problems import of_error
from whence.transports.http.site import bucket_of

GUESSES_SHARE = 60
"""Of the requests of a minute, one in so many may carry a password or a one-time secret."""
FEWEST_GUESSES = 5
"""A person who mistypes a password needs a few tries, however low the limit is."""
SIGN_IN_SHARE = 10
"""Of the requests of a minute, one in so many may renew, switch or end a session."""
MAX_AT_ONCE = 1000
"""Requests, streams and sockets that one process answers at the same time."""
HEALTH = frozenset({"/healthz", "/readyz", "/metrics"})
"""What watches the process is never refused: it would take a busy process for a dead one."""
AUTH = "/api/auth/"
GUESSING = frozenset({"sign-in", "password", "reset", "accept"})
"""Calls and forms under `AUTH` that carry a password or a one-time secret."""


class TooManyRequests(TooMany):
    """Too many requests within a minute; wait as long as `Retry-After` says."""


class Crowded(Unavailable):
    """This server answers as many requests as it can; try again in a moment."""


@dataclass(frozen=True)
class Limits:
    """The limits of one process."""

    per_minute: int
    """Requests that one address, or one person, may send in a minute."""
    _limiter: MovingWindowRateLimiter = field(
        default_factory=lambda: MovingWindowRateLimiter(MemoryStorage())
    )

    def count_principal(self, who: Principal) -> None:
        """Count a request of a person or their tokens; raises TooManyRequests."""
        self._count(self.per_minute, "user", str(who.user_id))

    def count_address(self, address: str) -> None:
        """Count a request of nobody we know; raises TooManyRequests."""
        self._count(self.per_minute, "address", bucket_of(address))

    def check_address(self, address: str) -> None:
        """Raise TooManyRequests when this address has used up its minute; count nothing."""
        item, key = RateLimitItemPerMinute(self.per_minute), ("address", bucket_of(address))
        if not self._limiter.test(item, *key):
            raise self._refusal(item, *key)

    def count_guess(self, address: str) -> None:
        """Count a try with a password or a one-time secret; raises TooManyRequests."""
        most = max(FEWEST_GUESSES, self.per_minute // GUESSES_SHARE)
        self._count(most, "guess", bucket_of(address))

    def count_sign_in(self, address: str) -> None:
        """Count a renewal, a switch or an end of a session; raises TooManyRequests."""
        most = max(FEWEST_GUESSES, self.per_minute // SIGN_IN_SHARE)
        self._count(most, "sign-in", bucket_of(address))

    def _count(self, per_minute: int, *key: str) -> None:
        item = RateLimitItemPerMinute(per_minute)
        if not self._limiter.hit(item, *key):
            raise self._refusal(item, *key)

    def _refusal(self, item: RateLimitItemPerMinute, *key: str) -> TooManyRequests:
        free_again = self._limiter.get_window_stats(item, *key).reset_time
        return TooManyRequests(retry_after=max(1.0, free_again - time.time()))


class Limited:
    """Counts requests by address before anything is read or looked up for them.

    A request that shows a credential is counted by its person once that is known
    (`identity.authenticated`); a credential that is wrong counts for the address.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"] in HEALTH:
            await self._app(scope, receive, send)
            return
        try:
            self._count(scope)
        except (TooMany, Unavailable) as error:
            await refuse(of_error(error), scope, receive, send)
            return
        self._under_way += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way -= 1

    def _count(self, scope: Scope) -> None:
        if self._under_way >= MAX_AT_ONCE:
            raise Crowded(retry_after=1)
        address, path = scope["client"][0], scope["path"]
        if path.startswith(AUTH) and path.rpartition("/")[2] in GUESSING:
            self._limits.count_guess(address)
        elif path.startswith(AUTH):
            self._limits.count_sign_in(address)
        elif shows_credential(scope) or _goes_on(scope):
            self._limits.check_address(address)
        else:
            self._limits.count_address(address)


def shows_credential(scope: Scope) -> bool:
    """Whether a request shows a token or a session, right or wrong."""
    headers = Headers(scope=scope)
    return bool(headers.get("authorization")) or "whence_access=" in headers.get("cookie", "")


def _goes_on(scope: Scope) -> bool:
    """Whether this is one more turn of a socket that polls: it was counted when it connected."""
    return scope["path"].startswith("/socket.io/") and b"sid=" in scope["query_string"]
