"""Run one attempt at a job: parse the payload, call the handler, store the result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ValidationError
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.statements import storable
from whence.events.bus import EventBus
from whence.events.types import JobComplete
from whence.kernel import metrics
from whence.kernel.errors import Invalid, WhenceError
from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.services import Services
from whence.kernel.stopping import is_stopping
from whence.work import transitions
from whence.work.attempt import Attempt, claim, log_started
from whence.work.budget import Budget
from whence.work.context import JobContext
from whence.work.executor import Ending, Executor
from whence.work.job import AnyJob
from whence.work.jobs import Jobs
from whence.work.ledger import Ledger
from whence.work.queue import JobQueue
from whence.work.tables import ACTIVE, WorkItem
from whence.work.unknown_types import put_back

_WORKED = text("UPDATE whence.work SET spent_seconds = spent_seconds + :seconds WHERE id = :id")


class OutOfTime(WhenceError):
    """The job reached its time limit; give it less to do, or raise the limit in its pack."""


class Interrupted(Exception):
    """Something that the handler awaited was cancelled elsewhere, such as a shared request."""


@dataclass(frozen=True, kw_only=True)
class JobAttempt(Attempt):
    """A job, claimed by this worker under the fencing token `number`."""

    type: str
    payload: dict[str, Any]
    state: dict[str, Any]
    spent_seconds: float
    began: float = field(default_factory=time.monotonic)

    async def close(self, session: AsyncSession, reason: str) -> None:
        """Add the attempt's working time to the job."""
        seconds = time.monotonic() - self.began
        await session.execute(_WORKED, {"id": self.work_id, "seconds": seconds})


@dataclass(frozen=True)
class JobRunner:
    """The dependencies of attempts at jobs; created once per worker."""

    db: Database
    queue: JobQueue
    bus: EventBus
    jobs: Jobs
    services: Services
    budget: Budget
    models_for: Callable[[Ledger], AbstractContextManager[Any]]
    """Gives the skills that a job calls the configured models, billed to this ledger."""

    async def attempt(self, org_id: str, work_id: str) -> None:
        """The queue's handler: claim the job and run it until it ends or another worker takes it
        over."""
        await Executor(self.queue, self.bus).execute(self, UUID(org_id), UUID(work_id))

    async def claim(self, org_id: UUID, work_id: UUID) -> JobAttempt | None:
        """Claim the job; None if it has ended, no longer exists, or is left to other workers."""
        async with self.db.unit(org_id) as session:
            if await self._is_put_back(session, work_id):
                return None
            claimed = await claim(session, org_id, work_id)
            if claimed is None:
                return None
            await log_started(session, work_id, claimed.number, resumed=claimed.number > 1)
            item = (await session.scalars(select(WorkItem).where(WorkItem.id == work_id))).one()
            return JobAttempt(
                db=self.db,
                principal=claimed.principal,
                work_id=work_id,
                number=claimed.number,
                deaths=claimed.deaths,
                requester_left=claimed.requester_left,
                type=item.type,
                payload=item.payload,
                state=item.state,
                spent_seconds=item.spent_seconds,
            )

    async def _is_put_back(self, session: AsyncSession, work_id: UUID) -> bool:
        unknown = select(WorkItem).where(
            WorkItem.id == work_id,
            WorkItem.status.in_(ACTIVE),
            WorkItem.type.not_in(self.jobs.types),
        )
        item = (await session.scalars(unknown.with_for_update())).one_or_none()
        if item is not None:
            await put_back(session, self.queue, item)
        return item is not None

    async def work(self, attempt: JobAttempt) -> Ending | None:
        """Call the handler and store its result."""
        job = self.jobs.get(attempt.type).job
        result = await self._call_handler(job, attempt)
        document = None
        if result is not None:
            document = storable(result.model_dump(mode="json", by_alias=True))
        async with attempt.fenced() as session:
            complete = JobComplete(status="success")
            await transitions.finish(session, attempt, complete, result=document)
        metrics.attempt_ended("success")
        return None

    async def give_up(self, attempt: JobAttempt, error: Exception) -> None:
        """Fail the job."""
        await transitions.fail(attempt, error)

    def max_deaths(self, attempt: JobAttempt) -> int:
        """The same number as for a run."""
        return transitions.MAX_DEATHS

    def max_crashes(self, attempt: JobAttempt) -> int:
        """The number that the job declares."""
        return self.jobs.get(attempt.type).job.attempts

    async def _call_handler(self, job: AnyJob, attempt: JobAttempt) -> BaseModel | None:
        try:
            payload = job.payload.model_validate(attempt.payload)
        except ValidationError as error:
            faults = sentence(faults_of(error, job.payload))
            raise Invalid(
                f"The payload no longer fits the job '{attempt.type}': {faults}."
            ) from error
        context = JobContext(attempt, attempt.state, self.services)
        seconds_left = job.time_limit_seconds - attempt.spent_seconds
        limit = asyncio.timeout(seconds_left)
        try:
            async with limit:
                # The job's own limit counts its time; that of the budget is for runs.
                budget = replace(self.budget, seconds=job.time_limit_seconds)
                with self.models_for(Ledger(attempt, job.name, budget)):
                    return await job.handle(payload, context)
        except TimeoutError as error:
            if limit.expired():
                raise OutOfTime(
                    f"{OutOfTime.__doc__} The limit is {job.time_limit_seconds:g} seconds."
                ) from error
            raise
        except asyncio.CancelledError as error:
            if is_stopping():
                raise
            # The job itself was not cancelled; passing the cancellation on would end it for good.
            raise Interrupted from error
