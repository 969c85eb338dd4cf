"""Records in the search index: each kind is a collection by its own name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Table, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.text import digest
from whence.records.kind import SubjectKind
from whence.search import index
from whence.search.collection import Collection
from whence.search.words import WORDS_VERSION, frequencies

MANY = 100
"""Records from which on writing them may leave the planner with wrong statistics."""
_ANALYZE = text("""
    SELECT whence.analyze_grown(CAST(
        ARRAY[:table, 'whence.search_documents', 'whence.search_postings'] AS regclass[]))
""")


def collection_of(kind: SubjectKind) -> Collection:
    """A kind's records by the columns that its search covers; other columns need another index."""

    async def index_after(session: AsyncSession, after: UUID, limit: int) -> Sequence[UUID]:
        row = kind.row
        query = select(row.id).where(row.id > after, row.deleted_at.is_(None)).order_by(row.id)
        batch = list(await session.scalars(query.limit(limit)))
        await reindex(session, kind, batch)
        return batch

    definition = digest({"words": WORDS_VERSION, "columns": list(kind.search)})
    return Collection(kind.kind, definition, index_after)


async def put_rows(
    session: AsyncSession, kind: SubjectKind, rows: Sequence[SubjectRow], *, are_new: bool = False
) -> None:
    """Index records by the columns that their kind's search covers."""
    if kind.search:
        documents = {row.id: terms_of(kind, row) for row in rows}
        await index.put(session, kind.kind, documents, are_new=are_new)


async def reindex(
    session: AsyncSession, kind: SubjectKind, ids: Sequence[UUID], *, are_new: bool = False
) -> None:
    """Index records again, for whoever wrote them other than through `records.store`.

    The records are locked until the end; those that were deleted leave the index.  `are_new`: this
    transaction added them, which saves looking.
    """
    row = kind.row
    columns = [getattr(row, name) for name in kind.search]
    for start in range(0, len(ids), index.BATCH):
        batch = list(ids[start : start + index.BATCH])
        query = select(row.id, *columns).where(row.id.in_(batch), row.deleted_at.is_(None))
        locked = query if are_new else query.with_for_update(read=True)
        rows = (await session.execute(locked)).all()
        if columns:
            documents = await asyncio.to_thread(_all_terms, rows)
            await index.put(session, kind.kind, documents, are_new=are_new)
        if deleted := set(batch) - {each.id for each in rows}:
            await index.remove(session, kind.kind, sorted(deleted))
    if len(ids) >= MANY:
        table = cast("Table", row.__table__)
        await session.execute(_ANALYZE, {"table": table.fullname})


def terms_of(kind: SubjectKind, row: SubjectRow) -> Mapping[str, int]:
    """The terms of a record, and how often each occurs in it."""
    return _terms([getattr(row, name) for name in kind.search])


def _terms(values: Iterable[object]) -> Mapping[str, int]:
    return frequencies(str(value) for value in values if value is not None)


def _all_terms(rows: Iterable[Sequence[Any]]) -> dict[UUID, Mapping[str, int]]:
    """The terms of rows of an id and the values that are searched."""
    return {row[0]: _terms(row[1:]) for row in rows}
