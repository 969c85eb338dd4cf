"""Many readers of one stream in a process: each event is read once, and each reader has it once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from streams.conftest import Listen, Play, eventually
from streams.listeners import Listener
from whence.db.database import DatabaseBusy
from whence.events.feed import Feed
from whence.events.log import Event
from whence.kernel.clock import now

pytestmark = pytest.mark.anyio
READERS = 200


async def test_two_hundred_readers_cost_one_read_for_each_event(play: Play) -> None:
    bus, org = play.platform.bus, play.platform.owner.org_id
    tails = [bus.tail(org, play.run_id) for _ in range(READERS)]
    seqs: list[list[int]] = [[] for _ in tails]

    async def read(tail: AsyncGenerator[list[Event]], into: list[int]) -> None:
        async for batch in tail:
            into += [event.seq for event in batch]
            if into[-1] == 21:
                return

    readers = [asyncio.create_task(read(*one)) for one in zip(tails, seqs, strict=True)]
    await eventually(lambda: all(one == [1] for one in seqs))
    before = bus.reads
    for _ in range(20):
        await play.say()
    await asyncio.gather(*readers)
    assert all(one == list(range(1, 22)) for one in seqs)
    assert bus.reads - before <= 2 * 20
    for tail in tails:
        await tail.aclose()
    assert bus.readers(play.run_id) == 0


async def test_readers_that_come_at_the_same_time_share_their_first_page(play: Play) -> None:
    await play.say(50)
    bus, org = play.platform.bus, play.platform.owner.org_id
    tails = [bus.tail(org, play.run_id) for _ in range(READERS)]
    before = bus.reads
    first = await asyncio.gather(*(anext(tail) for tail in tails))
    assert all([event.seq for event in batch] == list(range(1, 52)) for batch in first)
    assert bus.reads - before <= 5
    for tail in tails:
        await tail.aclose()


@pytest.mark.parametrize("subscribers", [30, pytest.param(READERS, marks=pytest.mark.long)])
async def test_many_subscribers_of_both_kinds_each_hear_everything_once(
    play: Play, serve: str, listen: Listen, subscribers: int
) -> None:
    clients: list[Listener] = []
    for wave in range(0, subscribers, 10):  # 200 at once would wait for a pool of 20 connections
        kinds = ["sse" if number % 2 else "socket" for number in range(wave, wave + 10)]
        clients += await asyncio.gather(*(listen(serve, kind) for kind in kinds))
    await asyncio.gather(*(client.until(1, seconds=60) for client in clients))
    for _ in range(5):
        await play.say(4)
    await play.end()
    await asyncio.gather(*(client.until(play.last, seconds=60) for client in clients))
    for client in clients:
        assert client.seqs == list(range(1, play.last + 1))
        assert client.names[-1] == "job_complete"


class Log:
    """A log in memory with the database's promise: dense numbers, reads see what is committed."""

    def __init__(self) -> None:
        self.last = 0
        self.first = 1
        self.busy = 0

    async def page(self, after: int) -> list[Event]:
        seqs = range(max(after + 1, self.first), self.last + 1)[:200]
        await asyncio.sleep(0)  # others may write between the read and its answer
        if self.busy:
            self.busy -= 1
            raise DatabaseBusy
        return [Event(seq, "progress", {}, now()) for seq in seqs]

    async def newest(self) -> int:
        last = self.last
        await asyncio.sleep(0)
        return last


class Held(Log):
    """A log whose first page has been read but not yet answered, and whose end is not yet known."""

    def __init__(self) -> None:
        super().__init__()
        self.answered, self.counted = asyncio.Event(), asyncio.Event()

    async def page(self, after: int) -> list[Event]:
        result = await super().page(after)
        await self.answered.wait()
        return result

    async def newest(self) -> int:
        await self.counted.wait()
        return await super().newest()


