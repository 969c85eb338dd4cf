"""If a candidate version fails, the primary version takes over in the same run."""

from __future__ import annotations

from sqlalchemy import select

from whence.db.statements import storable_text
from whence.events import log
from whence.events.types import JobNotice
from whence.evidence.lanes import Fallback
from whence.kernel import metrics
from whence.kernel.errors import WhenceError
from whence.research.attempt import Attempt
from whence.research.flow import Flow
from whence.research.tables import Run
from whence.work.queue import JobQueue
from whence.work.submission import route_of, start

CANDIDATE_DEATHS = 2
"""Workers that may die at one place of a candidate: fewer than for a primary version, but one death
may have another cause."""


async def fall_back(attempt: Attempt, error: Exception, *, queue: JobQueue, primary: Flow) -> None:
    """End the candidate's attempt and queue one of the primary version, which starts over."""
    reason = f"an unexpected error ({type(error).__name__})."
    if isinstance(error, WhenceError):
        reason = storable_text(error.message)
    fallback = Fallback(candidate=attempt.flow_version, primary=primary.version, reason=reason)
    async with attempt.fenced() as session:
        run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
        run.fallback = fallback.model_dump()
        # Do not continue from the candidate's checkpoints.
        run.status, run.flow_version, run.resumable = "pending", primary.version, False
        run.notice, run.error = fallback.notice, None
        run.outages = run.crashes = run.deaths = run.depth = 0
        await session.flush()
        await attempt.close(session, fallback.notice)
        await log.append(session, attempt.run_id, JobNotice(notice=fallback.notice))
        org_id = attempt.principal.org_id
        await start(session, queue, org_id, attempt.run_id, route_of(run), run.priority)
    metrics.attempt_ended("fell_back")
