"""What conversations need beside their turns: research followed, and turns of the dead ended.

Every process that lives for longer does it: whoever answers, and whoever works on research.  So an
outcome is told and an answer is ended as long as any of them is alive, or by the next that starts.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from uuid import UUID

from whence.chat.transcript.sessions import end_interrupted
from whence.chat.turns.research_updates import tell
from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.events.bus import EventBus
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_told
from whence.records.kind import Kinds
from whence.tenancy.principal import Principal, Role

LOOK_SECONDS = 2.0
"""How often a process looks for what another one began or left behind."""
_OPEN = "SELECT org_id, id, run_id, told_seq FROM whence.open_followings(%(known)s::uuid[])"
_OVERDUE = "SELECT org_id, session_id, user_id FROM whence.overdue_turns()"
_log = get("chat.tending")


class Maintenance:
    """One for a process; several processes may tend the same conversations."""

    def __init__(self, db: Database, bus: EventBus, kinds: Kinds) -> None:
        self._db = db
        self._bus = bus
        self._kinds = kinds
        self._following: dict[UUID, asyncio.Task[None]] = {}
        self._look = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to tend; again does nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="chat-tending")

    def look(self) -> None:
        """Look at once: something to follow was begun."""
        self._look.set()

    async def close(self) -> None:
        """Leave it to other processes, or to the next start."""
        if self._task:  # first, as it begins to follow
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None
        following = {*self._following.values()}
        for task in following:
            task.cancel()
        if following:
            await asyncio.wait(following)

    async def _run(self) -> None:
        while True:
            for doing in (self._adopt, self._end_overdue):
                try:
                    await doing()
                except DatabaseBusy as error:
                    _log.warning("conversations cannot be tended now", error=error.message)
                except Exception as error:  # noqa: BLE001 (the edge of a task: the rest goes on)
                    _log.error("conversations cannot be tended", exc_info=error)
            stop_if_told()
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._look.wait()
            except TimeoutError:
                pass
            self._look.clear()

    async def _adopt(self) -> None:
        known = list(self._following)
        for org_id, following_id, run_id, told in await self._db.rows(_OPEN, {"known": known}):
            task = asyncio.create_task(
                self._follow(org_id, following_id, run_id, told), name=f"follow-{run_id}"
            )
            self._following[following_id] = task
            task.add_done_callback(lambda done, key=following_id: self._ended(key, done))

    async def _follow(self, org_id: UUID, following_id: UUID, run_id: UUID, told: int) -> None:
        if await tell(self._db, self._kinds, org_id, following_id):
            return
        async with aclosing(self._bus.tail(org_id, run_id, told)) as batches:
            async for _ in batches:
                if await tell(self._db, self._kinds, org_id, following_id):
                    return

    def _ended(self, key: UUID, done: asyncio.Task[None]) -> None:
        self._following.pop(key, None)
        if not done.cancelled() and (error := done.exception()):
            _log.warning("research cannot be followed now, will try again", error=repr(error))

    async def _end_overdue(self) -> None:
        for org_id, session_id, user_id in await self._db.rows(_OVERDUE, {}):
            whose = Principal(org_id, user_id, Role.VIEWER, frozenset())
            async with self._db.unit(org_id) as session:
                ended = await end_interrupted(session, whose, session_id)
            if ended:  # else somebody else has ended it meanwhile
                _log.warning("an answer's writer has gone", session=str(session_id))
