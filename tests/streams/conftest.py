"""A run whose log the test writes itself, and clients that follow it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import text

from streams.listeners import TRANSPORTS, Line, Listener
from whence.app.platform import Platform
from whence.events import log
from whence.events.types import Progress
from whence.records import store
from whence.research import runs
from whence.tenancy import tokens
from whence.tenancy.principal import Principal


@dataclass
class Play:
    """A pending run; the test is what happens to it.  Its first event is `job_queued`."""

    platform: Platform
    run_id: UUID
    last: int = 1

    @property
    def id(self) -> str:
        return str(self.run_id)

    async def say(self, count: int = 1, words: str = "something") -> int:
        """So many events in one transaction; the `seq` of the last."""
        async with self.platform.unit(self.platform.owner) as session:
            for _ in range(count):
                event = Progress(node="n", message=words)
                self.last = await log.append(session, self.run_id, event)
        return self.last

    async def end(self) -> int:
        """Cancel the run, which ends its log; the `seq` of the last event."""
        async with self.platform.unit(self.platform.owner) as session:
            await runs.cancel(session, self.platform.owner, self.run_id)
            self.last = await log.last_seq(session, self.run_id)
        return self.last

    async def prune(self, up_to: int) -> None:
        """Delete events as retention does: the rows go, the numbering stays."""
        async with self.platform.unit(self.platform.owner) as session:
            statement = "DELETE FROM whence.events WHERE stream_id = :id AND seq <= :n"
            await session.execute(text(statement), {"id": self.run_id, "n": up_to})


@pytest.fixture
async def play(platform: Platform) -> Play:
    kind, owner = platform.kind("notes"), platform.owner
    async with platform.unit(owner) as session:
        record = kind.record(title="A note", text="four words stand here")
        note = await store.create(session, owner, kind, record)
        flow = platform.flow("notes", None)
        submitted = await runs.request(session, platform.queue, owner, kind, flow, note.id)
    return Play(platform, submitted.id)


@pytest.fixture
async def line(serve: str) -> AsyncIterator[Line]:
    """The way to the server of this process; `line.url` is its address."""
    made = Line(serve)
    made.url = await made.open()
    yield made
    await made.close()


@pytest.fixture
async def anonymous(serve: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that has not signed in."""
    async with httpx.AsyncClient(base_url=serve, timeout=30) as client:
        yield client


@pytest.fixture
async def owner(platform: Platform, serve: str) -> AsyncIterator[httpx.AsyncClient]:
    """The local owner's client."""
    token = await tokens.issue(platform.db, platform.owner, "owner")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        yield client


Listen = Callable[..., Awaitable[Listener]]


@pytest.fixture
async def listen(platform: Platform, play: Play) -> AsyncIterator[Listen]:
    """`await listen(url, "sse", after=3)`: a client that follows the play until the test's end."""
    async with AsyncExitStack() as stack:

        async def make(
            url: str,
            transport: str,
            after: int = 0,
            token: str | None = None,
            who: Principal | None = None,
        ) -> Listener:
            token = token or await tokens.issue(platform.db, who or platform.owner, "listener")
            made = TRANSPORTS[transport](url, token, play.id, after)
            stack.push_async_callback(made.stop)
            await made.start()
            return made

        yield make


@pytest.fixture(params=["sse", "socket"])
def transport(request: pytest.FixtureRequest) -> str:
    return request.param


async def eventually(condition: Callable[[], Any], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)
