"""Live events of all turns of this process, written together a few dozen times a second.

Tokens come faster than they can be written one by one, and a reader cannot tell them apart: what
one answer said between two writes is one event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.events.bus import EventBus
from whence.events.chat import ChatEvent, Token
from whence.events.log import Event
from whence.kernel.log import get

WRITE_SECONDS = 0.01
"""At most 100 writes a second; each model's text comes 25 times a second (`llm/coalescing.py`)."""
AWAY_SECONDS = 0.5
"""How long to wait before a database that was away, or a turn that failed, is tried again."""
_WRITE = "SELECT turn, seq, at FROM whence.write_turn_events(%(items)s)"
_log = get("chat.live")


@dataclass(frozen=True)
class Line:
    """One turn's way to its readers."""

    org_id: UUID
    session_id: UUID
    turn_id: UUID


@dataclass(frozen=True)
class _Said:
    """Tokens of one answer, one after the other."""

    message_id: UUID
    pieces: list[str]

    def whole(self) -> Token:
        return Token(message_id=self.message_id, token="".join(self.pieces))


@dataclass
class _Waiting:
    line: Line
    told: list[ChatEvent | _Said] = field(default_factory=list["ChatEvent | _Said"])

    def put(self, event: ChatEvent) -> None:
        last = self.told[-1] if self.told else None
        if not isinstance(event, Token):
            self.told.append(event)
        elif isinstance(last, _Said) and last.message_id == event.message_id:
            last.pieces.append(event.token)
        else:
            self.told.append(_Said(event.message_id, [event.token]))

    def events(self) -> list[ChatEvent]:
        return [each.whole() if isinstance(each, _Said) else each for each in self.told]


class LiveEvents:
    """The one writer of a process.  `on_stale` is told of turns that are under way no more."""

    def __init__(self, db: Database, bus: EventBus, on_stale: Callable[[UUID], None]) -> None:
        self._db = db
        self._bus = bus
        self._on_stale = on_stale
        self._waiting: dict[UUID, _Waiting] = {}
        self._retry_at: dict[UUID, float] = {}
        """When a turn that could not be written is tried again, by the event loop's clock."""
        self._writing: frozenset[UUID] = frozenset()
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.writes = 0
        """Calls of the database so far."""
        self.failures = 0
        """Writes and announcements that failed, except where the database was away."""

    def put(self, line: Line, event: ChatEvent) -> None:
        """Let readers of the conversation have this within a moment."""
        waiting = self._waiting.get(line.turn_id)
        if waiting is None:
            waiting = self._waiting[line.turn_id] = _Waiting(line)
            self._wake.set()
        waiting.put(event)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="chat-live")

    async def take(self, turn_id: UUID) -> list[ChatEvent]:
        """What of a turn is not written yet, for the transaction in which the turn ends."""
        while turn_id in self._writing:
            await self._written.wait()
        waiting = self._waiting.pop(turn_id, None)
        self._retry_at.pop(turn_id, None)
        return waiting.events() if waiting else []

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
            unwritten = self._due()
            self._writing = frozenset(unwritten)
            try:
                await self._write_all(unwritten)
            except DatabaseBusy as error:
                _log.warning("live events cannot be written, will try again", error=error.message)
                self._put_back(unwritten)
                self._wake.set()
                self._settle()
                await asyncio.sleep(AWAY_SECONDS)
            finally:
                self._settle()

    def _due(self) -> dict[UUID, _Waiting]:
        """What is to be written now; turns that failed a moment ago wait for their next try."""
        at = asyncio.get_running_loop().time()
        late = [turn_id for turn_id in self._waiting if self._retry_at.get(turn_id, 0.0) > at]
        due, self._waiting = self._waiting, {turn_id: self._waiting[turn_id] for turn_id in late}
        for turn_id in late:
            del due[turn_id]
        for turn_id in due:
            self._retry_at.pop(turn_id, None)
        return due

    async def _write_all(self, unwritten: dict[UUID, _Waiting]) -> None:
        """Write these turns, and remove them from `unwritten`.

        Where one of them cannot be written, each is tried alone: the others go on, and the one
        that fails is tried again later, or written by the end of its turn.  Raises DatabaseBusy.
        """
        try:
            await self._write(list(unwritten.values()))
        except DatabaseBusy:
            raise
        except Exception as error:  # noqa: BLE001 (the edge of a task: the rest goes on)
            self._count_failure(error)
        else:
            unwritten.clear()
            return
        for turn_id, waiting in list(unwritten.items()):
            try:
                await self._write([waiting])
            except DatabaseBusy:
                raise
            except Exception as error:  # noqa: BLE001 (the edge of a task: the rest goes on)
                self._count_failure(error, turn_id)
                self._retry_later(turn_id, waiting)
            del unwritten[turn_id]

    async def _write(self, batch: list[_Waiting]) -> None:
        """Write what waits, and hand it to the readers here.

        Readers of other processes, and of other ways to write, read the log.
        """
        if not batch:
            return
        lines = {each.line.turn_id: each.line for each in batch}
        written = {
            each.line.turn_id: [(event.type, event.payload()) for event in each.events()]
            for each in batch
        }
        items = [
            {
                "org": str(line.org_id),
                "stream": str(line.session_id),
                "turn": str(turn_id),
                "events": [{"type": name, "payload": body} for name, body in written[turn_id]],
            }
            for turn_id, line in lines.items()
        ]
        self.writes += 1
        with self._bus.writing([line.session_id for line in lines.values()]):
            for turn_id, last, at in await self._db.rows(_WRITE, {"items": {"items": items}}):
                try:
                    self._announce(lines[turn_id], written[turn_id], last, at)
                except Exception as error:  # noqa: BLE001 (committed: a second write would double it)
                    self._count_failure(error, turn_id)

    def _announce(
        self, line: Line, written: list[tuple[str, dict[str, Any]]], last: int | None, at: datetime
    ) -> None:
        """Tell the readers here what was committed; `last`: the `seq` of its last event, None where
        the turn is no longer under way.
        """
        if last is None:
            self._on_stale(line.turn_id)
            return
        first = last - len(written) + 1
        events = [Event(seq, *each, at) for seq, each in enumerate(written, first)]
        self._bus.wrote(line.org_id, line.session_id, events)

    def _count_failure(self, error: Exception, turn_id: UUID | None = None) -> None:
        self.failures += 1
        _log.error("live events failed, will go on", turn=turn_id and str(turn_id), exc_info=error)

    def _retry_later(self, turn_id: UUID, waiting: _Waiting) -> None:
        loop = asyncio.get_running_loop()
        self._retry_at[turn_id] = loop.time() + AWAY_SECONDS
        self._put_back({turn_id: waiting})
        loop.call_later(AWAY_SECONDS, self._wake.set)

    def _put_back(self, batch: dict[UUID, _Waiting]) -> None:
        """Let these wait again, before what came meanwhile."""
        for turn_id, waiting in batch.items():
            later = self._waiting.get(turn_id)
            self._waiting[turn_id] = waiting
            for event in later.events() if later else ():
                waiting.put(event)

    def _settle(self) -> None:
        self._writing = frozenset()
        self._written.set()
        self._written = asyncio.Event()
