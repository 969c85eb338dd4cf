"""A figure of every record's current dossier, for pages that rank or add up what research found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.load_record_view import FLOW
from whence.evidence.lanes import LaneName
from whence.records.kind import SubjectKind

_FIGURES = text("""
    SELECT d.subject_id, (c.value #>> '{}')::float8, d.body #>> CAST(:unit AS text[])
    FROM whence.dossiers d JOIN whence.claims c ON c.org_id = d.org_id AND c.dossier_id = d.id
    WHERE d.kind = :kind AND d.flow = :flow AND d.lane = :lane AND d.is_current
        AND c.path = :path AND c.verdict = 'supported' AND jsonb_typeof(c.value) = 'number'
""")


@dataclass(frozen=True)
class CurrentFigure:
    """A figure that research concluded, with its unit."""

    value: float
    unit: str | None


async def current_figures(
    session: AsyncSession, kind: SubjectKind, path: str, unit: Sequence[str]
) -> Mapping[UUID, CurrentFigure]:
    """The claim at `path` of each record's current dossier, where its evidence supports it.

    `unit` is the way to the unit in the dossier's body: `("price", "currency")`.
    """
    values = {
        "kind": kind.kind,
        "flow": FLOW,
        "lane": LaneName.PRIMARY.value,
        "path": path,
        "unit": list(unit),
    }
    rows = await session.execute(_FIGURES, values)
    return {subject_id: CurrentFigure(value, unit) for subject_id, value, unit in rows}
