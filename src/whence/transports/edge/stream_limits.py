"""Limits of open streams, and periodic checks that their owners may still read.

A client's rights are checked when it opens a stream, which may then live for hours.  So they are
checked again: at once when the database reports that its user lost a right, and every minute for
rights that expire.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from uuid import UUID

from whence.app.platform import Platform
from whence.kernel.errors import Forbidden, TooMany, Unauthorized, Unavailable, WhenceError
from whence.kernel.log import get
from whence.tenancy.current_rights import current_rights
from whence.tenancy.principal import Principal, Scope

MAX_STREAMS = 800
"""Event streams and sockets of one process; a fifth of its concurrent requests (`MAX_AT_ONCE`, and
of the 1024 files a process may usually open) remains for other requests."""
MAX_STREAMS_PER_PRINCIPAL = 250
"""Of these, for one user of one organization: many tabs, or a program that follows many runs."""
RECHECK_SECONDS = 60.0
"""How long a stream may outlive a session or token that has expired."""
AWAY_SECONDS = 1.0
"""How long to wait before checking a stream again after the database was away."""
RETRY_AFTER_SECONDS = 5.0
_log = get("transports.stream_limits")


class TooManyStreams(TooMany):
    """You have too many streams open; close one, or follow several runs over one socket."""


class NoRoom(Unavailable):
    """This server has no room for another stream; try again in a moment."""


class OpenStream:
    """One stream and its owner; `ended` gets the error with which it must close."""

    def __init__(self, platform: Platform, who: Principal, is_there: Callable[[], bool]) -> None:
        self.who = who
        self.ended: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        self._platform = platform
        self._is_there = is_there
        self._recheck = asyncio.Event()
        self._on_close = ExitStack()
        self._on_close.enter_context(platform.bus.revocations(self._revoked))
        self._task = asyncio.create_task(self._watch(), name="stream-rights")
        self._task.add_done_callback(self._over)

    def on_close(self, callback: Callable[[], None]) -> None:
        """Register what to call once the stream closes."""
        self._on_close.callback(callback)

    def close(self) -> None:
        """Mark the stream as closed; a second call does nothing."""
        self._task.cancel()
        self._on_close.close()

    async def current(self) -> Principal:
        """The owner's current principal; raises Unauthorized or Forbidden if it may no longer
        read."""
        self.who = await current_rights(self._platform.db, self.who)
        self.who.require(Scope.READ)
        return self.who

    def _revoked(self, user_id: str | None) -> None:
        if user_id is None or user_id == str(self.who.user_id):
            self._recheck.set()

    async def _watch(self) -> None:
        while self._is_there():
            # Not all at once, where many came at once.
            seconds = RECHECK_SECONDS * random.uniform(0.75, 1)
            try:
                async with asyncio.timeout(seconds):
                    await self._recheck.wait()
            except TimeoutError:
                pass
            self._recheck.clear()
            try:
                await self.current()
            except Unavailable as error:
                _log.warning("a stream's owner cannot be looked up", error=error.message)
                self._recheck.set()
                await asyncio.sleep(AWAY_SECONDS)

    def _over(self, done: asyncio.Task[None]) -> None:
        """Close the stream even if the check failed: safer than to continue unchecked."""
        if done.cancelled() or self.ended.done():
            return
        error = done.exception() or Unauthorized()
        if not isinstance(error, (Unauthorized, Forbidden)):
            _log.error("a stream's owner cannot be looked up", exc_info=error)
        self.ended.set_result(error if isinstance(error, Exception) else WhenceError())


class StreamLimits:
    """The open streams of one process, and their maximum."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._open: Counter[tuple[UUID, UUID]] = Counter()

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._open.total()

    def open(self, who: Principal, is_there: Callable[[], bool] = lambda: True) -> OpenStream:
        """Open a stream for this principal; the caller must `close` it.

        `is_there`: whether the client is still connected, for transports that may miss a
        disconnect.  Raises TooManyStreams and NoRoom.
        """
        key = (who.org_id, who.user_id)
        if self._open[key] >= MAX_STREAMS_PER_PRINCIPAL:
            raise TooManyStreams(retry_after=RETRY_AFTER_SECONDS)
        if self.streams >= MAX_STREAMS:
            raise NoRoom(retry_after=RETRY_AFTER_SECONDS)
        stream = OpenStream(self._platform, who, is_there)
        self._open[key] += 1
        stream.on_close(lambda: self._gone(key))
        return stream

    def _gone(self, key: tuple[UUID, UUID]) -> None:
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
