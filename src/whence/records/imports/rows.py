"""Write one row of an import as a record, with what changed in the report."""

from __future__ import annotations

from typing import Any

from whence.kernel.errors import Invalid
from whence.records.imports.importer import Batch
from whence.records.kind import SubjectKind
from whence.records.tabular.reading import Row
from whence.records.upsert import write_imported


async def upsert_row(batch: Batch[Any], kind: SubjectKind, row: Row[Any]) -> None:
    """Add the row's record, or change the fields in which the stored one differs.

    A record that is there already keeps the fields that the row says nothing of. A row whose
    record would not be valid is refused.
    """
    who, kept = batch.principal, batch.kept(row)
    try:
        written = await write_imported(
            batch.session, who, kind, row.external_id, row.record, keep=kept
        )
    except Invalid as error:
        batch.refuse(row, None, "", error.message)
        return
    before, after = written.changed.before or None, written.changed.after or None
    batch.saved(row, written.outcome, written.record_id, before, after)
