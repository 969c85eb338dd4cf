"""Sections: parts of a dossier that are saved as soon as they are done, each with its versions.

One section of a dossier can be researched again without the others: saving it raises only its own
version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.statements import storable, storable_text
from whence.evidence import claims
from whence.evidence.dossiers import Lane
from whence.evidence.records import Recompute, SectionDraft
from whence.kernel.clock import now
from whence.kernel.ids import new_id

_PLACE = "kind = %(kind)s AND subject_id = %(subject_id)s AND flow = %(flow)s AND lane = %(lane)s"
_LOCK = """
    SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'section', whence.current_org(),
        %(kind)s::text, %(subject_id)s::uuid, %(flow)s::text, %(lane)s::text, %(name)s::text), 0))
"""
"""Without this lock, two runs that save one section at once would use the same version."""
_RETIRE = f"""
    UPDATE whence.sections SET is_current = false
    WHERE is_current AND {_PLACE} AND name = %(name)s AND run_id <> %(run)s
"""
_SAVE = f"""
    INSERT INTO whence.sections (org_id, id, run_id, kind, subject_id, flow, lane, name, version,
                                 is_current, title, summary, body, created_at)
    VALUES (whence.current_org(), %(id)s, %(run)s, %(kind)s, %(subject_id)s, %(flow)s, %(lane)s,
        %(name)s, (SELECT coalesce(max(version), 0) + 1 FROM whence.sections
                   WHERE {_PLACE} AND name = %(name)s),
        true, %(title)s, %(summary)s, %(body)s, %(at)s)
    ON CONFLICT (org_id, run_id, name) DO UPDATE SET is_current = true, title = excluded.title,
        summary = excluded.summary, body = excluded.body, created_at = excluded.created_at
    RETURNING id, version
"""
_CURRENT = f"""
    SELECT s.name, s.title, s.version, s.run_id, s.summary, s.body, s.created_at,
        {claims.CLAIMS_OF.format(parent="c.section_id = s.id")}
    FROM whence.sections s WHERE s.is_current AND {_PLACE} ORDER BY s.name
"""


@dataclass(frozen=True)
class Section:
    """A saved section; `claims` are JSON, each with its cited evidence."""

    name: str
    title: str
    version: int
    run_id: UUID
    summary: str
    body: dict[str, Any]
    created_at: datetime
    claims: list[dict[str, Any]]


async def save(
    session: AsyncSession,
    run_id: UUID,
    lane: Lane,
    draft: SectionDraft,
    recomputations: Mapping[str, Recompute],
) -> int:
    """Check and save a section and make it current; returns its version.

    Saving it again for the same run replaces it and keeps its version.
    """
    checked = await claims.checked(session, run_id, draft.claims, recomputations)
    values = asdict(lane) | {
        "id": new_id(),
        "run": run_id,
        "name": draft.name,
        "title": storable_text(draft.title),
        "summary": storable_text(draft.summary),
        "body": storable(dict(draft.body)),
        "at": now(),
    }
    await statements.rows(session, _LOCK, values)
    await statements.rows(session, _RETIRE, values)
    [(section_id, version)] = await statements.rows(session, _SAVE, values)
    await claims.replace_claims(session, "section", section_id, checked)
    return version


async def current(session: AsyncSession, lane: Lane) -> list[Section]:
    """The current sections of a lane by name."""
    return [Section(*row) for row in await statements.rows(session, _CURRENT, asdict(lane))]
