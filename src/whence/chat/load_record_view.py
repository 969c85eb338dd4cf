"""Loads what a turn knows: the record, its current dossier with the evidence, and past runs."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.record_view import PastRun, RecordView
from whence.db import statements
from whence.evidence import dossiers
from whence.evidence.dossiers import Lane
from whence.evidence.lanes import LaneName
from whence.evidence.latest import latest
from whence.evidence.wire import DossierAnswer, dossier_answer
from whence.records import references
from whence.records import store as records
from whence.records.kind import SubjectKind

MAX_PAST_RUNS = 10
"""Past runs that a conversation can mention."""
FLOW = "research"
"""The flow whose dossier a conversation is about."""
_HISTORY = """
    SELECT r.id, w.status, w.created_at, w.completed_at, w.result->>'summary'
    FROM whence.runs r JOIN whence.work w ON w.org_id = r.org_id AND w.id = r.id
    WHERE kind = %(kind)s AND subject_id = %(subject)s AND flow = %(flow)s AND lane = %(lane)s
    ORDER BY w.created_at DESC, r.id DESC LIMIT %(most)s
"""


async def load_record_view(
    session: AsyncSession,
    kind: SubjectKind,
    subject_id: UUID,
    at: datetime,
    *,
    compared: bool = False,
) -> RecordView:
    """Everything as of the current transaction; `compared`: with the previous dossier.

    Raises NotFound, and NotValidAnyMore for a record stored under older rules.
    """
    row = await records.get(session, kind, subject_id)
    [fields] = await references.shown(session, kind, [row])
    lane = Lane(kind.kind, subject_id, FLOW)
    latest_dossier = await latest(session, lane)
    dossier = latest_dossier.dossier if latest_dossier else None
    return RecordView(
        kind=kind,
        subject_id=subject_id,
        version=row.version,
        record=kind.parse(row),
        shown=fields,
        dossier=dossier,
        evidence=latest_dossier.evidence if latest_dossier else (),
        history=await _history(session, kind, subject_id),
        changed_since=dossier is not None
        and (dossier.record_changed or dossier.subject_version not in (None, row.version)),
        at=at,
        before=await _before(session, lane, dossier) if compared and dossier else None,
    )


async def _before(
    session: AsyncSession, lane: Lane, current: DossierAnswer
) -> DossierAnswer | None:
    past = await dossiers.history(session, lane, current.created_at, 1)
    return dossier_answer(past[0]) if past else None


async def _history(session: AsyncSession, kind: SubjectKind, subject_id: UUID) -> list[PastRun]:
    values = {
        "kind": kind.kind,
        "subject": subject_id,
        "flow": FLOW,
        "lane": LaneName.PRIMARY.value,
        "most": MAX_PAST_RUNS,
    }
    return [PastRun(*row) for row in await statements.rows(session, _HISTORY, values)]
