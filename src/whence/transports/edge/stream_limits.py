"""Streams that clients hold open: how many there may be, and that their owners may still read.

A client's rights are checked when it opens a stream, which then lives for hours.  So they are
checked again: at once when the database says that its user lost a right, and every minute for what
ends by time alone.
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
"""Event streams and sockets of one process; a fifth of what it answers at once (`MAX_AT_ONCE`, and
of the 1024 files that a process may usually open) remains for requests."""
MAX_STREAMS_PER_PRINCIPAL = 250
"""Of these for one user of one organization: many tabs, or a program that watches many runs."""
RECHECK_SECONDS = 60.0
"""How long a stream may outlive a session or a token that ran out."""
AWAY_SECONDS = 1.0
"""How long to wait before a database that was away is asked again about a stream."""
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
        self._built = platform
        self._is_there = is_there
        self._recheck = asyncio.Event()
        self._on_close = ExitStack()
        self._on_close.enter_context(platform.bus.revocations(self._revoked))
        self._task = asyncio.create_task(self._watch(), name="stream-rights")
        self._task.add_done_callback(self._over)

    def on_close(self, callback: Callable[[], None]) -> None:
        """Call this once when the stream closes."""
        self._on_close.callback(callback)

    def close(self) -> None:
        """The stream has closed; a second call does nothing."""
        self._task.cancel()
        self._on_close.close()

    async def current(self) -> Principal:
        """Who this is now; raises Unauthorized or Forbidden once it may no longer read."""
        self.who = await current_rights(self._built.db, self.who)
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
        """Close the stream also where the check failed: better than to let it go on unchecked."""
        if done.cancelled() or self.ended.done():
            return
        error = done.exception() or Unauthorized()
        if not isinstance(error, (Unauthorized, Forbidden)):
            _log.error("a stream's owner cannot be looked up", exc_info=error)
        self.ended.set_result(error if isinstance(error, Exception) else WhenceError())


class StreamLimits:
    """The open streams of one process, and how many there may be."""

    def __init__(self, platform: Platform) -> None:
        self._built = platform
        self._open: Counter[tuple[UUID, UUID]] = Counter()

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._open.total()

    def open(self, who: Principal, is_there: Callable[[], bool] = lambda: True) -> OpenStream:
        """Open a stream for this principal; whoever opens it must `close` it.

        `is_there`: whether the client is still connected, for transports that may miss its going.
        Raises TooManyStreams and NoRoom.
        """
        key = (who.org_id, who.user_id)
        if self._open[key] >= MAX_STREAMS_PER_PRINCIPAL:
            raise TooManyStreams(retry_after=RETRY_AFTER_SECONDS)
        if self.streams >= MAX_STREAMS:
            raise NoRoom(retry_after=RETRY_AFTER_SECONDS)
        stream = OpenStream(self._built, who, is_there)
        self._open[key] += 1
        stream.on_close(lambda: self._gone(key))
        return stream

    def _gone(self, key: tuple[UUID, UUID]) -> None:
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
