"""How an import of records is undone: each record by itself, unless it was changed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from whence.db.tables import SubjectRow
from whence.kernel.errors import Conflict, Invalid
from whence.records import attachments, store
from whence.records.deletion import ChangedMeanwhile
from whence.records.imports.undo_batch import Undo, UndoBatch, WrittenRecord
from whence.records.kind import SubjectKind
from whence.records.store import Difference

FILES = "files"
"""In an import's previous and new values: the digests of a record's files, where they changed."""
ACTION = "undo_import"
"""The action of a record that is set back in the audit log."""
CHANGED_SINCE = "It was changed after the import."
DELETED_SINCE = "It was deleted after the import."

OLDER_IMPORT = "An earlier version of whence imported it and did not keep the new values."


def undo_records(kind: SubjectKind) -> Undo:
    """An importer's `undo` for records of a kind.

    A record that the import added is deleted, unless it was changed since. A field that the import
    changed gets its previous value back, unless it has another value by now.
    """

    async def undo(batch: UndoBatch) -> None:
        await _delete_together(batch, kind)
        for record in batch.records:
            if record.external_id not in batch.outcomes:
                await _undo(batch, kind, record)

    return undo


async def _delete_together(batch: UndoBatch, kind: SubjectKind) -> None:
    """Delete the unchanged records that nothing refers to; the others are undone one by one."""
    added = {record.record_id: record for record in batch.records if record.is_added}
    versions = {each: record.version for each, record in added.items()}
    try:
        async with batch.session.begin_nested():
            deleted = await batch.deletion.delete_unreferred(
                batch.session, batch.principal, kind, versions
            )
    except ChangedMeanwhile:
        return
    for each in deleted:
        batch.undone(added[each], "deleted")


async def _undo(batch: UndoBatch, kind: SubjectKind, record: WrittenRecord) -> None:
    session = batch.session
    query = select(kind.row).where(kind.row.id == record.record_id, kind.row.deleted_at.is_(None))
    row = await session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if row is None:
        return batch.undone(record, "kept", reason=DELETED_SINCE)
    if not record.is_added:
        return await _restore(batch, kind, record, row)
    if row.version != record.version:
        return batch.undone(record, "kept", reason=CHANGED_SINCE)
    try:
        async with session.begin_nested():
            await batch.deletion.delete(session, batch.principal, kind, row.id)
    except Conflict as error:
        return batch.undone(record, "kept", reason=error.message)
    return batch.undone(record, "deleted")


async def _restore(
    batch: UndoBatch, kind: SubjectKind, record: WrittenRecord, row: SubjectRow
) -> None:
    if not record.after:
        batch.undone(record, "kept", list(record.before), OLDER_IMPORT)
        return
    fields = {name: value for name, value in record.before.items() if name != FILES}
    current = kind.before(row)
    try:
        before = _as_columns(kind, row, {**current, **fields})
        after = _as_columns(kind, row, {**current, **record.after})
    except Invalid as error:
        batch.undone(record, "kept", list(record.before), error.message)
        return
    back = {name: before[name] for name in fields if current[name] == after[name]}
    kept = [name for name in fields if name not in back]
    if back:
        change = Difference({name: current[name] for name in back}, back)
        await store.write(batch.session, batch.principal, kind, row, change, action=ACTION)
    if FILES in record.before and not await _files_back(batch, kind, record, row):
        kept.append(FILES)
    restored = len(kept) < len(record.before)
    batch.undone(record, "restored" if restored else "kept", kept, CHANGED_SINCE if kept else None)


async def _files_back(
    batch: UndoBatch, kind: SubjectKind, record: WrittenRecord, row: SubjectRow
) -> bool:
    """Whether the files of the import went, as they are still the ones that it left."""
    if attachments.digests_of(row) != record.after[FILES]:
        return False
    digests: list[str] = record.before[FILES]
    await attachments.set_back(batch.session, batch.principal, kind, row, digests, ACTION)
    return True


def _as_columns(kind: SubjectKind, row: SubjectRow, values: Mapping[str, Any]) -> dict[str, Any]:
    """Stored values in the form of the record's columns, for comparison."""
    stated = {name: value for name, value in values.items() if name != FILES}
    return kind.columns(store.validated(kind, kind.with_files(row, stated)))
