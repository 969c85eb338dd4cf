"""Live events of all turns of this process, written together about every 50 ms.

Tokens come faster than they can be written one by one, and a reader cannot tell them apart: what
one answer said between two writes is one event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.events.chat import ChatEvent, Token
from whence.kernel.log import get

WRITE_SECONDS = 0.05
"""20 writes a second: what a person sees as flowing text."""
AWAY_SECONDS = 0.5
"""How long to wait before a database that was away is asked again."""
_APPEND = "SELECT whence.append_turn_events(%(items)s)"
_log = get("chat.live")


@dataclass(frozen=True)
class Line:
    """One turn's way to its readers."""

    org_id: UUID
    session_id: UUID
    turn_id: UUID


@dataclass
class _Waiting:
    line: Line
    events: list[ChatEvent] = field(default_factory=list[ChatEvent])


class LiveEvents:
    """The one writer of a process.  `on_stale` is told of turns that are under way no more."""

    def __init__(self, db: Database, on_stale: Callable[[UUID], None]) -> None:
        self._db = db
        self._on_stale = on_stale
        self._waiting: dict[UUID, _Waiting] = {}
        self._writing: frozenset[UUID] = frozenset()
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.writes = 0
        """Calls of the database so far."""

    def put(self, line: Line, event: ChatEvent) -> None:
        """Let readers of the conversation have this within a moment."""
        waiting = self._waiting.setdefault(line.turn_id, _Waiting(line))
        last = waiting.events[-1] if waiting.events else None
        if (
            isinstance(event, Token)
            and isinstance(last, Token)
            and last.message_id == event.message_id
        ):
            joined = last.token + event.token
            waiting.events[-1] = last.model_copy(update={"token": joined})
        else:
            waiting.events.append(event)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="chat-live")
        self._wake.set()

    async def take(self, turn_id: UUID) -> list[ChatEvent]:
        """What of a turn is not written yet, for the transaction in which the turn ends."""
        while turn_id in self._writing:
            await self._written.wait()
        waiting = self._waiting.pop(turn_id, None)
        return waiting.events if waiting else []

    async def close(self) -> None:
        """Write no more; turns have taken what is theirs."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(WRITE_SECONDS)
            self._wake.clear()
            batch, self._waiting = self._waiting, {}
            self._writing = frozenset(batch)
            try:
                stale = await self._write(list(batch.values()))
            except DatabaseBusy as error:
                _log.warning("live events cannot be written, will try again", error=error.message)
                self._put_back(batch)
                stale = []
                self._settle()
                await asyncio.sleep(AWAY_SECONDS)
            finally:
                self._settle()
            for turn_id in stale:
                self._on_stale(turn_id)

    async def _write(self, batch: list[_Waiting]) -> list[UUID]:
        items = [
            {
                "org": str(waiting.line.org_id),
                "stream": str(waiting.line.session_id),
                "turn": str(waiting.line.turn_id),
                "events": [{"type": e.type, "payload": e.payload()} for e in waiting.events],
            }
            for waiting in batch
        ]
        if not items:
            return []
        self.writes += 1
        return [row[0] for row in await self._db.rows(_APPEND, {"items": {"items": items}})]

    def _put_back(self, batch: dict[UUID, _Waiting]) -> None:
        for turn_id, waiting in batch.items():
            later = self._waiting.pop(turn_id, None)
            self._waiting[turn_id] = waiting
            for event in later.events if later else ():
                self.put(waiting.line, event)
        self._wake.set()

    def _settle(self) -> None:
        self._writing = frozenset()
        self._written.set()
        self._written = asyncio.Event()
