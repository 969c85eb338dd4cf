"""Streams that clients hold open: how many there may be, and that their owners may still read.

Who opens a stream is looked up once; a stream then lives for hours.  So each one is a guest whose
standing is looked up again: at once when the database says that its user lost a right, and every
minute for what ends by time alone.
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
from whence.tenancy.principal import Principal, Scope
from whence.tenancy.standing import standing

MAX_STREAMS = 800
"""Event streams and sockets of one process; a fifth of what it answers at once (`MAX_AT_ONCE`, and
of the 1024 files that a process may usually open) remains for requests."""
MAX_STREAMS_PER_PRINCIPAL = 250
"""Of these for one user of one organization: many tabs, or a program that watches many runs."""
RECHECK_SECONDS = 60.0
"""How long a stream may outlive a session or a token that ran out."""
AWAY_SECONDS = 1.0
"""How long to wait before a database that was away is asked again about a guest."""
RETRY_AFTER_SECONDS = 5.0
_log = get("transports.admission")


class TooManyStreams(TooMany):
    """You have as many streams open as one user may have; close one, or use one socket for many."""


class NoRoom(Unavailable):
    """This process serves as many streams as it can; try again in a moment."""


class Guest:
    """One stream and who holds it; `ended` gets the error with which it must close."""

    def __init__(self, built: Platform, who: Principal, is_there: Callable[[], bool]) -> None:
        self.who = who
        self.ended: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        self._built = built
        self._is_there = is_there
        self._look = asyncio.Event()
        self._on_leave = ExitStack()
        self._on_leave.enter_context(built.bus.revocations(self._revoked))
        self._task = asyncio.create_task(self._watch(), name="guest")
        self._task.add_done_callback(self._over)

    def on_leave(self, callback: Callable[[], None]) -> None:
        """Call this once when the guest leaves."""
        self._on_leave.callback(callback)

    def leave(self) -> None:
        """The stream has closed; a second call does nothing."""
        self._task.cancel()
        self._on_leave.close()

    async def current(self) -> Principal:
        """Who this is now; raises Unauthorized or Forbidden once it may no longer read."""
        self.who = await standing(self._built.db, self.who)
        self.who.require(Scope.READ)
        return self.who

    def _revoked(self, user_id: str | None) -> None:
        if user_id is None or user_id == str(self.who.user_id):
            self._look.set()

    async def _watch(self) -> None:
        while self._is_there():
            # Not all at once, where many came at once.
            seconds = RECHECK_SECONDS * random.uniform(0.75, 1)
            try:
                async with asyncio.timeout(seconds):
                    await self._look.wait()
            except TimeoutError:
                pass
            self._look.clear()
            try:
                await self.current()
            except Unavailable as error:
                _log.warning("a stream's owner cannot be looked up", error=error.message)
                self._look.set()
                await asyncio.sleep(AWAY_SECONDS)

    def _over(self, done: asyncio.Task[None]) -> None:
        """Close the stream also where looking failed: better than to let it go on unseen."""
        if done.cancelled() or self.ended.done():
            return
        error = done.exception() or Unauthorized()
        if not isinstance(error, (Unauthorized, Forbidden)):
            _log.error("a stream's owner cannot be looked up", exc_info=error)
        self.ended.set_result(error if isinstance(error, Exception) else WhenceError())


class Admission:
    """The guests of one process."""

    def __init__(self, built: Platform) -> None:
        self._built = built
        self._guests: Counter[tuple[UUID, UUID]] = Counter()

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._guests.total()

    def admit(self, who: Principal, is_there: Callable[[], bool] = lambda: True) -> Guest:
        """A guest for a new stream of this principal, which must `leave` when the stream closes.

        `is_there`: whether the client still is, for transports that may miss its going.  Raises
        TooManyStreams and NoRoom.
        """
        key = (who.org_id, who.user_id)
        if self._guests[key] >= MAX_STREAMS_PER_PRINCIPAL:
            raise TooManyStreams(retry_after=RETRY_AFTER_SECONDS)
        if self.streams >= MAX_STREAMS:
            raise NoRoom(retry_after=RETRY_AFTER_SECONDS)
        guest = Guest(self._built, who, is_there)
        self._guests[key] += 1
        guest.on_leave(lambda: self._gone(key))
        return guest

    def _gone(self, key: tuple[UUID, UUID]) -> None:
        self._guests[key] -= 1
        if not self._guests[key]:
            del self._guests[key]
