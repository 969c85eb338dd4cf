"""Writes the live events of all turns in this process in batches, a few dozen times a second.

Tokens arrive faster than they can be written one by one, and readers do not need them apart: all
text of an answer between two writes becomes one event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from whence.chat.transcript.event_types import ChatEvent, Token
from whence.db.database import Database
from whence.db.failures import DatabaseBusy
from whence.events.bus import EventBus
from whence.events.log import Event
from whence.kernel.log import get

WRITE_SECONDS = 0.01
"""At most 100 writes a second; a model's text arrives 25 times a second (`llm/coalescing.py`)."""
RETRY_SECONDS = 0.5
"""The wait before a retry when the database is unavailable or a turn cannot be written."""
_WRITE = "SELECT turn, seq, at FROM whence.write_turn_events(%(items)s)"
_log = get("chat.live")


@dataclass(frozen=True)
class TurnKey:
    """Identifies a turn and the stream of its conversation."""

    org_id: UUID
    session_id: UUID
    turn_id: UUID


@dataclass(frozen=True)
class _TokenRun:
    """Consecutive tokens of one answer."""

    message_id: UUID
    pieces: list[str]

    def joined(self) -> Token:
        return Token(message_id=self.message_id, token="".join(self.pieces))


@dataclass
class _PendingTurn:
    key: TurnKey
    entries: list[ChatEvent | _TokenRun] = field(default_factory=list["ChatEvent | _TokenRun"])

    def put(self, event: ChatEvent) -> None:
        last = self.entries[-1] if self.entries else None
        if not isinstance(event, Token):
            self.entries.append(event)
        elif isinstance(last, _TokenRun) and last.message_id == event.message_id:
            last.pieces.append(event.token)
        else:
            self.entries.append(_TokenRun(event.message_id, [event.token]))

    def events(self) -> list[ChatEvent]:
        return [each.joined() if isinstance(each, _TokenRun) else each for each in self.entries]


