"""Cancel an import: at once if no batch is being written, otherwise after that batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Invalid
from whence.records.imports.completion import Finish, complete
from whence.records.imports.reports import StoredImport, get_import
from whence.records.imports.running import Importer
from whence.tenancy.principal import Principal, Scope

_HOLD = text("""
    SELECT name, status FROM whence.imports WHERE id = :id AND status IN ('waiting', 'running')
    FOR NO KEY UPDATE SKIP LOCKED
""")
_CANCEL = text("""
    UPDATE whence.imports SET status = 'cancelled', ended_at = now(), file = NULL WHERE id = :id
""")
_ASK_TO_CANCEL = text("""
    INSERT INTO whence.cancel_requests (id, requested_by)
    SELECT id, :user FROM whence.imports WHERE id = :id AND status IN ('waiting', 'running')
    ON CONFLICT DO NOTHING
""")


async def cancel(
    session: AsyncSession,
    who: Principal,
    importer_of: Callable[[str], Importer[Any]],
    import_id: UUID,
) -> StoredImport:
    """Stop an import before its next batch; what is written stays.  Raises NotFound.

    An import that has ended stays unchanged; one that is writing a batch ends after it.
    """
    who.require(Scope.WRITE)
    held = (await session.execute(_HOLD, {"id": import_id})).one_or_none()
    if held is None:
        await session.execute(_ASK_TO_CANCEL, {"id": import_id, "user": who.user_id})
    else:
        await session.execute(_CANCEL, {"id": import_id})
        has_written = held.status == "running"
        finish = _finish_of(importer_of, held.name) if has_written else None
        await complete(session, who, import_id, finish)
    return await get_import(session, import_id)


def _finish_of(importer_of: Callable[[str], Importer[Any]], name: str) -> Finish | None:
    try:
        return importer_of(name).finish
    except Invalid:
        return None  # its pack is no longer installed
