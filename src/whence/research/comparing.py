"""Read the dossiers of two lanes and compare them, for one record or many."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence import dossiers
from whence.evidence.dossiers import Dossier, Lane
from whence.evidence.lanes import LaneName
from whence.evidence.wire import ClaimAnswer
from whence.kernel.errors import NotFound
from whence.research.difference import (
    ClaimSide,
    Comparison,
    Difference,
    Figures,
    Pair,
    RunResult,
    Version,
    compared,
    totalled,
)

MOST_RECORDS = 1000
"""Most records in one report: enough for a decision, and read within seconds."""
_SPENT = text("""
    SELECT spent_seconds, spent_calls, spent_tokens, spent_usd FROM whence.work WHERE id = :run
""")
_IN_BOTH = text("""
    SELECT a.subject_id FROM whence.dossiers a JOIN whence.dossiers b
        ON b.org_id = a.org_id AND b.kind = a.kind AND b.subject_id = a.subject_id
        AND b.flow = a.flow AND b.lane = :lane AND b.is_current
    WHERE a.kind = :kind AND a.flow = :flow AND a.lane = 'primary' AND a.is_current
    ORDER BY b.created_at DESC LIMIT :limit
""")


_HAS_BOTH = text("""
    SELECT count(DISTINCT lane) = 2 FROM whence.dossiers
    WHERE kind = :kind AND subject_id = :subject AND flow = :flow AND is_current
        AND lane IN (:primary, :shadow)
""")


class NothingToCompare(NotFound):
    """This record has no dossier in both lanes; run a version of the flow in the shadow first."""


async def can_compare(session: AsyncSession, kind: str, subject_id: UUID, flow: str) -> bool:
    """Whether a record has a current dossier in both lanes."""
    lanes = {"primary": LaneName.PRIMARY.value, "shadow": LaneName.SHADOW.value}
    values = {"kind": kind, "subject": subject_id, "flow": flow, **lanes}
    return bool(await session.scalar(_HAS_BOTH, values))


async def difference(session: AsyncSession, kind: str, subject_id: UUID, flow: str) -> Difference:
    """Compare a record's current shadow dossier with the primary one.

    Raises NothingToCompare if one of them is missing.
    """
    pair = await _pair(session, Lane(kind, subject_id, flow))
    if pair is None:
        raise NothingToCompare
    return compared(pair)


async def comparison(session: AsyncSession, kind: str, flow: str, limit: int) -> Comparison:
    """Compare at most `limit` records that have both dossiers, newest shadow dossier first."""
    values = {"kind": kind, "flow": flow, "lane": LaneName.SHADOW, "limit": limit}
    subjects = list(await session.scalars(_IN_BOTH, values))
    pairs = [await _pair(session, Lane(kind, subject, flow)) for subject in subjects]
    return totalled(pair for pair in pairs if pair is not None)


async def _pair(session: AsyncSession, lane: Lane) -> Pair | None:
    base = await dossiers.current(session, lane)
    other = await dossiers.current(
        session, Lane(lane.kind, lane.subject_id, lane.flow, LaneName.SHADOW)
    )
    if base is None or other is None:
        return None
    return Pair(await _result_of(session, base), await _result_of(session, other))


async def _result_of(session: AsyncSession, dossier: Dossier) -> RunResult:
    seconds, calls, tokens, usd = (await session.execute(_SPENT, {"run": dossier.run_id})).one()
    version = Version(
        job_id=dossier.run_id,
        dossier_id=dossier.id,
        flow_version=dossier.flow_version,
        lane=LaneName(dossier.lane),
        is_partial=dossier.is_partial,
        subject_version=dossier.subject_version,
        created_at=dossier.created_at,
        spent=Figures(seconds=seconds, calls=calls, tokens=tokens, usd=usd),
    )
    claims = [ClaimAnswer.model_validate(claim) for claim in dossier.claims]
    return RunResult(version, {claim.path: _side(claim) for claim in claims})


def _side(claim: ClaimAnswer) -> ClaimSide:
    return ClaimSide(
        statement=claim.statement,
        value=claim.value,
        confidence=claim.confidence,
        verdict=claim.verdict,
        method=claim.method,
        evidence=frozenset(cite.evidence_id for cite in claim.evidence),
    )
