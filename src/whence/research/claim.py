"""Taking a run: the claim raises the fencing token, so that every earlier attempt is over."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import func, null, select, update

from whence.db.database import Database
from whence.events import log
from whence.events.types import JobStarted
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.research.attempt import Attempt
from whence.research.runs import ACTIVE, interrupt_steps
from whence.research.tables import Run
from whence.tenancy.principal import Role, principal
from whence.tenancy.tables import Membership


async def claim(db: Database, org_id: UUID, run_id: UUID) -> Attempt | None:
    """Claim a run for this worker; None when it has ended, or does not exist any more."""
    async with db.unit(org_id) as session:
        before = await session.scalar(select(Run.status).where(Run.id == run_id).with_for_update())
        died = before == "running"
        claimed = await session.execute(
            update(Run)
            .where(Run.id == run_id, Run.status.in_(ACTIVE))
            .values(
                status="running",
                attempt=Run.attempt + 1,
                failures=Run.failures + int(died),
                started_at=func.coalesce(Run.started_at, now()),
                notice=None,
                error=null(),
                resume_at=None,
            )
            .returning(Run)
        )
        run = claimed.scalar_one_or_none()
        if run is None:
            return None
        await interrupt_steps(session, run_id)
        role = await session.scalar(
            select(Membership.role).where(Membership.user_id == run.requested_by)
        )
        started = JobStarted(attempt=run.attempt, resumed=run.step_count > 0)
        await log.append(session, run_id, started)
        metrics.attempt_began(resumed=started.resumed)
        return Attempt(
            db=db,
            principal=principal(org_id, run.requested_by, Role(role or Role.VIEWER)),
            run_id=run_id,
            number=run.attempt,
            kind=run.kind,
            subject_id=run.subject_id,
            flow=run.flow,
            flow_version=run.flow_version,
            lane=run.lane,
            resumable=run.resumable,
            options=run.options,
            deaths=run.failures if died else 0,
        )
