"""Stores evidence and a run's judgement of it, in the caller's (fenced) transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.statements import storable, storable_text
from whence.evidence.records import BundledEvidence, Evidence, Finding, Judgement
from whence.kernel.clock import now
from whence.kernel.errors import Invalid
from whence.kernel.ids import new_id

_KEEP = text("""
    INSERT INTO whence.evidence (org_id, id, source, source_id, url, title, content, data,
                                 content_hash, observed_at, fetched_at)
    SELECT whence.current_org(), f.* FROM jsonb_to_recordset(:rows) AS f (
        id uuid, source text, source_id text, url text, title text, content text, data jsonb,
        content_hash text, observed_at timestamptz, fetched_at timestamptz)
    ON CONFLICT (org_id, source, source_id, content_hash) DO NOTHING
""").bindparams(bindparam("rows", type_=JSONB))

_FIND = text("""
    SELECT e.id, e.source, e.source_id, e.content_hash FROM whence.evidence e
    JOIN jsonb_to_recordset(:rows) AS f (source text, source_id text, content_hash text)
      ON e.source = f.source AND e.source_id = f.source_id AND e.content_hash = f.content_hash
    WHERE e.org_id = whence.current_org()
""").bindparams(bindparam("rows", type_=JSONB))

_JUDGE = text("""
    INSERT INTO whence.bundle_items (org_id, run_id, evidence_id, role, relevance, included, reason)
    SELECT whence.current_org(), :run, j.* FROM jsonb_to_recordset(:rows) AS j (
        evidence_id uuid, role text, relevance double precision, included boolean, reason text)
    ON CONFLICT (org_id, run_id, evidence_id) DO UPDATE SET role = excluded.role,
        relevance = excluded.relevance, included = excluded.included, reason = excluded.reason
""").bindparams(bindparam("rows", type_=JSONB))

_BUNDLE = """
    SELECT e.id, e.source, e.source_id, e.url, e.title, e.content, e.data, e.observed_at,
           e.fetched_at, b.role, b.included, b.reason, b.relevance
    FROM whence.bundle_items b
    JOIN whence.evidence e ON e.org_id = b.org_id AND e.id = b.evidence_id
    WHERE b.run_id = :run {where}
    ORDER BY b.included DESC, b.relevance DESC NULLS LAST, e.source, e.source_id, e.id
"""


_PAGE = """
    WITH page AS (
        SELECT b.evidence_id, b.role, b.included, b.reason, b.relevance, row_number() OVER (
            ORDER BY b.included DESC, b.relevance DESC NULLS LAST, e.source, e.source_id, e.id
        ) AS place
        FROM whence.bundle_items b
        JOIN whence.evidence e ON e.org_id = b.org_id AND e.id = b.evidence_id
        WHERE b.run_id = %(run)s AND b.included = coalesce(%(included)s, b.included)
        ORDER BY place LIMIT %(limit)s OFFSET %(start)s
    )
    SELECT e.id, e.source, e.source_id, e.url, e.title, e.content, e.data, e.observed_at,
           e.fetched_at, p.role, p.included, p.reason, p.relevance
    FROM page p JOIN whence.evidence e ON e.org_id = whence.current_org() AND e.id = p.evidence_id
    ORDER BY p.place
"""
"""The contents are read only for the rows of the page."""

MAX_SOURCE_BYTES = 200
MAX_SOURCE_ID_BYTES = 2_000
"""Both identify a finding, and a key of PostgreSQL's index holds at most 2,704 bytes."""


class SourceIdTooLong(Invalid):
    """The source id of a finding is too long to be indexed; use a digest of it."""


async def keep(session: AsyncSession, findings: Sequence[Finding]) -> list[UUID]:
    """Store findings, each once, and return their evidence ids in the same order.

    A finding that is already stored (same source, source id and content) keeps its first row.
    Raises SourceIdTooLong.
    """
    if not findings:
        return []
    rows = [_row(_cleaned(finding)) for finding in findings]
    # In one order for everybody: two runs that keep the same findings would lock each other out.
    await session.execute(_KEEP, {"rows": sorted(rows, key=_address)})
    stored = await session.execute(_FIND, {"rows": rows})
    ids: dict[tuple[str, ...], UUID] = {
        (source, source_id, digest): key for key, source, source_id, digest in stored
    }
    return [ids[_address(row)] for row in rows]


