"""What tests of jobs share: jobs made of a test's own handlers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from whence.app import build
from whence.app.platform import Platform
from whence.events import log
from whence.kernel.wire import Wire
from whence.work import status
from whence.work.context import JobContext
from whence.work.job import Job
from whence.work.submission import Submission
from whence.work.tables import FINISHED, WorkItem


class Number(Wire):
    number: int = 0


Handle = Callable[[Number, JobContext], Awaitable[Number | None]]


@dataclass(frozen=True)
class Desk:
    """Jobs made of the test's own handlers, in a queue called `desk`."""

    platform: Platform

    def job(self, handle: Handle, name: str = "note", **more: Any) -> Job[Number]:
        job = Job(name, "A test's job", Number, handle, **more)
        self.platform.jobs.offer("desk", job, pack="desk")
        return job

    async def ask(self, job: Job[Number], number: int = 0, **more: Any) -> Submission:
        owner = self.platform.owner
        async with self.platform.unit(owner) as session:
            payload = Number(number=number)
            return await self.platform.jobs.enqueue(session, owner, job, payload, **more)

    async def item(self, job_id: UUID) -> WorkItem:
        async with self.platform.unit(self.platform.owner) as session:
            return await status.get(session, job_id)

    async def until(self, job_id: UUID, *states: str) -> WorkItem:
        async with asyncio.timeout(60):
            while (item := await self.item(job_id)).status not in (states or FINISHED):
                await asyncio.sleep(0.03)
        return item

    async def events(self, job_id: UUID) -> list[str]:
        events = await log.read(self.platform.db, self.platform.owner.org_id, job_id, 0)
        return [event.type for event in events]

    @asynccontextmanager
    async def working(self) -> AsyncGenerator[None]:
        async with build.worker(self.platform):
            yield
