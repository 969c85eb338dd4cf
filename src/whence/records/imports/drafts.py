"""A file that was uploaded and not yet imported: it is previewed, started, or discarded."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Conflict, NotFound
from whence.kernel.ids import new_id
from whence.kernel.text import one_line
from whence.records.files.files import StoredFile
from whence.records.imports.reports import StoredImport, get_import
from whence.tenancy.principal import Principal, Scope

_SAME = text("""
    SELECT id FROM whence.imports WHERE name = :name AND digest = :digest AND status = 'draft'
        AND requested_by = :user AND filename = :filename LIMIT 1
""")
_NEW = text("""
    INSERT INTO whence.imports (id, name, filename, digest, size, requested_by, file, status)
    VALUES (:id, :name, :filename, :digest, :size, :user, :digest, 'draft')
""")
_STATUS = text("SELECT status FROM whence.imports WHERE id = :id FOR UPDATE")
_ELSEWHERE = text("""
    SELECT o.id FROM whence.imports i JOIN whence.imports o
        ON o.name = i.name AND o.digest = i.digest AND o.id <> i.id
    WHERE i.id = :id AND o.status IN ('waiting', 'running') AND o.file IS NOT NULL LIMIT 1
""")
_START = text("""
    UPDATE whence.imports SET status = 'waiting', requested_by = :user, scopes = :scopes,
        mapping = :mapping, clear_empty = :clear_empty, created_at = now()
    WHERE id = :id
""").bindparams(bindparam("mapping", type_=JSONB))
_RESUME = text("""
    UPDATE whence.imports SET status = 'waiting', requested_by = :user, scopes = :scopes,
        tries = 0, error = NULL, ended_at = NULL
    WHERE id = :id
""")
_FORGET_CANCELLING = text("DELETE FROM whence.cancel_requests WHERE id = :id")
_DISCARD = text("DELETE FROM whence.imports WHERE id = :id AND status = 'draft' RETURNING id")


class AlreadyImporting(Conflict):
    """This file is being imported already; wait for that import, or cancel it."""


class CannotResume(Conflict):
    """Only an import that failed or was cancelled can be resumed."""


async def keep_draft(
    session: AsyncSession, who: Principal, name: str, filename: str, file: StoredFile
) -> tuple[UUID, bool]:
    """A draft of this file: the person's own one, or a new one (then the second value is true)."""
    who.require(Scope.WRITE)
    values = {"name": name, "digest": file.digest, "user": who.user_id}
    values |= {"filename": one_line(filename)}
    if same := await session.scalar(_SAME, values):
        return same, False
    draft = new_id()
    await session.execute(_NEW, values | {"id": draft, "size": file.size})
    return draft, True


async def start(
    session: AsyncSession,
    who: Principal,
    import_id: UUID,
    mapping: Mapping[str, str],
    *,
    clear_empty: bool = False,
) -> bool:
    """Let a draft wait for a worker; false for one that was started before, which stays as it is.

    Raises NotFound, and AlreadyImporting if another import of this file is under way.
    """
    who.require(Scope.WRITE)
    if await _held(session, import_id) != "draft":
        return False
    if await session.scalar(_ELSEWHERE, {"id": import_id}):
        raise AlreadyImporting
    values = {"mapping": dict(mapping), "clear_empty": clear_empty}
    await session.execute(_START, _acting(who, import_id) | values)
    return True


async def resume(session: AsyncSession, who: Principal, import_id: UUID) -> bool:
    """Let an import that ended early go on after its last batch, in this person's name.

    False for one that is under way.  Raises NotFound and CannotResume.
    """
    who.require(Scope.WRITE)
    status = await _held(session, import_id)
    if status in ("waiting", "running"):
        return False
    stored = await get_import(session, import_id)
    if status not in ("failed", "cancelled"):
        raise CannotResume
    if stored.undo_status is not None:
        raise CannotResume("This import was undone, at least in part; import the file again.")
    if not stored.has_file:
        raise CannotResume("The file of this import is not stored any more; import it again.")
    if await session.scalar(_ELSEWHERE, {"id": import_id}):
        raise AlreadyImporting
    await session.execute(_RESUME, _acting(who, import_id))
    await session.execute(_FORGET_CANCELLING, {"id": import_id})
    return True


async def discard(session: AsyncSession, who: Principal, import_id: UUID) -> None:
    """Remove a draft; its file goes with the next cleaning.  Raises NotFound and Conflict."""
    who.require(Scope.WRITE)
    if await session.scalar(_DISCARD, {"id": import_id}) is None:
        stored: StoredImport = await get_import(session, import_id)
        raise Conflict(f"This import is {stored.status}; only one that was not started can go.")


async def _held(session: AsyncSession, import_id: UUID) -> str:
    status = await session.scalar(_STATUS, {"id": import_id})
    if status is None:
        raise NotFound("There is no such import.")
    return str(status)


def _acting(who: Principal, import_id: UUID) -> dict[str, object]:
    scopes = sorted(scope.value for scope in who.scopes)
    return {"id": import_id, "user": who.user_id, "scopes": scopes}
