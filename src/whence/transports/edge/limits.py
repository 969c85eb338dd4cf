"""Limits of requests per minute and at the same time, for one address or one person.

They are counted in this process's memory over a sliding window, so N processes allow N times as
much.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from whence.kernel.errors import TooMany, Unavailable
from whence.tenancy.principal import Principal
from whence.transports.edge.origins import refuse
from whence.transports.edge.problems import Problem, of_error
from whence.transports.edge.site import bucket_of

GUESSES_SHARE = 60
"""Of the requests in a minute, one in this many may carry a password or a one-time secret."""
FEWEST_GUESSES = 5
"""Attempts allowed however low the limit is, for people who mistype their password."""
SIGN_IN_SHARE = 10
"""Of the requests in a minute, one in this many may renew, switch or end a session."""
MAX_AT_ONCE = 1000
"""Requests, streams and sockets that one process serves at the same time."""
MAX_UNKNOWN_AT_ONCE = 220
"""Of these, for one address while its sender is unknown: what it sends slowly or holds in memory (a
megabyte each) stays below what is left for others (`MAX_HELD_BYTES`)."""
HEALTH = frozenset({"/healthz", "/readyz", "/metrics"})
"""Health checks are never refused: a monitor would think a busy process dead."""
VISIT = "whence.visit"
AUTH = "/api/auth/"
GUESSING = frozenset({"sign-in", "password", "reset", "accept"})
"""Calls under `AUTH` that carry a password or a one-time secret."""


class TooManyRequests(TooMany):
    """Too many requests in one minute; wait as long as `Retry-After` says."""


class Crowded(Unavailable):
    """This server is at its limit of concurrent requests; try again in a moment."""


class Visit:
    """A request in progress; its sender is unknown until a credential was verified."""

    def __init__(self, on_known: Callable[[], None]) -> None:
        self.is_known = False
        self._on_known = on_known

    def known(self) -> None:
        """Mark the sender as known; a second call does nothing."""
        if not self.is_known:
            self.is_known = True
            self._on_known()


@dataclass(frozen=True)
class Limits:
    """The limits of one process."""

    per_minute: int
    """Requests per minute of one address or one person."""
    _limiter: MovingWindowRateLimiter = field(
        default_factory=lambda: MovingWindowRateLimiter(MemoryStorage())
    )

    def count_principal(self, who: Principal) -> None:
        """Count a request of a person or their tokens; raises TooManyRequests."""
        self._count(self.per_minute, "user", str(who.user_id))

    def count_address(self, address: str) -> None:
        """Count a request of an unknown sender; raises TooManyRequests."""
        self._count(self.per_minute, "address", bucket_of(address))

    def check_address(self, address: str) -> None:
        """Raise TooManyRequests if this address has used up its minute; counts nothing."""
        item, key = RateLimitItemPerMinute(self.per_minute), ("address", bucket_of(address))
        if not self._limiter.test(item, *key):
            raise self._refusal(item, *key)

    def count_guess(self, address: str) -> None:
        """Count an attempt with a password or a one-time secret; raises TooManyRequests."""
        most = max(FEWEST_GUESSES, self.per_minute // GUESSES_SHARE)
        self._count(most, "guess", bucket_of(address))

    def count_sign_in(self, address: str) -> None:
        """Count a renewal, switch or end of a session; raises TooManyRequests."""
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

    A request with a credential counts for its person once that person is known (`identity.asker`);
    one with a wrong or unchecked credential counts for the address.  `is_open`: whether the socket
    with this id belongs to an authenticated client; `shown` renders refusals.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        is_open: Callable[[str], bool],
        shown: Callable[[Problem], Response],
    ) -> None:
        self._app = app
        self._limits = limits
        self._shown = shown
        self._is_open = is_open
        self._under_way = 0
        self._unknown: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or _asks_for_health(scope):
            await self._app(scope, receive, send)
            return
        address = bucket_of(scope["client"][0])
        try:
            is_counted = self._count(scope, address)
        except (TooMany, Unavailable) as error:
            problem = of_error(error)
            await refuse(problem, scope, receive, send, self._shown(problem))
            return
        self._under_way += 1
        self._unknown[address] += 1
        visit = Visit(lambda: self._leave(address))
        if self._is_poll(scope):
            visit.known()
        try:
            await self._app({**scope, VISIT: visit}, receive, send)
        finally:
            self._under_way -= 1
            if not visit.is_known:
                self._leave(address)
                if not is_counted:
                    with suppress(TooManyRequests):
                        self._limits.count_address(address)

    def _leave(self, address: str) -> None:
        self._unknown[address] -= 1
        if not self._unknown[address]:
            del self._unknown[address]

    def _is_poll(self, scope: Scope) -> bool:
        """Whether this is another poll of an open socket, which was counted when it connected."""
        if not scope["path"].startswith("/socket.io/"):
            return False
        [sid] = parse_qs(scope["query_string"].decode("latin-1")).get("sid", [""])[:1]
        return self._is_open(sid)

    def _count(self, scope: Scope, address: str) -> bool:
        """Whether it has been counted; False if that turns out only when it is answered."""
        if self._under_way >= MAX_AT_ONCE or self._unknown[address] >= MAX_UNKNOWN_AT_ONCE:
            raise Crowded(retry_after=1)
        path = scope["path"]
        if path.startswith(AUTH) and path.rpartition("/")[2] in GUESSING:
            self._limits.count_guess(address)
        elif path.startswith(AUTH):
            self._limits.count_sign_in(address)
        elif shows_credential(scope) or self._is_poll(scope):
            self._limits.check_address(address)
            return False
        else:
            self._limits.count_address(address)
        return True


def shows_credential(scope: Scope) -> bool:
    """Whether a request carries a token or a session, valid or not."""
    headers = Headers(scope=scope)
    return bool(headers.get("authorization")) or "whence_access=" in headers.get("cookie", "")


def known(scope: Mapping[str, Any]) -> None:
    """Mark the sender of this request as known: one of their credentials was valid."""
    visit = scope.get(VISIT)
    if isinstance(visit, Visit):
        visit.known()


def _asks_for_health(scope: Scope) -> bool:
    """Whether this is a health check, which sends no body."""
    headers = Headers(scope=scope)
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    return scope["path"] in HEALTH and not has_body
