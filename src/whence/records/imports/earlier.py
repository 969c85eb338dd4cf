"""Earlier imports of the same file, or of files with the same columns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

LOOKED_AT = 50
"""Imports whose columns are compared, the newest first."""
_SAME_FILE = text("""
    SELECT o.id, o.filename, o.created_at, o.mapping FROM whence.imports i
    JOIN whence.imports o ON o.name = i.name AND o.digest = i.digest AND o.id <> i.id
    WHERE i.id = :id AND o.status <> 'draft' AND o.undone_at IS NULL
    ORDER BY o.created_at DESC LIMIT 1
""")
_CHOSEN = text("""
    SELECT o.id, o.filename, o.created_at, o.mapping, o.report FROM whence.imports i
    JOIN whence.imports o ON o.name = i.name AND o.id <> i.id
    WHERE i.id = :id AND o.status <> 'draft' AND o.mapping <> CAST('{}' AS jsonb)
    ORDER BY o.created_at DESC LIMIT :most
""")


@dataclass(frozen=True)
class EarlierImport:
    """An import that was started before, and the columns that a person chose for it."""

    id: UUID
    filename: str
    at: datetime
    mapping: dict[str, str]


async def of_same_file(session: AsyncSession, import_id: UUID) -> EarlierImport | None:
    """The last import of a file with the same content that was not undone."""
    row = (await session.execute(_SAME_FILE, {"id": import_id})).one_or_none()
    return EarlierImport(*row) if row else None


async def with_same_columns(
    session: AsyncSession, import_id: UUID, headers: Collection[str]
) -> EarlierImport | None:
    """The last import with these headers for which a person chose columns."""
    values = {"id": import_id, "most": LOOKED_AT}
    for id_, filename, at, mapping, report in await session.execute(_CHOSEN, values):
        named = {*report.get("mapping", {}), *report.get("ignored", ())}
        if {header for header in named if header} == set(headers):
            return EarlierImport(id_, filename, at, mapping)
    return None