class LiveEvents:
    """The only writer of a process.  `on_stale` is called for turns that have ended elsewhere."""

    def __init__(self, db: Database, bus: EventBus, on_stale: Callable[[UUID], None]) -> None:
        self._db = db
        self._bus = bus
        self._on_stale = on_stale
        self._pending: dict[UUID, _PendingTurn] = {}
        self._retry_at: dict[UUID, float] = {}
        """When to retry turns that could not be written, by the event loop's clock."""
        self._writing: frozenset[UUID] = frozenset()
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.writes = 0
        """Number of database calls."""
        self.failures = 0
        """Number of failed writes and announcements, without those of an unavailable database."""

    def put(self, key: TurnKey, event: ChatEvent) -> None:
        """Send this event to the readers of the conversation with the next write."""
        pending = self._pending.get(key.turn_id)
        if pending is None:
            pending = self._pending[key.turn_id] = _PendingTurn(key)
            self._wake.set()
        pending.put(event)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="chat-live")

    async def take(self, turn_id: UUID) -> list[ChatEvent]:
        """Hand over a turn's unwritten events, for the transaction that ends the turn."""
        while turn_id in self._writing:
            await self._written.wait()
        pending = self._pending.pop(turn_id, None)
        self._retry_at.pop(turn_id, None)
        return pending.events() if pending else []

    async def close(self) -> None:
        """Stop writing; the turns have taken their events already."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(WRITE_SECONDS)
            self._wake.clear()
            unwritten = self._take_ready()
            self._writing = frozenset(unwritten)
            try:
                await self._write_all(unwritten)
            except DatabaseBusy as error:
                _log.warning("live events cannot be written now, will retry", error=error.message)
                self._put_back(unwritten)
                self._wake.set()
                self._signal_written()
                await asyncio.sleep(RETRY_SECONDS)
            finally:
                self._signal_written()

    def _take_ready(self) -> dict[UUID, _PendingTurn]:
        """The events to write now; turns that just failed wait for their retry."""
        at = asyncio.get_running_loop().time()
        postponed = [turn_id for turn_id in self._pending if self._retry_at.get(turn_id, 0.0) > at]
        ready, self._pending = (
            self._pending,
            {turn_id: self._pending[turn_id] for turn_id in postponed},
        )
        for turn_id in postponed:
            del ready[turn_id]
        for turn_id in ready:
            self._retry_at.pop(turn_id, None)
        return ready

    async def _write_all(self, unwritten: dict[UUID, _PendingTurn]) -> None:
        """Write these turns, and remove them from `unwritten`.

        If the batch fails, each turn is written alone: the others continue; the one that fails is
        retried later, or written at the end of its turn.  Raises DatabaseBusy.
        """
        try:
            await self._write(list(unwritten.values()))
        except DatabaseBusy:
            raise
        except Exception as error:  # noqa: BLE001 (the edge of a task: the rest continues)
            self._count_failure(error)
        else:
            unwritten.clear()
            return
        for turn_id, pending in list(unwritten.items()):
            try:
                await self._write([pending])
            except DatabaseBusy:
                raise
            except Exception as error:  # noqa: BLE001 (the edge of a task: the rest continues)
                self._count_failure(error, turn_id)
                self._retry_later(turn_id, pending)
            del unwritten[turn_id]

    async def _write(self, batch: list[_PendingTurn]) -> None:
        """Write pending events and pass them to the readers in this process.

        Readers in other processes read them from the log.
        """
        if not batch:
            return
        keys = {each.key.turn_id: each.key for each in batch}
        events_by_turn = {
            each.key.turn_id: [(event.type, event.payload()) for event in each.events()]
            for each in batch
        }
        items = [
            {
                "org": str(key.org_id),
                "stream": str(key.session_id),
                "turn": str(turn_id),
                "events": [
                    {"type": name, "payload": body} for name, body in events_by_turn[turn_id]
                ],
            }
            for turn_id, key in keys.items()
        ]
        self.writes += 1
        with self._bus.writing([turn_key.session_id for turn_key in keys.values()]):
            for turn_id, last, at in await self._db.rows(_WRITE, {"items": {"items": items}}):
                try:
                    self._announce(keys[turn_id], events_by_turn[turn_id], last, at)
                except Exception as error:  # noqa: BLE001 (committed: writing again would duplicate it)
                    self._count_failure(error, turn_id)

    def _announce(
        self,
        key: TurnKey,
        payloads: list[tuple[str, dict[str, Any]]],
        last: int | None,
        at: datetime,
    ) -> None:
        """Notify the readers in this process of committed events.

        `last` is the `seq` of the last event, None if the turn has ended elsewhere.
        """
        if last is None:
            self._on_stale(key.turn_id)
            return
        first = last - len(payloads) + 1
        events = [Event(seq, *each, at) for seq, each in enumerate(payloads, first)]
        self._bus.wrote(key.org_id, key.session_id, events)

    def _count_failure(self, error: Exception, turn_id: UUID | None = None) -> None:
        self.failures += 1
        _log.error(
            "live events failed, will continue", turn=turn_id and str(turn_id), exc_info=error
        )

    def _retry_later(self, turn_id: UUID, pending: _PendingTurn) -> None:
        loop = asyncio.get_running_loop()
        self._retry_at[turn_id] = loop.time() + RETRY_SECONDS
        self._put_back({turn_id: pending})
        loop.call_later(RETRY_SECONDS, self._wake.set)

    def _put_back(self, batch: dict[UUID, _PendingTurn]) -> None:
        """Queue these again, ahead of events that arrived in the meantime."""
        for turn_id, pending in batch.items():
            later = self._pending.get(turn_id)
            self._pending[turn_id] = pending
            for event in later.events() if later else ():
                pending.put(event)

    def _signal_written(self) -> None:
        self._writing = frozenset()
        self._written.set()
        self._written = asyncio.Event()
