"""One attempt at a research run: its claim, and the run's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.evidence.lanes import LaneName
from whence.records.kind import SubjectKind
from whence.research.run_steps import close_cancelled, interrupt_steps
from whence.research.run_type import DEFAULT_NAME
from whence.research.tables import Run
from whence.work.attempt import Attempt as WorkAttempt
from whence.work.attempt import claim as claim_work
from whence.work.attempt import log_started


@dataclass(frozen=True, kw_only=True)
class Attempt(WorkAttempt):
    """A run, claimed by this worker under the fencing token `number`."""

    paused_notice: ClassVar[str] = "Research paused, will resume automatically"

    kind: str
    subject_id: UUID
    flow: str
    flow_version: str
    lane: str
    options: dict[str, Any]
    resumable: bool
    """False after a checkpoint was lost: then the run starts over from its first node."""
    run_type: str = DEFAULT_NAME
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    answers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """People's answers to the run's questions, by the question's key."""

    @property
    def run_id(self) -> UUID:
        """The run's id, the same as that of its unit of work."""
        return self.work_id

    @property
    def is_shadow(self) -> bool:
        """Whether the run is for comparison only: it may write nothing but its own findings."""
        return self.lane == LaneName.SHADOW

    async def close(self, session: AsyncSession, reason: str) -> None:
        """Close the steps that the attempt leaves open, with the reason."""
        await interrupt_steps(session, self.run_id, reason)


async def claim(
    db: Database, org_id: UUID, run_id: UUID, kinds: Mapping[str, SubjectKind]
) -> Attempt | None:
    """Claim a run for this worker; None if it has ended, waits for a person, or is gone."""
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
        await log_started(session, run_id, claimed.number, resumed=run.step_count > 0)
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
