"""Everything that belongs to a record or a person, as the sets of ids to erase by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

Sets = dict[str, list[str]]

_CLAIMS = """
    whence.claims c LEFT JOIN whence.dossiers d ON d.org_id = c.org_id AND d.id = c.dossier_id
    LEFT JOIN whence.sections s ON s.org_id = c.org_id AND s.id = c.section_id
"""
_OF_RECORD = {
    "runs": "SELECT id FROM whence.runs WHERE subject_id = ANY (:ids)",
    "work": "SELECT id FROM whence.runs WHERE subject_id = ANY (:ids)",
    "dossiers": "SELECT id FROM whence.dossiers WHERE subject_id = ANY (:ids)",
    "sections": "SELECT id FROM whence.sections WHERE subject_id = ANY (:ids)",
    "claims": f"""
        SELECT c.id FROM {_CLAIMS} WHERE coalesce(d.subject_id, s.subject_id) = ANY (:ids)
    """,
    "used": f"""
        SELECT b.evidence_id FROM whence.bundle_items b
        JOIN whence.runs r ON r.org_id = b.org_id AND r.id = b.run_id
        WHERE r.subject_id = ANY (:ids)
        UNION SELECT ce.evidence_id FROM {_CLAIMS}
        JOIN whence.claim_evidence ce ON ce.org_id = c.org_id AND ce.claim_id = c.id
        WHERE coalesce(d.subject_id, s.subject_id) = ANY (:ids)
        UNION SELECT unnest(p.evidence) FROM whence.proposals p WHERE p.subject_id = ANY (:ids)
    """,
    "own_evidence": "SELECT id FROM whence.evidence WHERE whence.ids_in(source_id) && :ids",
    "conversations": """
        SELECT id FROM whence.chat_sessions
        WHERE subject_id = ANY (:ids) OR whence.ids_in(page::text) && :ids
    """,
    "wizards": """
        SELECT id FROM whence.wizard_runs
        WHERE subject_id = ANY (:ids) OR whence.ids_in(known::text) && :ids
        OR chat_session_id IN (
            SELECT id FROM whence.chat_sessions WHERE subject_id = ANY (:ids))
    """,
    "proposals": "SELECT id FROM whence.proposals WHERE subject_id = ANY (:ids)",
    "files": """
        SELECT digest FROM whence.attachments WHERE subject_id = ANY (:ids)
        UNION SELECT i.digest FROM whence.imports i
        JOIN whence.import_rows r ON r.org_id = i.org_id AND r.import_id = i.id
        WHERE r.record_id = ANY (:ids)
    """,
}
_SHARED = text(f"""
    SELECT b.evidence_id FROM whence.bundle_items b
    JOIN whence.runs r ON r.org_id = b.org_id AND r.id = b.run_id
    WHERE r.subject_id <> ALL (:ids) AND b.evidence_id = ANY (CAST(:used AS uuid[]))
    UNION SELECT ce.evidence_id FROM {_CLAIMS}
    JOIN whence.claim_evidence ce ON ce.org_id = c.org_id AND ce.claim_id = c.id
    WHERE coalesce(d.subject_id, s.subject_id) <> ALL (:ids)
        AND ce.evidence_id = ANY (CAST(:used AS uuid[]))
    UNION SELECT e FROM whence.proposals p, unnest(p.evidence) AS e
    WHERE p.subject_id <> ALL (:ids) AND e = ANY (CAST(:used AS uuid[]))
""")
_OF_PERSON = {
    "conversations": "SELECT id FROM whence.chat_sessions WHERE user_id = ANY (:ids)",
    "wizards": "SELECT id FROM whence.wizard_runs WHERE user_id = ANY (:ids)",
    "proposals": "SELECT id FROM whence.proposals WHERE user_id = ANY (:ids)",
    "invitations": """
        SELECT i.id FROM whence.invitations i
        JOIN whence.users u ON lower(u.email) = lower(i.email) WHERE u.id = ANY (:ids)
    """,
}
# What writes about a record holds one of these for its transaction; in the order of its writers.
_HELD = (
    "SELECT id FROM whence.wizard_runs WHERE subject_id = ANY (:ids) ORDER BY id FOR UPDATE",
    "SELECT id FROM whence.chat_sessions WHERE subject_id = ANY (:ids) ORDER BY id FOR UPDATE",
    """
    SELECT id FROM whence.work w WHERE EXISTS (SELECT FROM whence.runs r
        WHERE r.org_id = w.org_id AND r.id = w.id AND r.subject_id = ANY (:ids))
    ORDER BY id FOR UPDATE
    """,
)


@dataclass(frozen=True)
class OfRecord:
    """Everything that belongs to a record and its dependents."""

    sets: Sets
    shared: Sequence[str]
    """Evidence that other research also uses; it stays."""


async def hold(session: AsyncSession, records: Sequence[UUID]) -> None:
    """Make every run, conversation and wizard about these records wait for this transaction."""
    for query in _HELD:
        await session.execute(text(query), {"ids": list(records)})


async def of_record(session: AsyncSession, records: Sequence[UUID]) -> OfRecord:
    """The sets of records that are erased together."""
    sets = await _sets(session, _OF_RECORD, records)
    used = sets.pop("used")
    users = await session.scalars(_SHARED, {"ids": list(records), "used": used})
    shared = {str(each) for each in users} - set(sets["own_evidence"])
    sets["record"] = [str(each) for each in records]
    sets["evidence"] = [each for each in used if each not in shared]
    return OfRecord(_with_streams(sets), sorted(shared))


async def of_person(session: AsyncSession, person: UUID) -> Sets:
    """The sets of a person."""
    sets = await _sets(session, _OF_PERSON, [person])
    return _with_streams(sets | {"person": [str(person)]})


async def _sets(session: AsyncSession, queries: dict[str, str], subjects: Sequence[UUID]) -> Sets:
    values = {"ids": list(subjects)}
    return {
        name: [str(each) for each in await session.scalars(text(query), values)]
        for name, query in queries.items()
    }


def _with_streams(sets: Sets) -> Sets:
    conversations = sets["conversations"]
    streams = [*sets.get("work", []), *conversations]
    return sets | {"streams": streams, "spending": [f"session {each}" for each in conversations]}
