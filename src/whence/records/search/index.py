"""Writing the index, in the transaction that writes what is indexed.

A collection is what is searched together: the records of a kind, by the kind's name.  Each posting
holds how often its term stands in its document and the document's length, so that ranking (BM25)
reads postings only.  PostgreSQL's own text search cannot be used under row-level security: its
operators are not leakproof (ADR 0002).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.records.kind import SubjectKind
from whence.records.search.words import frequencies

BATCH = 1_000
"""Documents that one statement writes: quick, and small enough for memory."""
MOST_OFTEN = 32_767
"""What a posting can hold of a term's count."""
_REMOVE = text("""
    WITH gone AS (
        DELETE FROM whence.search_documents
        WHERE collection = :collection AND document_id = ANY(:ids) RETURNING document_id, terms
    )
    DELETE FROM whence.search_postings p USING gone, unnest(gone.terms) AS t (term)
    WHERE p.collection = :collection AND p.term = t.term AND p.document_id = gone.document_id
""")
_ADD = text("""
    WITH document AS MATERIALIZED (
        SELECT (SELECT whence.current_org()) AS org_id, id, length,
            string_to_array(terms, ' ') AS terms,
            CAST(string_to_array(frequencies, ' ') AS smallint[]) AS frequencies
        FROM unnest(
            CAST(:ids AS uuid[]), CAST(:lengths AS int[]), CAST(:terms AS text[]),
            CAST(:frequencies AS text[])
        ) AS d (id, length, terms, frequencies)
    ), kept AS (
        INSERT INTO whence.search_documents (org_id, collection, document_id, length, terms)
        SELECT org_id, :collection, id, length, terms FROM document
    )
    INSERT INTO whence.search_postings (org_id, collection, term, document_id, frequency, length)
    SELECT d.org_id, :collection, t.term, d.id, t.frequency, d.length
    FROM document d, unnest(d.terms, d.frequencies) AS t (term, frequency)
""")


async def put(
    session: AsyncSession,
    collection: str,
    documents: Mapping[UUID, Mapping[str, int]],
    *,
    are_new: bool = False,
) -> None:
    """Index documents by their terms and how often each stands there; what was indexed is replaced.

    A term holds no space.  `are_new`: none of them was indexed before, which saves looking.
    """
    if not documents:
        return
    if not are_new:
        await remove(session, collection, list(documents))
    counts = [[min(count, MOST_OFTEN) for count in each.values()] for each in documents.values()]
    values = {
        "collection": collection,
        "ids": list(documents),
        "lengths": [sum(terms.values()) for terms in documents.values()],
        "terms": [" ".join(terms) for terms in documents.values()],
        "frequencies": [" ".join(map(str, each)) for each in counts],
    }
    await session.execute(_ADD, values)


async def remove(session: AsyncSession, collection: str, ids: Sequence[UUID]) -> None:
    """Take documents out of the index; those that are not in it are passed over."""
    await session.execute(_REMOVE, {"collection": collection, "ids": list(ids)})


async def put_rows(
    session: AsyncSession, kind: SubjectKind, rows: Sequence[SubjectRow], *, are_new: bool = False
) -> None:
    """Index records by the columns that their kind's search looks into."""
    if kind.search:
        documents = {row.id: terms_of(kind, row) for row in rows}
        await put(session, kind.kind, documents, are_new=are_new)


async def reindex(
    session: AsyncSession, kind: SubjectKind, ids: Sequence[UUID], *, are_new: bool = False
) -> None:
    """Index records anew, for whoever wrote them other than through `records.store`.

    The records are held until the end; those that were deleted leave the index.  `are_new`: this
    transaction added them, which saves looking.
    """
    row = kind.row
    columns = [getattr(row, name) for name in kind.search]
    for start in range(0, len(ids), BATCH):
        batch = list(ids[start : start + BATCH])
        query = select(row.id, *columns).where(row.id.in_(batch), row.deleted_at.is_(None))
        held = query if are_new else query.with_for_update(read=True)
        rows = (await session.execute(held)).all()
        if columns:
            documents = await asyncio.to_thread(_all_terms, rows)
            await put(session, kind.kind, documents, are_new=are_new)
        if gone := set(batch) - {each.id for each in rows}:
            await remove(session, kind.kind, sorted(gone))


def terms_of(kind: SubjectKind, row: SubjectRow) -> Mapping[str, int]:
    """The terms of a record, and how often each stands in it."""
    return _terms([getattr(row, name) for name in kind.search])


def _terms(values: Iterable[object]) -> Mapping[str, int]:
    return frequencies(str(value) for value in values if value is not None)


def _all_terms(rows: Iterable[Sequence[Any]]) -> dict[UUID, Mapping[str, int]]:
    """The terms of rows of an id and the values that are searched."""
    return {row[0]: _terms(row[1:]) for row in rows}
