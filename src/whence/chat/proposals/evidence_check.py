"""Checks that a proposed change cites only the record's own evidence and claims."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Invalid

MAX_CITATIONS = 100
"""Pieces of evidence, and claims, that one proposal may cite; nobody reads more."""
_EVIDENCE = text("""
    SELECT DISTINCT b.evidence_id FROM whence.bundle_items b
    JOIN whence.runs r ON r.org_id = b.org_id AND r.id = b.run_id
    WHERE r.kind = :kind AND r.subject_id = :subject AND r.lane = 'primary'
    AND b.evidence_id = ANY(:ids)
""")
_CLAIMS = text("""
    SELECT DISTINCT c.path FROM whence.claims c
    JOIN whence.dossiers d ON d.org_id = c.org_id AND d.id = c.dossier_id
    WHERE d.kind = :kind AND d.subject_id = :subject AND d.is_current AND d.lane = 'primary'
    AND c.path = ANY(:paths)
""")


class NotCarried(Invalid):
    """This evidence or claim does not belong to the record."""


async def require_own_citations(
    session: AsyncSession,
    kind: str,
    subject_id: UUID,
    evidence: Sequence[UUID],
    claims: Sequence[str],
) -> None:
    """Raise NotCarried unless each is evidence of the record's research or a current claim."""
    if len(evidence) > MAX_CITATIONS or len(claims) > MAX_CITATIONS:
        raise NotCarried(
            f"A change may cite at most {MAX_CITATIONS} pieces of evidence and as many claims."
        )
    record = {"kind": kind, "subject": subject_id}
    missing: list[object] = []
    if evidence:
        own = set(await session.scalars(_EVIDENCE, {**record, "ids": list(evidence)}))
        missing += [evidence_id for evidence_id in evidence if evidence_id not in own]
    if claims:
        own = set(await session.scalars(_CLAIMS, {**record, "paths": list(claims)}))
        missing += [path for path in claims if path not in own]
    if missing:
        raise NotCarried(f"'{missing[0]}' is neither evidence nor a claim of this record.")
