"""A stream that this process writes and tells itself: notifications of it wait until it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from uuid import UUID

import pytest

from whence.app.platform import Platform
from whence.events import feed as feed_module
from whence.events import log
from whence.events.log import Event
from whence.events.types import Progress
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio
SECONDS = 20
"""Whoever waits longer waits for something that does not come."""


@dataclass
class Pen:
    """Two streams, each with a reader at its end: one to write, one that tells what was heard."""

    platform: Platform
    stream: UUID
    other: UUID
    reader: AsyncGenerator[list[Event]]
    other_reader: AsyncGenerator[list[Event]]

    async def write(self, stream: UUID, words: str) -> Event:
        async with self.platform.unit(self.platform.owner) as session:
            seq = await log.append(session, stream, Progress(node="n", message=words))
        [event] = await log.read(self.platform.db, self.platform.owner.org_id, stream, seq - 1)
        return event

    async def all_heard(self) -> None:
        """Until every notification of what was committed before has come: they come in order."""
        last = await self.write(self.other, "mark")
        while (await soon(self.other_reader))[-1].seq < last.seq:
            continue

    @property
    def head(self) -> int:
        """The newest event of the stream that its readers here can have."""
        return self.platform.bus.head(self.platform.owner.org_id, self.stream)


async def soon(reading: AsyncGenerator[list[Event]]) -> list[Event]:
    async with asyncio.timeout(SECONDS):
        return await anext(reading)


@pytest.fixture
async def pen(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Pen]:
    monkeypatch.setattr(feed_module, "POLL_SECONDS", 3600)  # nobody looks by chance
    bus, org = platform.bus, platform.owner.org_id
    stream, other = new_id(), new_id()
    pen = Pen(platform, stream, other, bus.tail(org, stream), bus.tail(org, other))
    for name, reading in ((stream, pen.reader), (other, pen.other_reader)):
        await pen.write(name, "first")
        assert [event.seq for event in await soon(reading)] == [1]
    while pen.head < 1:  # the feed knows where to begin, and not its first reader alone
        await asyncio.sleep(0)
    await pen.all_heard()
    yield pen
    await pen.reader.aclose()
    await pen.other_reader.aclose()


async def test_what_is_about_to_be_told_is_not_looked_for(pen: Pen) -> None:
    bus = pen.platform.bus
    with bus.writing([pen.stream]):
        event = await pen.write(pen.stream, "second")
        await pen.all_heard()
        await pen.all_heard()  # and whoever looked has had the time to find it
        assert pen.head == 1
        before = bus.reads
        bus.wrote(pen.platform.owner.org_id, pen.stream, [event])
        assert await soon(pen.reader) == [event]
    assert bus.reads == before


async def test_what_somebody_else_wrote_meanwhile_is_looked_for_at_the_end(pen: Pen) -> None:
    with pen.platform.bus.writing([pen.stream]):
        await pen.write(pen.stream, "of somebody else")
        await pen.all_heard()
    assert [event.seq for event in await soon(pen.reader)] == [2]


async def test_nothing_is_looked_for_before_the_last_of_several_writers_has_told(pen: Pen) -> None:
    bus = pen.platform.bus
    with bus.writing([pen.stream]):
        with bus.writing([pen.stream]):
            await pen.write(pen.stream, "second")
            await pen.all_heard()
        await pen.all_heard()
        await pen.all_heard()
        assert pen.head == 1
    assert [event.seq for event in await soon(pen.reader)] == [2]
