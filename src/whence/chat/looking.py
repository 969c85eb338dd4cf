"""Reading the Look: the record, its current dossier with the evidence, and its past."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.look import Look, PastRun
from whence.evidence import dossiers, store
from whence.evidence.lanes import LaneName
from whence.evidence.wire import dossier_answer
from whence.research.tables import Run
from whence.subjects import store as subjects
from whence.subjects.kind import SubjectKind

HISTORY = 10
"""Past runs that a conversation knows of."""
FLOW = "research"
"""The flow whose dossier a conversation is about."""


async def look_at(session: AsyncSession, kind: SubjectKind, subject_id: UUID, at: datetime) -> Look:
    """All of it as of one moment, the transaction's.

    Raises NotFound, and NotValidAnyMore for a record that was stored under older rules.
    """
    row = await subjects.get(session, kind, subject_id)
    found = await dossiers.current(session, dossiers.Lane(kind.kind, subject_id, FLOW))
    return Look(
        kind=kind,
        subject_id=subject_id,
        version=row.version,
        record=kind.parse(row),
        shown=kind.shown(row),
        dossier=dossier_answer(found) if found else None,
        evidence=await store.bundle(session, found.run_id) if found else [],
        history=await _history(session, kind, subject_id),
        changed_since=found is not None
        and (found.record_changed or found.subject_version not in (None, row.version)),
        at=at,
    )


async def _history(session: AsyncSession, kind: SubjectKind, subject_id: UUID) -> list[PastRun]:
    query = (
        select(Run.id, Run.status, Run.created_at, Run.completed_at, Run.result)
        .where(
            Run.kind == kind.kind,
            Run.subject_id == subject_id,
            Run.flow == FLOW,
            Run.lane == LaneName.PRIMARY.value,
        )
        .order_by(Run.created_at.desc(), Run.id.desc())
        .limit(HISTORY)
    )
    return [
        PastRun(run_id, status, asked, ended, (result or {}).get("summary"))
        for run_id, status, asked, ended, result in await session.execute(query)
    ]
