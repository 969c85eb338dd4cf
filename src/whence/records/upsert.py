"""Write one record by the id that its import brought: add it, change what differs, or leave it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Invalid
from whence.records import references, store
from whence.records.kind import SubjectKind
from whence.records.store import Difference
from whence.tenancy.principal import Principal

IMPORT = "import"
"""The action of an imported record in the audit log."""


class NoExternalId(Invalid):
    """An imported record needs an id of its own, by which the next import finds it again."""


class Upserted(StrEnum):
    """What became of an imported record."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Upsert:
    """What became of an imported record, and the fields that changed."""

    outcome: Upserted
    record_id: UUID
    changed: Difference = field(default_factory=lambda: Difference({}, {}))


async def upsert(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    external_id: str,
    record: BaseModel,
    *,
    keep: Collection[str] = (),
) -> tuple[Upserted, UUID]:
    """Add the record, or change the fields in which the stored one differs; audited as an import.

    `keep` names fields that a record which is there already keeps, whatever the import holds.
    A record that was deleted is added again.  Returns what was done, and whence's id of the record.
    Raises NoExternalId, NoSuchReference, and Invalid if the result would not be valid.
    """
    result = await write_imported(session, who, kind, external_id, record, keep)
    return result.outcome, result.record_id


async def write_imported(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    external_id: str,
    record: BaseModel,
    keep: Collection[str] = (),
) -> Upsert:
    """What `upsert` does, with the fields that changed; raises what it raises."""
    if not external_id:
        raise NoExternalId
    row = kind.row
    query = select(row).where(row.external_id == external_id, row.deleted_at.is_(None))
    locked = query.with_for_update().execution_options(populate_existing=True)
    existing = (await session.scalars(locked)).one_or_none()
    if existing is None:
        added = await store.insert(session, who, kind, record, external_id, action=IMPORT)
        return Upsert(Upserted.ADDED, added.id)
    before = kind.before(existing)
    columns = await references.resolved(session, kind, kind.columns(record))
    after = {name: value for name, value in columns.items() if name not in keep}
    changed = {name: value for name, value in after.items() if before[name] != value}
    if not changed:
        return Upsert(Upserted.UNCHANGED, existing.id)
    if keep:
        store.validated(kind, kind.with_files(existing, {**before, **changed}))
    difference = Difference({name: before[name] for name in changed}, changed)
    await store.write(session, who, kind, existing, difference, action=IMPORT)
    return Upsert(Upserted.UPDATED, existing.id, difference)
