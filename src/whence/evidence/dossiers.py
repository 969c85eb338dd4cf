"""Dossiers: saves a run's conclusions as the current ones, and reads them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.statements import storable, storable_text
from whence.evidence import claims
from whence.evidence.records import DossierDraft, Recompute
from whence.kernel.clock import now
from whence.kernel.ids import new_id


@dataclass(frozen=True)
class Lane:
    """The place of a dossier: one is current per subject, flow and lane."""

    kind: str
    subject_id: UUID
    flow: str
    lane: str = "primary"


_LOCK = text("""
    SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'dossier', whence.current_org(),
        CAST(:kind AS text), CAST(:subject_id AS uuid), CAST(:flow AS text),
        CAST(:lane AS text)), 0))
""")
"""Without this lock, two concurrent runs could both make theirs the current one."""
_RETIRE = text("""
    UPDATE whence.dossiers SET is_current = false WHERE is_current AND kind = :kind
    AND subject_id = :subject_id AND flow = :flow AND lane = :lane AND run_id <> :run
    AND (:whole OR NOT is_whole)
    AND (NOT :partial OR is_partial OR (:whole AND NOT is_whole))
""")
_IS_CURRENT = """NOT EXISTS (SELECT FROM whence.dossiers d WHERE d.is_current AND d.kind = :kind
    AND d.subject_id = :subject_id AND d.flow = :flow AND d.lane = :lane AND d.run_id <> :run)"""
"""After the others are retired: a complete dossier stays current when a partial one is saved."""
_SAVE = text(f"""
    INSERT INTO whence.dossiers (org_id, id, run_id, kind, subject_id, flow, lane, schema_version,
                                 is_current, is_whole, is_partial, not_done, subject_version,
                                 summary, body, created_at)
    VALUES (whence.current_org(), :id, :run, :kind, :subject_id, :flow, :lane, :schema,
            {_IS_CURRENT}, :whole, :partial, :not_done,
            (SELECT subject_version FROM whence.runs WHERE id = :run),
            :summary, :body, :at)
    ON CONFLICT (org_id, run_id) DO UPDATE SET is_current = excluded.is_current,
        is_whole = excluded.is_whole, is_partial = excluded.is_partial,
        not_done = excluded.not_done, subject_version = excluded.subject_version,
        schema_version = excluded.schema_version, summary = excluded.summary, body = excluded.body,
        created_at = excluded.created_at
    RETURNING id
""").bindparams(bindparam("body", type_=JSONB))


async def save(
    session: AsyncSession,
    run_id: UUID,
    lane: Lane,
    draft: DossierDraft,
    recomputations: Mapping[str, Recompute],
) -> UUID:
    """Check and save a dossier; it becomes current, and its predecessor moves to the history.

    One that covers only a part of the record, or was not finished, does not replace a complete one:
    it goes straight to the history.

    Saving again for the same run replaces its dossier, so that a repeated node has one effect.
    """
    checked = await claims.checked(session, run_id, draft.claims, recomputations)
    place = asdict(lane) | {"run": run_id}
    await session.execute(_LOCK, asdict(lane))
    await session.execute(_RETIRE, place | {"whole": draft.is_whole, "partial": draft.partial})
    values = place | {
        "id": new_id(),
        "schema": draft.schema_version,
        "whole": draft.is_whole,
        "partial": draft.partial,
        "not_done": [storable_text(words) for words in draft.not_done],
        "summary": storable_text(draft.summary),
        "body": storable(draft.body),
        "at": now(),
    }
    dossier_id: UUID = (await session.execute(_SAVE, values)).scalar_one()
    await claims.replace_claims(session, "dossier", dossier_id, checked)
    return dossier_id


_NOTE = text("""
    UPDATE whence.dossiers SET notices = :notices, record_changed = :changed WHERE run_id = :run
""")


async def note(
    session: AsyncSession, run_id: UUID, notices: Sequence[str], *, record_changed: bool
) -> None:
    """Add to a run's dossier warnings for its reader, and whether its record changed."""
    values = {"run": run_id, "notices": list(notices), "changed": record_changed}
    await session.execute(_NOTE, values)


