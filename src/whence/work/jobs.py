"""The registry of jobs; enqueues a job in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Misconfigured, NotFound
from whence.tenancy.principal import Principal, Scope
from whence.work.job import AnyJob, Job, P
from whence.work.queue import JobQueue, Priority
from whence.work.submission import Route, Submission, start, submit
from whence.work.tables import RESEARCH

JOB_ATTEMPT = "work.attempt"
"""The name of the queue's handler for every job."""


@dataclass(frozen=True)
class OfferedJob:
    """A job with its type (its name on the wire) and its queue."""

    type: str
    queue: str
    job: AnyJob


class Jobs:
    """All jobs that packs and the core declare; `enqueue` requests one."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue
        self._offered: dict[str, OfferedJob] = {}
        self._concurrency: dict[str, int] = {}

    def offer(self, queue: str, job: AnyJob, *, pack: str | None = None) -> None:
        """Register a job, as `<pack>.<name>` for a pack's and as `<name>` for one of the core."""
        type_ = f"{pack}.{job.name}" if pack else job.name
        if type_ in self._offered or type_ == RESEARCH:
            raise Misconfigured(f"Two jobs are called '{type_}'; rename one of them.")
        self._offered[type_] = OfferedJob(type_, queue, job)
        self._concurrency.setdefault(queue, 1)

    def limit(self, queue: str, concurrency: int) -> None:
        """Limit how many jobs of this queue one worker runs at once."""
        self._concurrency[queue] = concurrency

    @property
    def concurrency(self) -> Mapping[str, int]:
        """How many jobs one worker runs at once, by queue."""
        return self._concurrency

    @property
    def types(self) -> list[str]:
        """The jobs' types, as on the wire."""
        return sorted(self._offered)

    def get(self, type_: str) -> OfferedJob:
        """One job by type; raises NotFound, which lists the existing types."""
        if type_ not in self._offered:
            types = ", ".join(self.types) or "none"
            raise NotFound(f"There is no job '{type_}'; the jobs are {types}.")
        return self._offered[type_]

    def type_of(self, job: AnyJob) -> str:
        """The type of a job; raises Misconfigured if no pack declares it."""
        return self._of(job).type

    async def enqueue(
        self,
        session: AsyncSession,
        who: Principal,
        job: Job[P],
        payload: P,
        *,
        key: str | None = None,
        priority: Priority = Priority.NORMAL,
        at: datetime | None = None,
    ) -> Submission:
        """Queue a job in the caller's transaction; it starts at `at` or later.

        With a `key`, at most one job of this type and key is active; a second request returns it.
        Raises Forbidden without the scope `write`.
        """
        who.require(Scope.WRITE)
        offered = self._of(job)
        route = Route(offered.queue, JOB_ATTEMPT)
        document = payload.model_dump(mode="json")
        submission = await submit(
            session, who, offered.type, route, key=key, priority=priority, payload=document
        )
        if submission.created:
            await start(session, self._queue, who.org_id, submission.id, route, priority.number, at)
        return submission

    def _of(self, job: AnyJob) -> OfferedJob:
        for offered in self._offered.values():
            if offered.job is job:
                return offered
        raise Misconfigured(f"No pack declares the job '{job.name}'; add it to `Pack.jobs`.")
