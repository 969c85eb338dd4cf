"""Reading and changing subjects of any kind, always in a tenant's unit of work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload

from whence.db.tables import SubjectRow
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Invalid, NotFound
from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.ids import new_id
from whence.records import references
from whence.records.audit import audit
from whence.records.files.rows import CarriesFiles
from whence.records.indexing import put_rows, reindex
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal


@dataclass(frozen=True)
class Difference:
    """The fields that a change alters, with their values as columns: before it and after it."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


async def create(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    record: BaseModel,
    external_id: str | None = None,
) -> SubjectRow:
    """Write a new subject.

    Raises Conflict when its external id is taken, and NoSuchReference.
    """
    if external_id is not None and await _find(session, kind, external_id) is not None:
        raise Conflict(f"There is already one of {kind.kind} with the id '{external_id}'.")
    return await insert(session, who, kind, record, external_id)


async def insert(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    record: BaseModel,
    external_id: str | None,
    action: str = "create",
) -> SubjectRow:
    """Write a row whose external id the caller knows to be free, with its line in the audit log.

    Raises NoSuchReference.
    """
    columns = await references.resolved(session, kind, kind.columns(record))
    row = kind.row(id=new_id(), external_id=external_id, **columns)
    session.add(row)
    await session.flush()
    await put_rows(session, kind, [row], are_new=True)
    await audit(session, who, action, kind.kind, row.id, columns)
    return row


async def get(
    session: AsyncSession, kind: SubjectKind, subject_id: UUID, *, to_change: bool = False
) -> SubjectRow:
    """One subject by our id, as it is now and, `to_change`, until the end; raises NotFound."""
    row = kind.row
    query = select(row).where(row.id == subject_id, row.deleted_at.is_(None))
    if issubclass(row, CarriesFiles):
        query = query.options(joinedload(row.attached))
    if to_change:
        query = query.with_for_update(of=row).execution_options(populate_existing=True)
    record = (await session.scalars(query)).unique().one_or_none()
    if record is None:
        raise NotFound(f"There is no such {kind.title.lower()}.")
    return record


async def get_version(
    session: AsyncSession, kind: SubjectKind, subject_id: UUID, if_match: int | None
) -> SubjectRow:
    """One subject, held until the end; raises NotFound, and Conflict where `if_match` is not its
    version."""
    row = await get(session, kind, subject_id, to_change=True)
    if if_match is not None and if_match != row.version:
        raise Conflict(
            f"This {kind.title.lower()} is at version {row.version}, not {if_match}; read it again."
        )
    return row


async def resolve(session: AsyncSession, kind: SubjectKind, reference: str) -> SubjectRow:
    """One subject by our id or by the id that its import brought; raises NotFound."""
    row = await _find(session, kind, reference)
    if row is None and (subject_id := _as_uuid(reference)):
        return await get(session, kind, subject_id)
    if row is None:
        # Whoever tells it adds where to look: callers over HTTP and at a shell look elsewhere.
        raise NotFound(f"There is no {kind.title.lower()} '{reference}'.", kind=kind.kind)
    return row


async def patch(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    subject_id: UUID,
    changes: Mapping[str, Any],
    if_match: int | None,
) -> SubjectRow:
    """Change fields; the whole record is validated again.

    Raises NotFound, Invalid, NoSuchReference, and Conflict when `if_match` is not the current
    version.
    """
    row = await get_version(session, kind, subject_id, if_match)
    changed = difference(kind, row, await references.resolved(session, kind, changes))
    if changed.after:
        await write(session, who, kind, row, changed)
    return row


def difference(kind: SubjectKind, row: SubjectRow, changes: Mapping[str, Any]) -> Difference:
    """What `changes` would make of a record, by its own rules for the whole of it.

    Raises Invalid, naming the fields.
    """
    before = kind.before(row)
    after = kind.columns(validated(kind, kind.with_files(row, {**before, **changes})))
    changed = {name: value for name, value in after.items() if before[name] != value}
    return Difference({name: before[name] for name in changed}, changed)


async def write(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    changed: Difference,
    action: str = "update",
    **details: object,
) -> None:
    """Write a difference to a row that this transaction holds, with its line in the audit log.

    `told` is added to the line.  Raises NoSuchReference.
    """
    after = await references.resolved(session, kind, changed.after)
    for name, value in after.items():
        setattr(row, name, value)
    row.version += 1
    row.updated_at = now()
    await session.flush()
    if not after.keys().isdisjoint(kind.search):
        await put_rows(session, kind, [row])
    detail = {"before": changed.before, "after": after, **details}
    await audit(session, who, action, kind.kind, row.id, detail)


async def note_findings(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    subject_id: UUID,
    values: Mapping[str, object],
    run_id: UUID,
) -> None:
    """Set columns to what a run found, in the audit log and without a new version.

    A record that is gone stays as it is.
    """
    row = kind.row
    query = select(*(getattr(row, name).label(name) for name in values)).where(row.id == subject_id)
    current = (await session.execute(query.with_for_update())).mappings().one_or_none()
    if current is None:
        return
    await session.execute(update(row).where(row.id == subject_id).values(dict(values)))
    before = {name: current[name] for name, value in values.items() if current[name] != value}
    if not before.keys().isdisjoint(kind.search):
        await reindex(session, kind, [subject_id])
    if before:
        after = {name: values[name] for name in before}
        detail = {"before": before, "after": after, "run": str(run_id)}
        line = to_jsonable_python(detail)
        await audit(session, who, "research_change", kind.kind, subject_id, line)


def validated(kind: SubjectKind, values: Mapping[str, Any]) -> BaseModel:
    """The typed record of column values; raises Invalid, naming the fields."""
    try:
        return kind.record.model_validate(values)
    except ValidationError as error:
        faults = faults_of(error, kind.record, whole=kind.kind)
        raise Invalid(
            f"The changed record would not be valid: {sentence(faults)}.",
            errors=[each.as_json() for each in faults],
        ) from error


def _as_uuid(reference: str) -> UUID | None:
    try:
        return UUID(reference)
    except ValueError:
        return None


async def _find(session: AsyncSession, kind: SubjectKind, external_id: str) -> SubjectRow | None:
    row = kind.row
    query = select(row).where(row.external_id == external_id, row.deleted_at.is_(None))
    return (await session.scalars(query)).one_or_none()
