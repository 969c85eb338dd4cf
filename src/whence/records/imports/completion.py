"""The end of every import: its importer's `finish`, and one line in the audit log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.records.imports.reports import get_import
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal

AUDITED = "imports"
"""The subject kind of imports in the audit log."""
Finish = Callable[[AsyncSession], Awaitable[None]]


async def complete(
    session: AsyncSession, who: Principal, import_id: UUID, finish: Finish | None
) -> None:
    """Call it once, in the transaction that sets an import's final status."""
    if finish:
        await finish(session)
    stored = await get_import(session, import_id)
    detail = {
        "importer": stored.name,
        "status": stored.status,
        "added": stored.added,
        "updated": stored.updated,
        "unchanged": stored.unchanged,
        "repeated": stored.repeated,
        "refused": stored.refused,
    }
    await audit(session, who, "import", AUDITED, import_id, detail)
