"""The organization's runs in pages, with filters, and how many there are of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.paging import RowCursor
from whence.research.tables import Run
from whence.work.tables import ACTIVE

MOST_VALUES = 50
"""Values of one filter that are counted; the most frequent ones."""


@dataclass(frozen=True)
class RunFilter:
    """Which runs; an empty filter means all."""

    status: Sequence[str] = ()
    kind: Sequence[str] = ()
    flow: Sequence[str] = ()
    run_type: Sequence[str] = ()
    lane: Sequence[str] = ()
    requested_by: Sequence[UUID] = ()
    created_from: datetime | None = None
    created_before: datetime | None = None

    @property
    def conditions(self) -> list[ColumnElement[bool]]:
        """The filter as conditions of a query."""
        conditions = [
            column.in_(values)
            for name, column in COLUMNS.items()
            if (values := getattr(self, name))
        ]
        if self.created_from:
            conditions.append(Run.created_at >= self.created_from)
        if self.created_before:
            conditions.append(Run.created_at < self.created_before)
        return conditions


COLUMNS: Mapping[str, Any] = {
    "status": Run.status,
    "kind": Run.kind,
    "flow": Run.flow,
    "run_type": Run.run_type,
    "lane": Run.lane,
    "requested_by": Run.requested_by,
}
"""The columns of the filters whose values are counted."""


async def page(
    session: AsyncSession, wanted: RunFilter, *, limit: int, after: RowCursor | None
) -> list[Run]:
    """The newest runs after `after`, at most `limit`."""
    query = select(Run).where(*wanted.conditions)
    if after:
        query = query.where(tuple_(Run.created_at, Run.id) < (after.at, after.id))
    query = query.order_by(Run.created_at.desc(), Run.id.desc()).limit(limit)
    return list(await session.scalars(query))


async def counts(session: AsyncSession, wanted: RunFilter) -> Mapping[str, Mapping[Any, int]]:
    """How many runs have each value of a filter, under the other filters; and `total`, under all.

    Only the most frequent values of each filter.
    """
    total: Select[int] = select(func.count()).select_from(Run).where(*wanted.conditions)
    counted: dict[str, Mapping[Any, int]] = {"total": {None: await session.scalar(total) or 0}}
    for name, column in COLUMNS.items():
        others = replace(wanted, **{name: ()})
        number = func.count()
        query = select(column, number).select_from(Run).where(*others.conditions).group_by(column)
        rows = await session.execute(query.order_by(number.desc(), column).limit(MOST_VALUES))
        counted[name] = dict(rows.tuples().all())
    return counted


async def active(session: AsyncSession, limit: int) -> list[Run]:
    """Runs of the primary lane that have not ended, the newest first, at most `limit`."""
    query = select(Run).where(Run.status.in_(ACTIVE), Run.lane == "primary")
    query = query.order_by(Run.created_at.desc(), Run.id.desc()).limit(limit)
    return list(await session.scalars(query))
