"""References between records: locked while written, looked up with one query per relation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.errors import Invalid
from whence.kernel.text import camel
from whence.records.kind import Relation, SubjectKind
from whence.records.relation import RecordRef

Referred = Mapping[UUID, Mapping[str, RecordRef]]
"""By a row's id: the records it refers to, by relation."""


class NoSuchReference(Invalid):
    """The record refers to one that does not exist; use whence's id or an imported id."""


async def resolved(
    session: AsyncSession, kind: SubjectKind, columns: Mapping[str, Any]
) -> dict[str, Any]:
    """The columns with every reference replaced by whence's id of an existing record.

    The referenced records are locked, so that none is deleted before this transaction ends.  Raises
    NoSuchReference.
    """
    values = dict(columns)
    for relation in kind.relations:
        reference = values.get(relation.field)
        if reference is not None:
            target_id = await _held(session, relation, str(reference))
            values[relation.field] = str(target_id)
    return values


async def held(
    session: AsyncSession, relation: Relation, references: Sequence[str]
) -> Mapping[str, UUID]:
    """Whence's ids of the existing records, by reference; locked like in `resolved`.

    One query, however many references there are.
    """
    if not references:
        return {}
    row = relation.target().row
    query = select(row.id, row.external_id).where(row.deleted_at.is_(None), _named(row, references))
    rows = await session.execute(query.with_for_update(read=True, key_share=True))
    by_id: dict[str, UUID] = {}
    by_external_id: dict[str, UUID] = {}
    for row_id, external_id in rows.tuples():
        by_id[str(row_id)] = row_id
        if external_id is not None:
            by_external_id[external_id] = row_id
    # An id that an import brought may look like one of ours; it goes first, as in addresses.
    ids = {each: by_external_id.get(each) or by_id.get(_plain_id(each)) for each in references}
    return {reference: row_id for reference, row_id in ids.items() if row_id is not None}


async def ids_of(
    session: AsyncSession, relation: Relation, references: Sequence[str], field: str
) -> list[UUID]:
    """Whence's ids of the referenced records.  Raises NoSuchReference."""
    row = relation.target().row
    query = select(row.id, row.external_id).where(row.deleted_at.is_(None), _named(row, references))
    by_name: dict[str, UUID] = {}
    for row_id, external_id in (await session.execute(query)).tuples():
        by_name.setdefault(str(row_id), row_id)
        if external_id is not None:
            by_name[external_id] = row_id
    for reference in references:
        if reference not in by_name:
            raise missing(relation, reference, field)
    return [by_name[reference] for reference in references]


async def referred(
    session: AsyncSession, kind: SubjectKind, rows: Sequence[SubjectRow]
) -> Referred:
    """The records these rows refer to: one query per relation, however many rows there are."""
    references: defaultdict[UUID, dict[str, RecordRef]] = defaultdict(dict)
    for relation in kind.relations:
        ids = {_as_uuid(value) for row in rows if (value := getattr(row, relation.field))}
        titles = await refs(session, relation.target(), ids)
        for row in rows:
            value = getattr(row, relation.field)
            if value and (ref := titles.get(_as_uuid(value))):
                references[row.id][relation.name] = ref
    return references


async def refs(
    session: AsyncSession, kind: SubjectKind, ids: set[UUID]
) -> Mapping[UUID, RecordRef]:
    """Records of a kind in the short form of a reference."""
    if not ids:
        return {}
    row = kind.row
    title = getattr(row, kind.title_column) if kind.title_column else literal(None)
    query = select(row.id, row.external_id, title).where(row.id.in_(ids))
    return {
        row_id: RecordRef(id=row_id, external_id=external_id, title=name)
        for row_id, external_id, name in (await session.execute(query)).tuples()
    }


async def titles(
    session: AsyncSession, kinds: Iterable[SubjectKind], records: Iterable[tuple[str, UUID]]
) -> dict[UUID, str]:
    """The titles of records, each given as kind and id; without those that are gone or have none.

    One query per kind, however many records there are.
    """
    ids: defaultdict[str, set[UUID]] = defaultdict(set)
    for kind_name, row_id in records:
        ids[kind_name].add(row_id)
    known: dict[UUID, str] = {}
    for kind in kinds:
        if wanted := ids.get(kind.kind):
            name = kind.display.title or kind.title_column
            title = getattr(kind.row, name) if name else literal(None)
            query = select(kind.row.id, title, kind.row.external_id).where(kind.row.id.in_(wanted))
            for row_id, value, external_id in (await session.execute(query)).tuples():
                if shown_title := str(value or "").strip() or external_id:
                    known[row_id] = shown_title
    return known


async def shown(
    session: AsyncSession, kind: SubjectKind, rows: Sequence[SubjectRow]
) -> list[dict[str, Any]]:
    """Rows as JSON for the wire, with the records they refer to."""
    references = await referred(session, kind, rows) if kind.relations else {}
    return [kind.shown(row, references.get(row.id)) for row in rows]


async def _held(session: AsyncSession, relation: Relation, reference: str) -> UUID:
    row_id = (await held(session, relation, [reference])).get(reference)
    if row_id is None:
        raise missing(relation, reference, relation.field)
    return row_id


def _named(row: type[SubjectRow], references: Sequence[str]) -> ColumnElement[bool]:
    ids = [parsed for each in references if (parsed := _uuid_or_none(each))]
    return or_(row.external_id.in_(references), row.id.in_(ids))


def missing(relation: Relation, reference: str, field: str) -> NoSuchReference:
    """The error for a reference to no record."""
    message = f"There is no {relation.target().title.lower()} '{reference}'."
    return NoSuchReference(message, errors=[{"field": camel(field), "message": message}])


def _as_uuid(value: object) -> UUID:
    return value if isinstance(value, UUID) else UUID(str(value))


def _plain_id(reference: str) -> str:
    """An id in our spelling: people may use capitals or leave out hyphens."""
    return str(_uuid_or_none(reference) or reference)


def _uuid_or_none(reference: str) -> UUID | None:
    try:
        return UUID(reference)
    except ValueError:
        return None
