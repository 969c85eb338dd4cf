"""Cancel an import: at once, or, if something is left to finish, by a worker.

An importer's `finish` is code of a pack and may take long: the request to cancel only records that
the import is to end.  The process that writes the import ends it after its batch, or a worker does.
"""

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

_HOLD = """
    SELECT name, status FROM whence.imports WHERE id = :id AND status IN ('waiting', 'running')
    FOR NO KEY UPDATE
"""
_HOLD_IF_FREE = text(f"{_HOLD} SKIP LOCKED")
_WAIT_AND_HOLD = text(_HOLD)
_CANCEL = text("""
    UPDATE whence.imports SET status = 'cancelled', ended_at = now() WHERE id = :id
""")
_REQUEST = text("""
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

    An import that has ended stays unchanged.  One in the returned status `waiting` or `running` is
    ended by the process that writes it, or by `end_cancelled`, which the caller has to queue.
    """
    who.require(Scope.WRITE)
    held = (await session.execute(_HOLD_IF_FREE, {"id": import_id})).one_or_none()
    if held is not None and _finish_of(importer_of, held.name, held.status) is None:
        await _end(session, who, import_id, None)
    else:
        await session.execute(_REQUEST, {"id": import_id, "user": who.user_id})
    return await get_import(session, import_id)


async def end_cancelled(
    session: AsyncSession,
    who: Principal,
    importer_of: Callable[[str], Importer[Any]],
    import_id: UUID,
) -> None:
    """End an import whose cancelling was requested, with its importer's `finish`.

    Waits for a batch that is being written.  `who` requested it.
    """
    held = (await session.execute(_WAIT_AND_HOLD, {"id": import_id})).one_or_none()
    if held is not None:
        finish = _finish_of(importer_of, held.name, held.status)
        await _end(session, who, import_id, finish)


async def _end(
    session: AsyncSession, who: Principal, import_id: UUID, finish: Finish | None
) -> None:
    await session.execute(_CANCEL, {"id": import_id})
    await complete(session, who, import_id, finish)


def _finish_of(
    importer_of: Callable[[str], Importer[Any]], name: str, status: str
) -> Finish | None:
    """What is left to run at the end; None if nothing was written, or the pack is gone."""
    if status == "waiting":
        return None
    try:
        return importer_of(name).finish
    except Invalid:
        return None
