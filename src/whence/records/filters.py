"""The filters of a kind's list: one parameter for each, typed by the record's fields.

For a field named in `filters` there is `status` (repeat it for several values), for a number or a
date `value.min` and `value.max`, and for a field that may be empty `status.missing`.  A relation
has the filter `buyer` (references), and the other kind's filters as `buyer.region`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, Field, create_model
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.records import references
from whence.records.kind import Relation, SubjectKind
from whence.records.relation import RecordId

MAX_VALUES = 100
"""Values in one set filter, and in one count: as many as rows of a page."""
TIMES = ("created_at", "updated_at")
"""Columns every record has, to filter and sort lists by."""
_ORDERED = (int, float, Decimal, date, datetime)


class Operator(StrEnum):
    """How a parameter filters a list."""

    ONE_OF = ""
    AT_LEAST = "min"
    AT_MOST = "max"
    MISSING = "missing"


@dataclass(frozen=True)
class Filter:
    """One parameter of a kind's list."""

    field: str
    """The column to compare, of the record or of the one that `relation` names."""
    operator: Operator
    type: Any
    relation: Relation | None = None

    @property
    def attribute(self) -> str:
        """The Python name: `buyer__value__min`."""
        path = [self.relation.name] if self.relation else []
        named = [] if self.relation and self.field == self.relation.field else [self.field]
        return "__".join([*path, *named, *filter(None, [self.operator.value])])

    @property
    def parameter(self) -> str:
        """The wire name: `buyer.value.min`."""
        return ".".join(camel(part) for part in self.attribute.split("__"))


@cache
def filters_of(kind: SubjectKind) -> tuple[Filter, ...]:
    """All filter parameters of a kind's list."""
    filters = [*_own_filters(kind)]
    filters += [Filter(name, each, datetime) for name in TIMES for each in _RANGE]
    for relation in kind.relations:
        filters.append(Filter(relation.field, Operator.ONE_OF, RecordId, relation))
        if _is_optional(kind.record.model_fields[relation.field].annotation):
            filters.append(Filter(relation.field, Operator.MISSING, bool, relation))
        for other in _own_filters(relation.target()):
            filters.append(Filter(other.field, other.operator, other.type, relation))
    return tuple(filters)


@cache
def narrowing(kind: SubjectKind) -> type[BaseModel]:
    """The parameters of a kind's list as a model that parses and describes them."""
    fields: dict[str, Any] = {}
    for each in filters_of(kind):
        options: dict[str, Any] = {"alias": each.parameter, "description": _described(each)}
        fields[each.attribute] = (
            (list[each.type], Field(default_factory=list, max_length=MAX_VALUES, **options))
            if each.operator is Operator.ONE_OF
            else (each.type | None, Field(default=None, **options))
        )
    return create_model(f"{kind.name}Filters", __base__=_Narrowing, **fields)


class _Narrowing(Wire):
    """The base of a kind's filters."""


async def conditions(
    session: AsyncSession, kind: SubjectKind, query: BaseModel
) -> list[ColumnElement[bool]]:
    """The conditions for rows of a list.  Raises Invalid for a reference to no record."""
    where: list[ColumnElement[bool]] = [kind.row.deleted_at.is_(None)]
    for each in filters_of(kind):
        value = getattr(query, each.attribute)
        if value is None or value == []:
            continue
        if each.relation is None:
            where.append(_condition(kind.row, each, value))
        elif each.field == each.relation.field:
            if each.operator is Operator.ONE_OF:
                value = await references.ids_of(session, each.relation, value, each.parameter)
            where.append(_condition(kind.row, each, value))
        else:
            other = each.relation.target().row
            matching = select(other.id).where(
                other.deleted_at.is_(None), _condition(other, each, value)
            )
            where.append(getattr(kind.row, each.relation.field).in_(matching))
    return where


def _condition(row: type[SubjectRow], each: Filter, value: Any) -> ColumnElement[bool]:
    column = getattr(row, each.field)
    match each.operator:
        case Operator.ONE_OF:
            return column.in_([comparable(column, one) for one in value])
        case Operator.AT_LEAST:
            return column >= comparable(column, value)
        case Operator.AT_MOST:
            return column <= comparable(column, value)
        case Operator.MISSING:
            return column.is_(None) if value else column.is_not(None)


def comparable(column: Any, value: Any) -> Any:
    """A parsed value in the column's form: an enum's value, a date as text in a text column."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, datetime) and value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    if isinstance(value, date) and column.type.python_type is str:
        return value.isoformat()
    return value


_RANGE = (Operator.AT_LEAST, Operator.AT_MOST)


def _own_filters(kind: SubjectKind) -> Iterator[Filter]:
    for name in kind.filters:
        annotation = kind.record.model_fields[name].annotation
        inner = _required(annotation)
        yield Filter(name, Operator.ONE_OF, inner)
        if (base := _base(inner)) in _ORDERED:
            yield from (Filter(name, each, base) for each in _RANGE)
        if _is_optional(annotation):
            yield Filter(name, Operator.MISSING, bool)


def _is_optional(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)


def _required(annotation: Any) -> Any:
    """The type without None."""
    if not _is_optional(annotation):
        return annotation
    rest = [each for each in get_args(annotation) if each is not NoneType]
    return Union[tuple(rest)]  # noqa: UP007 (made of parts)


def _base(annotation: Any) -> Any:
    """The type without its limits: a range may exceed what a record may contain."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def _described(each: Filter) -> str:
    of = f"the {each.relation.target().title.lower()}'s " if each.relation else ""
    name = camel(each.field)
    match each.operator:
        case Operator.ONE_OF:
            if each.relation and each.field == each.relation.field:
                return f"Only of this {each.relation.target().title.lower()}; repeat it for several"
            return f"Only where {of}{name} is this; repeat it for several"
        case Operator.AT_LEAST:
            return f"Only where {of}{name} is this or more"
        case Operator.AT_MOST:
            return f"Only where {of}{name} is this or less"
        case Operator.MISSING:
            return f"true: only where {of}{name} is empty; false: only where it is not"
