"""What lists show of the research of many records: a few claims of each current dossier."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.kernel.wire import Wire
from whence.records.display import Conclusion

_READ = """
    SELECT d.subject_id, d.run_id, d.created_at, d.is_partial, d.record_changed,
        (SELECT jsonb_object_agg(place, d.body #>> string_to_array(place, '.'))
            FROM unnest(%(units)s::text[]) place),
        (SELECT jsonb_object_agg(c.path, jsonb_build_object('value', c.value,
                'confidence', c.confidence, 'verdict', c.verdict))
            FROM whence.claims c WHERE c.dossier_id = d.id AND c.path = ANY (%(paths)s))
    FROM whence.dossiers d
    WHERE d.is_current AND d.kind = %(kind)s AND d.flow = %(flow)s AND d.lane = 'primary'
        AND d.subject_id = ANY (%(ids)s)
"""


class Concluded(Wire):
    """The value of one claim, as a list shows it."""

    path: str
    value: Any
    unit: str
    confidence: float
    verdict: Literal["supported", "unsupported"]


class RecordConclusions(Wire):
    """The telling claims of a record's current dossier, in the order the kind declares them."""

    id: UUID
    """The record."""
    job_id: UUID
    concluded_at: datetime
    is_partial: bool
    record_changed: bool
    """Whether the record changed while it was researched."""
    conclusions: list[Concluded]


async def conclusions(
    session: AsyncSession, kind: str, flow: str, ids: Sequence[UUID], shown: Sequence[Conclusion]
) -> list[RecordConclusions]:
    """The shown claims of those of the records that have been researched."""
    values = {
        "kind": kind,
        "flow": flow,
        "ids": list(ids),
        "paths": [each.path for each in shown],
        "units": [each.unit.field for each in shown if each.unit.field],
    }
    rows = await statements.rows(session, _READ, values)
    return [
        RecordConclusions(
            id=subject,
            job_id=run,
            concluded_at=at,
            is_partial=partial,
            record_changed=changed,
            conclusions=[
                Concluded(path=each.path, unit=_unit(each, units or {}), **claims[each.path])
                for each in shown
                if each.path in (claims or {})
            ],
        )
        for subject, run, at, partial, changed, units, claims in rows
    ]


def _unit(shown: Conclusion, units: dict[str, str | None]) -> str:
    return (units.get(shown.unit.field) if shown.unit.field else None) or shown.unit.text
