"""How the evidence of two runs of a record differs."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.kernel.wire import Wire

MAX_CHANGES = 500
"""Changes in one answer: more than anybody reads."""
_CHANGES = """
    SELECT e.id, e.title, e.source, a.included, b.included, a.reason, b.reason
    FROM (SELECT * FROM whence.bundle_items WHERE run_id = %(earlier)s) a
    FULL JOIN (SELECT * FROM whence.bundle_items WHERE run_id = %(later)s) b
        ON b.org_id = a.org_id AND b.evidence_id = a.evidence_id
    JOIN whence.evidence e ON e.org_id = whence.current_org()
        AND e.id = coalesce(a.evidence_id, b.evidence_id)
    WHERE a.included IS DISTINCT FROM b.included
    ORDER BY coalesce(b.included, a.included) DESC, e.title, e.id LIMIT %(most)s
"""

Standing = Literal["in", "out", "absent"]


class EvidenceChange(Wire):
    """A piece of evidence that stands differently in the later run."""

    evidence_id: UUID
    title: str
    source: str
    before: Standing
    after: Standing
    reason: str
    """Why the later run judged it so, or the earlier one where it is absent."""


async def evidence_changes(
    session: AsyncSession, earlier: UUID, later: UUID
) -> list[EvidenceChange]:
    """Evidence that is in, out or absent in one run and not in the other; at most 500."""
    values = {"earlier": earlier, "later": later, "most": MAX_CHANGES}
    return [
        EvidenceChange(
            evidence_id=key,
            title=title,
            source=source,
            before=_standing(was),
            after=_standing(now),
            reason=(reason if reason is not None else old_reason) or "",
        )
        for key, title, source, was, now, old_reason, reason in await statements.rows(
            session, _CHANGES, values
        )
    ]


def _standing(included: bool | None) -> Standing:
    return "absent" if included is None else "in" if included else "out"
