"""The event log: numbers without gaps, and readers that miss nothing and see nothing twice."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from whence.db.database import Database, DatabaseBusy
from whence.events import bus as bus_module
from whence.events import feed as feed_module
from whence.events import log
from whence.events.bus import EventBus
from whence.events.types import Progress
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio

TERMINATE = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def _append(platform: Any, stream: UUID, *words: str) -> None:
    async with platform.unit(platform.owner) as session:
        for word in words:
            await log.append(session, stream, Progress(node="n", message=word))


class Reader:
    """Follows a stream and keeps what it saw."""

    def __init__(self, bus: EventBus, org_id: UUID, stream: UUID, after: int = 0) -> None:
        self.seqs: list[int] = []
        self._task = asyncio.create_task(self._read(bus, org_id, stream, after))

    async def _read(self, bus: EventBus, org_id: UUID, stream: UUID, after: int) -> None:
        async for batch in bus.tail(org_id, stream, after):
            self.seqs += [event.seq for event in batch]

    async def until(self, last: int, seconds: float = 60) -> list[int]:
        async with asyncio.timeout(seconds):
            while last not in self.seqs:
                assert not self._task.done(), self._task
                await asyncio.sleep(0.01)
        return self.seqs

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])


async def test_numbers_are_dense_under_twenty_writers(platform: Any) -> None:
    stream = new_id()

    async def write(writer: int) -> None:
        for turn in range(5):
            await _append(platform, stream, f"{writer} {turn}")

    reader = Reader(platform.bus, platform.owner.org_id, stream)
    await asyncio.gather(*(write(writer) for writer in range(20)))
    assert await reader.until(100) == list(range(1, 101))
    await reader.stop()
    events = await log.read(platform.db, platform.owner.org_id, stream, 0)
    async with platform.unit(platform.owner) as session:
        assert await log.last_seq(session, stream) == 100
    assert [event.seq for event in events] == list(range(1, 101))
    for writer in range(20):  # each writer's own events stand in the order it wrote them
        own = [
            e.payload["message"] for e in events if e.payload["message"].startswith(f"{writer} ")
        ]
        assert own == [f"{writer} {turn}" for turn in range(5)]


async def test_an_event_that_is_rolled_back_leaves_no_gap(platform: Any) -> None:
    stream = new_id()
    await _append(platform, stream, "one")
    async with platform.unit(platform.owner) as session:
        await log.append(session, stream, Progress(node="n", message="never"))
        await session.rollback()
    await _append(platform, stream, "two")
    events = await log.read(platform.db, platform.owner.org_id, stream, 0)
    assert [(e.seq, e.payload["message"]) for e in events] == [(1, "one"), (2, "two")]


async def test_a_reader_goes_on_after_its_cursor(platform: Any) -> None:
    stream = new_id()
    await _append(platform, stream, *"abcde")
    reader = Reader(platform.bus, platform.owner.org_id, stream, after=3)
    await reader.until(5)
    await _append(platform, stream, "f")
    assert await reader.until(6) == [4, 5, 6]
    await reader.stop()


@pytest.fixture
def polls_hardly_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """What arrives was notified: the next look without a notification is ten minutes away."""
    monkeypatch.setattr(feed_module, "POLL_SECONDS", 600.0)


async def test_an_event_reaches_its_reader_without_a_poll(
    polls_hardly_ever: None, platform: Any
) -> None:
    stream = new_id()
    await _append(platform, stream, "before")
    reader = Reader(platform.bus, platform.owner.org_id, stream)
    await reader.until(1)  # it has read all there is, and waits
    await _append(platform, stream, "now")
    await reader.until(2)
    await reader.stop()


async def test_long_streams_are_read_in_batches_without_loss(platform: Any) -> None:
    stream = new_id()
    await _append(platform, stream, *(str(n) for n in range(1100)))
    reader = Reader(platform.bus, platform.owner.org_id, stream)
    assert await reader.until(1100) == list(range(1, 1101))
    await reader.stop()


async def test_nothing_is_lost_with_the_listening_connection(
    platform: Any, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = new_id()
    reader = Reader(platform.bus, platform.owner.org_id, stream)
    await _append(platform, stream, "before")
    await reader.until(1)
    with psycopg.connect(database_url, autocommit=True) as connection:
        killed = connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        ).fetchall()
    assert killed
    await _append(platform, stream, "while it was deaf")
    assert await reader.until(2) == [1, 2]
    monkeypatch.setattr(feed_module, "POLL_SECONDS", 600.0)
    await _append(platform, stream, "after")
    await reader.until(3)  # perhaps by the last of the frequent polls
    await _append(platform, stream, "by notification")
    await reader.until(4)  # it listens again, and does not merely poll
    assert reader.seqs == [1, 2, 3, 4]
    await reader.stop()


async def test_a_reader_outlives_the_loss_of_every_connection(
    platform: Any, database_url: str
) -> None:
    stream = new_id()
    reader = Reader(platform.bus, platform.owner.org_id, stream)
    for turn in range(1, 4):
        await _append(platform, stream, "a", "b")
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(TERMINATE)
        await _append(platform, stream, "c")
        assert await reader.until(3 * turn) == list(range(1, 3 * turn + 1))
    await reader.stop()


async def test_a_reader_waits_for_a_database_that_is_away(
    platform: Any, database_url: str, postgres: str
) -> None:
    stream = new_id()
    reader = Reader(platform.bus, platform.owner.org_id, stream)
    await _append(platform, stream, "before")
    await reader.until(1)
    name = conninfo_to_dict(database_url)["dbname"]
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        connection.execute(TERMINATE.replace("current_database()", f"'{name}'").encode())
        await asyncio.sleep(1.5)  # the listener reports the end, and the reader asks in vain
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
    await _append(platform, stream, "after")
    assert await reader.until(2) == [1, 2]
    await reader.stop()


PROCESS = """
import asyncio, sys
from uuid import UUID
from whence.db.database import Database
from whence.events.bus import EventBus

