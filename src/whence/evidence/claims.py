"""Stores claims with their citations, for a dossier or one of its sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable
from whence.evidence.checks import CheckedClaim, check
from whence.evidence.records import ClaimDraft, Recompute
from whence.evidence.store import bundle
from whence.kernel.ids import new_id

Place = Literal["dossier", "section"]
_CLAIM = text("""
    INSERT INTO whence.claims (org_id, id, dossier_id, section_id, path, statement, value,
                               confidence, method, verdict, note)
    SELECT whence.current_org(), c.id, :dossier, :section, c.path, c.statement,
           coalesce(c.value, 'null'), c.confidence, c.method, c.verdict, c.note
    FROM jsonb_to_recordset(:rows) AS c (id uuid, path text, statement text, value jsonb,
        confidence double precision, method text, verdict text, note text)
""").bindparams(bindparam("rows", type_=JSONB))
_CITE = text("""
    INSERT INTO whence.claim_evidence (org_id, claim_id, evidence_id, ordinal, quote, starts_at,
                                       ends_at)
    SELECT whence.current_org(), c.* FROM jsonb_to_recordset(:rows) AS c (claim_id uuid,
        evidence_id uuid, ordinal int, quote text, starts_at int, ends_at int)
""").bindparams(bindparam("rows", type_=JSONB))
_CLEAR = text("DELETE FROM whence.claims WHERE dossier_id = :dossier OR section_id = :section")
CLAIMS_OF = """
    coalesce((SELECT jsonb_agg(jsonb_build_object(
        'path', c.path, 'statement', c.statement, 'value', c.value,
        'confidence', c.confidence, 'method', c.method, 'verdict', c.verdict, 'note', c.note,
        'evidence', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                'evidenceId', x.evidence_id, 'quote', x.quote,
                'startsAt', x.starts_at, 'endsAt', x.ends_at)) ORDER BY x.ordinal), '[]')
            FROM whence.claim_evidence x WHERE x.claim_id = c.id)) ORDER BY c.path)
        FROM whence.claims c WHERE {parent}), '[]')
"""
"""An SQL expression for the claims of a parent as JSON, each with its cited evidence."""


async def checked(
    session: AsyncSession,
    run_id: UUID,
    claims: Sequence[ClaimDraft],
    recomputations: Mapping[str, Recompute],
) -> list[CheckedClaim]:
    """The claims, each checked against the evidence in the run's bundle."""
    cited = {cite.evidence_id for claim in claims for cite in claim.cites}
    evidence = {item.evidence.id: item for item in await bundle(session, run_id, only=cited)}
    return [check(claim, evidence, recomputations) for claim in claims]


async def replace_claims(
    session: AsyncSession, place: Place, parent: UUID, claims: Sequence[CheckedClaim]
) -> None:
    """Replace the claims of a dossier or a section."""
    where = {"dossier": None, "section": None, place: parent}
    await session.execute(_CLEAR, where)
    rows: list[dict[str, Any]] = []
    cites: list[dict[str, Any]] = []
    for item in claims:
        claim_id = str(new_id())
        draft = item.draft
        rows.append(
            {
                "id": claim_id,
                "path": draft.path,
                "statement": draft.statement,
                "value": draft.value,
                "confidence": draft.confidence,
                "method": draft.method,
                "verdict": item.verdict.value,
                "note": draft.note,
            }
        )
        cites += [
            {"claim_id": claim_id, "ordinal": ordinal}
            | asdict(cite)
            | {"evidence_id": str(cite.evidence_id)}
            for ordinal, cite in enumerate(item.cites)
        ]
    if rows:
        await session.execute(_CLAIM, where | {"rows": storable(rows)})
    if cites:
        await session.execute(_CITE, {"rows": storable(cites)})
