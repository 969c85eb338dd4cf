"""Taking a run: the claim of its work, and what an attempt at research must know beside."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import select

from whence.db.database import Database
from whence.records.kind import SubjectKind
from whence.research.attempt import Attempt
from whence.research.run_steps import close_cancelled, interrupt_steps
from whence.research.tables import Run
from whence.work.claim import claim as claim_work
from whence.work.claim import tell_started


async def claim(
    db: Database, org_id: UUID, run_id: UUID, kinds: Mapping[str, SubjectKind]
) -> Attempt | None:
    """Claim a run for this worker; None when it has ended, waits for a person, or is gone."""
    async with db.unit(org_id) as session:
        claimed = await claim_work(session, org_id, run_id, close_cancelled)
        if claimed is None:
            return None
        run = (await session.scalars(select(Run).where(Run.id == run_id))).one()
        await interrupt_steps(session, run_id, "The worker died.", is_counted=False)
        if run.subject_version is None and (kind := kinds.get(run.kind)):
            run.subject_version = await session.scalar(
                select(kind.row.version).where(kind.row.id == run.subject_id)
            )
        await session.flush()
        await tell_started(session, run_id, claimed.number, resumed=run.step_count > 0)
        return Attempt(
            db=db,
            principal=claimed.principal,
            work_id=run_id,
            number=claimed.number,
            deaths=claimed.deaths,
            requester_left=claimed.requester_left,
            kind=run.kind,
            subject_id=run.subject_id,
            flow=run.flow,
            flow_version=run.flow_version,
            lane=run.lane,
            resumable=run.resumable,
            options=run.options,
            run_type=run.run_type,
            parameters=run.parameters,
            answers=run.answers,
        )