async def read(conninfo, org, stream, last):
    db = Database(conninfo)
    bus = EventBus(db)
    await bus.start()
    print("ready", flush=True)
    async for batch in bus.tail(UUID(org), UUID(stream)):
        for event in batch:
            print(event.seq, flush=True)
        if batch[-1].seq == int(last):
            return

asyncio.run(read(*sys.argv[1:]))
"""


async def test_readers_in_two_processes_each_see_everything_once(platform: Any) -> None:
    stream = new_id()
    arguments = [platform.db.conninfo, str(platform.owner.org_id), str(stream), "30"]
    readers = [
        subprocess.Popen([sys.executable, "-c", PROCESS, *arguments], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    await _append(platform, stream, *"abcde")
    for reader in readers:
        assert reader.stdout is not None
        assert await asyncio.to_thread(reader.stdout.readline) == b"ready\n"
    for turn in range(25):
        await _append(platform, stream, str(turn))
    for reader in readers:
        assert reader.stdout is not None
        out = await asyncio.wait_for(asyncio.to_thread(reader.stdout.read), 30)
        assert [int(line) for line in out.split()] == list(range(1, 31))


async def test_a_reader_of_another_organization_sees_nothing(
    platform: Any, new_principal: Any
) -> None:
    stream, stranger = new_id(), new_principal()
    await _append(platform, stream, "secret")
    assert await log.read(platform.db, stranger.org_id, stream, 0) == []
    async with platform.unit(stranger) as session:
        assert await log.last_seq(session, stream) == 0


async def test_the_same_stream_id_in_two_organizations_is_two_streams(
    platform: Any, new_principal: Any
) -> None:
    stream, stranger = new_id(), new_principal()
    await _append(platform, stream, "a", "b")
    async with platform.unit(stranger) as session:
        assert await log.append(session, stream, Progress(node="n", message="mine")) == 1


async def test_text_from_outside_cannot_break_the_log(platform: Any) -> None:
    stream = new_id()
    await _append(platform, stream, "nul \x00 and half \ud800 a pair")
    [event] = await log.read(platform.db, platform.owner.org_id, stream, 0)
    assert event.payload["message"] == "nul  and half ? a pair"


async def test_a_bus_whose_database_is_away_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "START_SECONDS", 0.3)
    db = Database("host=127.0.0.1 port=1 dbname=nowhere user=nobody")
    with pytest.raises(DatabaseBusy):
        await EventBus(db).start()
    await db.close()
