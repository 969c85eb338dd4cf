"""Lists of a kind's records: search, filters, order, pages and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.paging import DEFAULT_LIMIT, PAGE_LIMIT
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.records import references, searching
from whence.records.filters import MAX_VALUES, conditions, narrowing
from whence.records.kind import SubjectKind
from whence.records.sorting import sorts_of

RESERVED = frozenset({"search", "sort", "cursor", "limit", "by", "columns", "sheet"})
"""Parameters of every list and of its page, which are reserved names for filters."""


class Listed(Wire):
    """Parameters of every list besides its filters and sort orders."""

    search: str = Field(default="", max_length=500, description="Words that must all occur")
    cursor: str | None = Field(default=None, description="`nextCursor` of the page before")
    limit: int = Field(default=DEFAULT_LIMIT, ge=1, le=PAGE_LIMIT)


class Counted(Wire):
    """Parameters of every count besides its filters and fields."""

    search: str = Field(default="", max_length=500, description="Words that must all occur")


@dataclass(frozen=True)
class Page:
    """Some rows, and the cursor of the next page (None: this is the last)."""

    rows: list[SubjectRow]
    next_cursor: str | None


class ValueCount(Wire):
    """The number of records with a value; `title` names the record if the value is a reference."""

    value: Any
    """Null: the records without a value."""
    title: str | None = None
    count: int


class Counts(Wire):
    """The number of records, in total and by value of the requested fields."""

    total: int
    by: dict[str, list[ValueCount]]
    """The most common values first, at most 100 per field."""


@cache
def list_query(kind: SubjectKind) -> type[BaseModel]:
    """The parameters of a kind's list: search, filters, order and page, typed by its record."""
    order: Any = Literal[sorts_of(kind)]  # pyright: ignore[reportInvalidTypeForm]
    described = (
        "`-` in front: the largest first. Without it what matches best comes first where there is"
        " a search, else the newest"
    )
    sort: Any = (order | None, Field(default=None, description=described))
    return create_model(f"{kind.name}Query", __base__=(narrowing(kind), Listed), sort=sort)


@cache
def count_query(kind: SubjectKind) -> type[BaseModel]:
    """The parameters of a kind's counts: search, filters, and the fields to count by."""
    names = tuple(_countable(kind))
    if not names:
        return create_model(f"{kind.name}CountQuery", __base__=(narrowing(kind), Counted))
    one = Literal[names]  # pyright: ignore[reportInvalidTypeForm]
    described = Field(default_factory=list, description="A field to count by; repeat it")
    by: Any = (Annotated[list[one], Field(max_length=len(names))], described)
    return create_model(f"{kind.name}CountQuery", __base__=(narrowing(kind), Counted), by=by)


async def page(
    session: AsyncSession, kind: SubjectKind, query: BaseModel, *also: ColumnElement[bool]
) -> Page:
    """One page of a list; `query` is a `list_query` of the kind, `also` filters it further.

    Raises Invalid for a cursor of another list and for a reference to no record.
    """
    parameters: Any = query
    where = [*await conditions(session, kind, parameters), *also]
    match = await searching.match(session, kind, parameters.search, parameters.cursor)
    sort = searching.order(kind, match, parameters.sort)
    if parameters.cursor:
        where.append(sort.after(parameters.cursor))
    rows = select(kind.row, sort.key.label("sort_key"))
    if match is not None:
        rows = rows.join(match.hits, match.hits.c.document_id == kind.row.id)
    rows = rows.where(*where).order_by(*sort.order())
    matching = (await session.execute(rows.limit(parameters.limit + 1))).tuples().all()
    shown = matching[: parameters.limit]
    more = sort.cursor(shown[-1][1], shown[-1][0].id) if len(matching) > parameters.limit else None
    return Page([row for row, _ in shown], more)


async def counts(
    session: AsyncSession, kind: SubjectKind, query: BaseModel, *also: ColumnElement[bool]
) -> Counts:
    """The number of records that match a `count_query` of the kind, in total and by value.

    Raises Invalid for a reference to no record.
    """
    parameters: Any = query
    where = [*await _where(session, kind, parameters), *also]
    total = await session.scalar(select(func.count()).select_from(kind.row).where(*where))
    names: Sequence[str] = getattr(parameters, "by", ())
    by = {name: await _by_value(session, kind, name, where) for name in dict.fromkeys(names)}
    return Counts(total=total or 0, by=by)


async def _where(
    session: AsyncSession, kind: SubjectKind, parameters: Any
) -> list[ColumnElement[bool]]:
    where = await conditions(session, kind, parameters)
    match = await searching.match(session, kind, parameters.search, None)
    if match is not None:
        where.append(kind.row.id.in_(select(match.hits.c.document_id)))
    return where


async def _by_value(
    session: AsyncSession, kind: SubjectKind, name: str, where: Sequence[ColumnElement[bool]]
) -> list[ValueCount]:
    column = getattr(kind.row, _countable(kind)[name])
    count = func.count().label("count")
    query = select(column, count).where(*where).group_by(column).order_by(count.desc(), column)
    values = (await session.execute(query.limit(MAX_VALUES))).tuples().all()
    relation = next((each for each in kind.relations if each.name == name), None)
    if relation is None:
        return [ValueCount(value=value, count=number) for value, number in values]
    titles = await references.refs(
        session, relation.target(), {value for value, _ in values if value is not None}
    )
    return [
        ValueCount(value=value, title=ref.title if (ref := titles.get(value)) else None, count=each)
        for value, each in values
    ]


def _countable(kind: SubjectKind) -> dict[str, str]:
    """The fields to count by: wire names and their columns."""
    fields = {camel(name): name for name in kind.filters}
    return fields | {camel(each.name): each.field for each in kind.relations}