@dataclass(frozen=True)
class Dossier:
    """A saved dossier; `claims` are JSON, each with its cited evidence."""

    id: UUID
    run_id: UUID
    kind: str
    subject_id: UUID
    flow: str
    lane: str
    schema_version: int
    is_current: bool
    is_partial: bool
    summary: str
    body: dict[str, Any]
    created_at: datetime
    not_done: list[str]
    notices: list[str]
    subject_version: int | None
    record_changed: bool
    flow_version: str
    fallback: dict[str, Any] | None
    run_type: str
    parameters: dict[str, Any]
    is_whole: bool
    claims: list[dict[str, Any]]


_CLAIMS = claims.CLAIMS_OF.format(parent="c.dossier_id = d.id")
_READ = """
    SELECT d.id, d.run_id, d.kind, d.subject_id, d.flow, d.lane, d.schema_version, d.is_current,
        d.is_partial, d.summary, d.body, d.created_at, d.not_done, d.notices, d.subject_version,
        d.record_changed, r.flow_version, r.fallback, r.run_type, r.parameters, d.is_whole,
        {claims}
    FROM whence.dossiers d JOIN whence.runs r ON r.org_id = d.org_id AND r.id = d.run_id
    WHERE {where} ORDER BY d.created_at DESC, d.id DESC LIMIT :limit
"""


_CURRENT_RUN = """
    SELECT run_id FROM whence.dossiers WHERE is_current AND kind = %(kind)s
    AND subject_id = %(subject_id)s AND flow = %(flow)s AND lane = %(lane)s
"""


async def current(session: AsyncSession, lane: Lane) -> Dossier | None:
    """The current dossier of a lane, or None."""
    where = (
        "d.is_current AND d.kind = :kind AND d.subject_id = :subject_id "
        "AND d.flow = :flow AND d.lane = :lane"
    )
    values = asdict(lane) | {"limit": 1}
    row = (
        await session.execute(text(_READ.format(where=where, claims=_CLAIMS)), values)
    ).one_or_none()
    return Dossier(*row) if row else None


async def current_run(session: AsyncSession, lane: Lane) -> UUID | None:
    """The run that wrote the current dossier of a lane, or None."""
    row = await statements.row(session, _CURRENT_RUN, asdict(lane))
    return row[0] if row else None


async def of_run(session: AsyncSession, run_id: UUID) -> Dossier | None:
    """The dossier that a run wrote, or None."""
    values = {"run": run_id, "limit": 1}
    where = "d.run_id = :run"
    row = (
        await session.execute(text(_READ.format(where=where, claims=_CLAIMS)), values)
    ).one_or_none()
    return Dossier(*row) if row else None


async def last_whole(
    session: AsyncSession, lane: Lane, *, before: UUID | None = None
) -> Dossier | None:
    """The newest dossier of a lane that covers the whole record and was not cut short, or None.

    `before` is a run whose own dossier does not count.
    """
    where = (
        "d.kind = :kind AND d.subject_id = :subject_id AND d.flow = :flow AND d.lane = :lane "
        "AND d.is_whole AND NOT d.is_partial AND d.run_id IS DISTINCT FROM CAST(:before AS uuid)"
    )
    values = asdict(lane) | {"before": before, "limit": 1}
    row = (
        await session.execute(text(_READ.format(where=where, claims=_CLAIMS)), values)
    ).one_or_none()
    return Dossier(*row) if row else None


async def history(
    session: AsyncSession, lane: Lane, before: datetime | None, limit: int
) -> list[Dossier]:
    """Dossiers of a lane, newest first, made before `before`."""
    where = (
        "d.kind = :kind AND d.subject_id = :subject_id AND d.flow = :flow AND d.lane = :lane "
        "AND d.created_at < coalesce(:before, 'infinity'::timestamptz)"
    )
    values = asdict(lane) | {"before": before, "limit": limit}
    return [
        Dossier(*row)
        for row in await session.execute(text(_READ.format(where=where, claims=_CLAIMS)), values)
    ]