def _cleaned(finding: Finding) -> Finding:
    for name, value, most in (
        ("source", finding.source, MAX_SOURCE_BYTES),
        ("source id", finding.source_id, MAX_SOURCE_ID_BYTES),
    ):
        if len(value.encode(errors="replace")) > most:
            raise SourceIdTooLong(
                f"The {name} of a finding is longer than {most:,} bytes ('{value[:40]}…'); "
                "use a digest of it."
            )
    return replace(
        finding,
        source_id=storable_text(finding.source_id),
        title=storable_text(finding.title),
        content=storable_text(finding.content),
        data=storable(finding.data),
        url=None if finding.url is None else storable_text(finding.url),
    )


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "id": str(new_id()),
        "source": finding.source,
        "source_id": finding.source_id,
        "url": finding.url,
        "title": finding.title,
        "content": finding.content,
        "data": finding.data,
        "content_hash": finding.content_hash,
        "observed_at": finding.observed_at.isoformat() if finding.observed_at else None,
        "fetched_at": now().isoformat(),
    }


def _address(row: Mapping[str, Any]) -> tuple[str, ...]:
    return row["source"], row["source_id"], row["content_hash"]


async def judge(session: AsyncSession, run_id: UUID, judgements: Sequence[Judgement]) -> None:
    """Put evidence into the run's bundle; a new judgement replaces an earlier one."""
    latest = {j.evidence_id: j for j in judgements}
    rows: list[dict[str, Any]] = [
        {
            "evidence_id": str(j.evidence_id),
            "role": j.role,
            "relevance": j.relevance,
            "included": j.included,
            "reason": storable_text(j.reason),
        }
        for j in latest.values()
    ]
    if rows:
        await session.execute(_JUDGE, {"run": run_id, "rows": rows})


async def bundle(
    session: AsyncSession,
    run_id: UUID,
    role: str | None = None,
    only: Collection[UUID] | None = None,
) -> list[BundledEvidence]:
    """The run's evidence with its judgements: included first, then by relevance."""
    where, values = "", {"run": run_id}
    if role is not None:
        where += " AND b.role = :role"
        values |= {"role": role}
    if only is not None:
        where += " AND b.evidence_id = ANY(:only)"
        values |= {"only": list(only)}
    rows = await session.execute(text(_BUNDLE.format(where=where)), values)
    return [_bundled(tuple(row)) for row in rows]


_OF_RECORD = """
    SELECT b.run_id FROM whence.bundle_items b
    JOIN whence.runs r ON r.org_id = b.org_id AND r.id = b.run_id
    JOIN whence.work w ON w.org_id = r.org_id AND w.id = r.id
    LEFT JOIN whence.dossiers d ON d.org_id = r.org_id AND d.run_id = r.id AND d.is_current
    WHERE b.evidence_id = %(evidence)s AND r.kind = %(kind)s AND r.subject_id = %(subject_id)s
        AND r.flow = %(flow)s AND r.lane = %(lane)s AND r.id = coalesce(%(run)s, r.id)
    ORDER BY d.id IS NULL, w.created_at DESC LIMIT 1
"""


async def one(
    session: AsyncSession, evidence_id: UUID, place: Mapping[str, Any], run_id: UUID | None = None
) -> tuple[UUID, BundledEvidence] | None:
    """A piece of a record's evidence, with the run that judged it; None if it is not the record's.

    `place` has the fields of a `dossiers.Lane`. Without `run_id`, the run of the current dossier
    counts, otherwise the last one that used it.
    """
    values = {**place, "evidence": evidence_id, "run": run_id}
    row = await statements.row(session, _OF_RECORD, values)
    if row is None:
        return None
    [item] = await bundle(session, row[0], only=[evidence_id])
    return row[0], item


async def page(
    session: AsyncSession, run_id: UUID, *, included: bool | None, start: int, limit: int
) -> list[BundledEvidence]:
    """Some of the run's evidence, from `start`, in the order of `bundle`."""
    values = {"run": run_id, "included": included, "start": start, "limit": limit}
    return [_bundled(row) for row in await statements.rows(session, _PAGE, values)]


def _bundled(row: tuple[Any, ...]) -> BundledEvidence:
    evidence = Evidence(*row[:9])
    role, included, reason, relevance = row[9:]
    return BundledEvidence(evidence, Judgement(evidence.id, role, included, reason, relevance))
