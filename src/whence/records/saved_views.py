"""Saved views: filters, order and columns of a list under a name, one's own or shared."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints, ValidationError
from sqlalchemy import func, or_, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from whence.db.tables import TenantRow
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Forbidden, Invalid, NotFound
from whence.kernel.field_errors import faults_of
from whence.kernel.ids import new_id
from whence.kernel.wire import Wire
from whence.records import listing
from whence.records.filters import Operator, filters_of
from whence.records.kind import SubjectKind
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, Role, Scope

KIND = "saved_view"
"""The kind of its entries in the audit log."""
MOST = 50
"""Views that one person may have of one kind; more than that nobody finds again in tabs."""
COLUMNS = "columns"
"""The one parameter that the list itself does not take: the columns to show."""
Values = Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=100)]
Parameters = Annotated[
    dict[str, Annotated[str, Field(max_length=500)] | Values], Field(max_length=50)
]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]


class TooManyViews(Conflict):
    """You have saved 50 views of this list; delete one of them first."""


class NotTheAuthor(Forbidden):
    """Only its author, or an owner of the organization, may change a shared view."""


class SavedViewRow(TenantRow):
    __tablename__ = "saved_views"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012

    user_id: Mapped[UUID]
    kind: Mapped[str]
    title: Mapped[str]
    parameters: Mapped[dict[str, Any]] = mapped_column(JSONB)
    is_shared: Mapped[bool]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class NewView(Wire):
    """A view to save; `parameters` are those of the list's address, and `columns`."""

    title: Title
    parameters: Parameters
    is_shared: bool = False


class ViewChange(Wire):
    """What to change; absent fields stay unchanged."""

    title: Title | None = None
    parameters: Parameters | None = None
    is_shared: bool | None = None


async def listed(session: AsyncSession, who: Principal, kind: SubjectKind) -> list[SavedViewRow]:
    """Views of a kind's list that this person sees: their own and shared ones, oldest first."""
    query = (
        select(SavedViewRow)
        .where(SavedViewRow.kind == kind.kind, _visible(who))
        .order_by(SavedViewRow.created_at, SavedViewRow.id)
    )
    return list(await session.scalars(query))


async def create(
    session: AsyncSession, who: Principal, kind: SubjectKind, new: NewView
) -> SavedViewRow:
    """Save a view; raises Invalid for parameters that the list does not take, TooManyViews."""
    who.require(Scope.WRITE)
    check(kind, new.parameters)
    mine = (SavedViewRow.kind == kind.kind, SavedViewRow.user_id == who.user_id)
    if (await session.scalar(select(func.count()).where(*mine)) or 0) >= MOST:
        raise TooManyViews
    at = now()
    row = SavedViewRow(
        id=new_id(),
        user_id=who.user_id,
        kind=kind.kind,
        created_at=at,
        updated_at=at,
        **new.model_dump(),
    )
    session.add(row)
    await session.flush()
    await audit(session, who, "create", KIND, row.id, new.model_dump(mode="json"))
    return row


async def change(
    session: AsyncSession, who: Principal, kind: SubjectKind, view_id: UUID, wanted: ViewChange
) -> SavedViewRow:
    """Change a view; raises NotFound, NotTheAuthor, Invalid."""
    row = await _changeable(session, who, kind, view_id)
    changes = wanted.model_dump(exclude_none=True)
    if wanted.parameters is not None:
        check(kind, wanted.parameters)
    detail = {name: {"before": getattr(row, name), "after": new} for name, new in changes.items()}
    for name, value in changes.items():
        setattr(row, name, value)
    row.updated_at = now()
    await session.flush()
    await audit(session, who, "update", KIND, row.id, detail)
    return row


async def delete(session: AsyncSession, who: Principal, kind: SubjectKind, view_id: UUID) -> None:
    """Delete a view; raises NotFound, NotTheAuthor."""
    row = await _changeable(session, who, kind, view_id)
    await session.delete(row)
    await session.flush()
    await audit(session, who, "delete", KIND, view_id, {"title": row.title})


def check(kind: SubjectKind, parameters: Mapping[str, str | list[str]]) -> None:
    """Raise Invalid unless the kind's list takes these parameters."""
    sets = {each.parameter for each in filters_of(kind) if each.operator is Operator.ONE_OF}
    query = {
        name: [value] if name in sets and isinstance(value, str) else value
        for name, value in parameters.items()
        if name != COLUMNS
    }
    model = listing.list_query(kind)
    try:
        model.model_validate(query)
    except ValidationError as error:
        faults = "; ".join(str(fault) for fault in faults_of(error, model, whole="view"))
        raise Invalid(f"This is no view of {kind.plural}: {faults}.") from error


def _visible(who: Principal) -> Any:
    return or_(SavedViewRow.is_shared, SavedViewRow.user_id == who.user_id)


async def _changeable(
    session: AsyncSession, who: Principal, kind: SubjectKind, view_id: UUID
) -> SavedViewRow:
    who.require(Scope.WRITE)
    row = await session.scalar(
        select(SavedViewRow).where(
            SavedViewRow.id == view_id, SavedViewRow.kind == kind.kind, _visible(who)
        )
    )
    if row is None:
        raise NotFound("There is no such view of this list.")
    if row.user_id != who.user_id and who.role is not Role.OWNER:
        raise NotTheAuthor
    return row