async def test_a_page_that_was_read_too_early_is_not_taken_for_the_end_of_the_log() -> None:
    log = Held()
    log.last = 5
    feed = Feed(log.page, log.newest)
    feed.start()
    early = asyncio.create_task(feed.after(5))
    await asyncio.sleep(0.01)  # its page saw nothing
    log.last = 6
    log.counted.set()
    await eventually(lambda: feed.head == 6)
    late = asyncio.create_task(feed.after(5))
    await asyncio.sleep(0.01)
    log.answered.set()
    async with asyncio.timeout(60):
        for batch in (await early, await late):
            assert [event.seq for event in batch] == [6]
    feed.stop()


async def test_what_this_process_wrote_needs_no_read_and_a_hole_before_it_does() -> None:
    log = Log()
    feed = Feed(log.page, log.newest)
    feed.start()
    reading = asyncio.create_task(feed.after(0))
    await asyncio.sleep(0.01)
    log.last, log.busy = 1, 100  # a read would fail
    feed.add([Event(1, "progress", {}, now())])
    feed.may_lack(1)
    async with asyncio.timeout(60):
        assert [event.seq for event in await reading] == [1]
    assert not feed.wake.is_set()
    log.last, log.busy = 4, 0
    feed.add([Event(4, "progress", {}, now())])
    async with asyncio.timeout(60):
        assert [event.seq for event in await feed.after(1)] == [2, 3, 4]
    feed.stop()


async def test_what_was_written_here_while_the_log_was_read_is_there_once() -> None:
    log = Held()
    log.counted.set()
    feed = Feed(log.page, log.newest)
    feed.start()
    await asyncio.sleep(0.01)
    log.last = 1
    feed.wake.set()
    await asyncio.sleep(0.01)  # the page has the event and is not answered yet
    feed.add([Event(1, "progress", {}, now())])
    log.answered.set()
    await asyncio.sleep(0.01)
    assert [event.seq for event in await feed.after(0)] == [1]
    feed.stop()


Step = st.one_of(
    st.tuples(st.just("write"), st.integers(1, 700)),
    st.tuples(st.just("hand over"), st.integers(1, 50)),
    st.tuples(st.just("join"), st.integers(0, 1000)),
    st.tuples(st.just("turn"), st.integers(1, 5)),
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(Step, min_size=1, max_size=12))
def test_whenever_readers_come_and_however_slow_they_are_none_misses_or_repeats_an_event(
    steps: list[tuple[str, int]],
) -> None:
    asyncio.run(_play(steps))


async def _play(steps: list[tuple[str, int]]) -> None:
    log = Log()
    feed = Feed(log.page, log.newest)
    feed.start()
    readers: list[tuple[int, list[int], asyncio.Task[None]]] = []

    async def read(cursor: int, received: list[int], pace: int) -> None:
        while True:
            batch = await feed.after(cursor)
            received += [event.seq for event in batch]
            cursor = batch[-1].seq
            for _ in range(pace):
                await asyncio.sleep(0)

    for word, number in steps:
        if word == "write":
            log.last += number
            feed.wake.set()
        elif word == "hand over":
            log.last += number
            seqs = range(log.last - number + 1, log.last + 1)
            feed.add([Event(seq, "progress", {}, now()) for seq in seqs])
            feed.may_lack(log.last)
        elif word == "join":
            cursor = min(number, log.last)
            received: list[int] = []
            task = asyncio.create_task(read(cursor, received, number % 7))
            readers.append((cursor, received, task))
        else:
            for _ in range(number):
                await asyncio.sleep(0)
    log.last += 1
    feed.wake.set()
    async with asyncio.timeout(60):
        while any(not received or received[-1] < log.last for _, received, _ in readers):
            assert not any(task.done() for _, _, task in readers)
            await asyncio.sleep(0)
    for cursor, received, task in readers:
        assert received == list(range(cursor + 1, log.last + 1))
        task.cancel()
    feed.stop()
