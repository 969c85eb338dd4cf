"""Taking a run: the claim raises the fencing token, so that every earlier attempt is over."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import func, null, select, update

from whence.db.database import Database
from whence.events import log
from whence.events.types import JobStarted
from whence.kernel import metrics
from whence.kernel.clock import now
from whence.records.kind import SubjectKind
from whence.research.attempt import Attempt
from whence.research.runs import ACTIVE, interrupt_steps
from whence.research.tables import Run
from whence.tenancy.principal import SCOPES, Principal, Role, Scope, agent_of
from whence.tenancy.tables import Membership


async def claim(
    db: Database, org_id: UUID, run_id: UUID, kinds: Mapping[str, SubjectKind]
) -> Attempt | None:
    """Claim a run for this worker; None when it has ended, waits for a person, or is gone."""
    async with db.unit(org_id) as session:
        before = await session.scalar(select(Run.status).where(Run.id == run_id).with_for_update())
        died = before == "running"
        claimed = await session.execute(
            update(Run)
            .where(Run.id == run_id, Run.status.in_(ACTIVE), Run.question.is_(None))
            .values(
                status="running",
                attempt=Run.attempt + 1,
                deaths=Run.deaths + int(died),
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
        await interrupt_steps(session, run_id, counted=False)
        if run.subject_version is None and (kind := kinds.get(run.kind)):
            run.subject_version = await session.scalar(
                select(kind.row.version).where(kind.row.id == run.subject_id)
            )
        role = await session.scalar(
            select(Membership.role).where(Membership.user_id == run.requested_by)
        )
        started = JobStarted(attempt=run.attempt, resumed=run.step_count > 0)
        await session.flush()
        await log.append(session, run_id, started)
        metrics.attempt_began(resumed=started.resumed)
        return Attempt(
            db=db,
            principal=_acting(org_id, run, Role(role) if role else None),
            run_id=run_id,
            number=run.attempt,
            kind=run.kind,
            subject_id=run.subject_id,
            flow=run.flow,
            flow_version=run.flow_version,
            lane=run.lane,
            resumable=run.resumable,
            options=run.options,
            answers=run.answers,
            deaths=run.deaths if died else 0,
            requester_left=role is None,
        )


def _acting(org_id: UUID, run: Run, role: Role | None) -> Principal:
    """For whom the run acts: what was allowed when it was asked for, as far as it still is."""
    asked = frozenset(scope for scope in Scope if scope.value in run.scopes)
    allowed = SCOPES[role] if role else frozenset[Scope]()
    return agent_of(Principal(org_id, run.requested_by, role or Role.VIEWER, asked & allowed))
