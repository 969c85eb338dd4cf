"""Writing the index, in the transaction that writes what is indexed.

Each posting holds how often its term occurs in its document and the document's length, so that
ranking reads postings only.  PostgreSQL's own text search cannot be used under row-level security:
its operators are not leakproof (ADR 0002).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements

BATCH = 1_000
"""Documents that one statement writes: quick, and small enough for memory."""
MAX_FREQUENCY = 32_767
"""The most that a posting can hold of a term's count."""
_REMOVE = """
    WITH removed AS (
        DELETE FROM whence.search_documents
        WHERE collection = %(collection)s AND document_id = ANY(%(ids)s)
        RETURNING document_id, terms
    ), postings AS (
        DELETE FROM whence.search_postings p USING removed, unnest(removed.terms) AS t (term)
        WHERE p.collection = %(collection)s AND p.term = t.term
            AND p.document_id = removed.document_id
    )
    SELECT count(*) FROM removed
"""
_ADD = """
    WITH document AS MATERIALIZED (
        SELECT (SELECT whence.current_org()) AS org_id, id, length,
            string_to_array(terms, ' ') AS terms,
            CAST(string_to_array(frequencies, ' ') AS smallint[]) AS frequencies
        FROM unnest(
            CAST(%(ids)s AS uuid[]), CAST(%(lengths)s AS int[]), CAST(%(terms)s AS text[]),
            CAST(%(frequencies)s AS text[])
        ) AS d (id, length, terms, frequencies)
    ), kept AS (
        INSERT INTO whence.search_documents (org_id, collection, document_id, length, terms)
        SELECT org_id, %(collection)s, id, length, terms FROM document
    )
    INSERT INTO whence.search_postings (org_id, collection, term, document_id, frequency, length)
    SELECT d.org_id, %(collection)s, t.term, d.id, t.frequency, d.length
    FROM document d, unnest(d.terms, d.frequencies) AS t (term, frequency)
"""
_COUNT = """
    WITH counted AS (
        SELECT term, count(*)::int AS documents FROM whence.search_postings
        WHERE collection = %(collection)s GROUP BY term
        UNION ALL
        SELECT '', count(*)::int FROM whence.search_documents WHERE collection = %(collection)s
    ), stale AS (
        DELETE FROM whence.search_counts
        WHERE collection = %(collection)s AND term NOT IN (SELECT term FROM counted)
    )
    INSERT INTO whence.search_counts (org_id, collection, term, documents)
    SELECT whence.current_org(), %(collection)s, term, documents FROM counted
    ON CONFLICT (org_id, collection, term) DO UPDATE SET documents = excluded.documents
    WHERE search_counts.documents <> excluded.documents
"""


async def put(
    session: AsyncSession,
    collection: str,
    documents: Mapping[UUID, Mapping[str, int]],
    *,
    are_new: bool = False,
) -> None:
    """Index documents by their terms and how often each occurs; earlier entries are replaced.

    A term holds no space.  `are_new`: none of them was indexed before, which saves looking.
    """
    if not documents:
        return
    if not are_new:
        await remove(session, collection, list(documents))
    counts = [[min(n, MAX_FREQUENCY) for n in terms.values()] for terms in documents.values()]
    values = {
        "collection": collection,
        "ids": list(documents),
        "lengths": [sum(terms.values()) for terms in documents.values()],
        "terms": [" ".join(terms) for terms in documents.values()],
        "frequencies": [" ".join(map(str, each)) for each in counts],
    }
    await statements.rows(session, _ADD, values)


async def remove(session: AsyncSession, collection: str, ids: Sequence[UUID]) -> int:
    """Take documents out of the index: how many were in it."""
    if not ids:
        return 0
    values = {"collection": collection, "ids": list(ids)}
    [(removed,)] = await statements.rows(session, _REMOVE, values)
    return int(removed)


async def count_terms(session: AsyncSession, collection: str) -> None:
    """Store in how many documents each term occurs, for `likeness`.

    It reads the whole collection: call it once after many documents were written, such as at the
    end of an import.  Two of one collection at once need a lock of the caller's.
    """
    await statements.rows(session, _COUNT, {"collection": collection})
