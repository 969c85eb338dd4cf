"""Background work for conversations: follows their research and ends turns of crashed processes.

Every long-running process does this, servers and workers alike.  So outcomes are reported and
abandoned answers are ended as long as one process runs, or when the next one starts.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from uuid import UUID

from whence.chat.transcript.sessions import end_interrupted
from whence.chat.turns.research_updates import report_progress
from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.events.bus import EventBus
from whence.kernel.log import get
from whence.kernel.stopping import stop_if_cancelled
from whence.records.kind import Kinds
from whence.tenancy.principal import Principal, Role

CHECK_SECONDS = 2.0
"""How often a process checks for research to follow and for abandoned answers."""
_OPEN = "SELECT org_id, id, run_id, told_seq FROM whence.open_followings(%(followed)s::uuid[])"
_OVERDUE = "SELECT org_id, session_id, user_id FROM whence.overdue_turns()"
_log = get("chat.maintenance")


class Maintenance:
    """One per process; several processes may maintain the same conversations."""

    def __init__(self, db: Database, bus: EventBus, kinds: Kinds) -> None:
        self._db = db
        self._bus = bus
        self._kinds = kinds
        self._following: dict[UUID, asyncio.Task[None]] = {}
        self._check_requested = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the background work; a second call does nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="chat-maintenance")

    def check_now(self) -> None:
        """Check at once: new research has to be followed."""
        self._check_requested.set()

    async def close(self) -> None:
        """Stop; other processes, or the next start, take over."""
        if self._task:  # first, because it starts following tasks
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
            for step in (self._follow_new_research, self._end_overdue):
                try:
                    await step()
                except DatabaseBusy as error:
                    _log.warning("conversations cannot be maintained now", error=error.message)
                except Exception as error:  # noqa: BLE001 (the edge of a task: the rest continues)
                    _log.error("maintenance of conversations failed", exc_info=error)
            stop_if_cancelled()
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._check_requested.wait()
            except TimeoutError:
                pass
            self._check_requested.clear()

    async def _follow_new_research(self) -> None:
        followed = list(self._following)
        for org_id, following_id, run_id, told_seq in await self._db.rows(
            _OPEN, {"followed": followed}
        ):
            task = asyncio.create_task(
                self._follow(org_id, following_id, run_id, told_seq), name=f"follow-{run_id}"
            )
            self._following[following_id] = task
            task.add_done_callback(lambda done, key=following_id: self._on_follow_done(key, done))

    async def _follow(self, org_id: UUID, following_id: UUID, run_id: UUID, told_seq: int) -> None:
        if await report_progress(self._db, self._kinds, org_id, following_id):
            return
        async with aclosing(self._bus.tail(org_id, run_id, told_seq)) as batches:
            async for _ in batches:
                if await report_progress(self._db, self._kinds, org_id, following_id):
                    return

    def _on_follow_done(self, key: UUID, task: asyncio.Task[None]) -> None:
        self._following.pop(key, None)
        if not task.cancelled() and (error := task.exception()):
            _log.warning("research cannot be followed now, will retry", error=repr(error))

    async def _end_overdue(self) -> None:
        for org_id, session_id, user_id in await self._db.rows(_OVERDUE, {}):
            owner = Principal(org_id, user_id, Role.VIEWER, frozenset())
            async with self._db.unit(org_id) as session:
                interrupted = await end_interrupted(session, owner, session_id)
            if interrupted:  # otherwise another process has ended it
                _log.warning("the writer of an answer has disappeared", session=str(session_id))
