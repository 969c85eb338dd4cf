"""Saved views of a kind's list: their names, filters, order and columns."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path

from whence.kernel.wire import Wire
from whence.records import saved_views
from whence.records.saved_views import NewView, SavedViewRow, ViewChange
from whence.tenancy.principal import Principal, Role, Scope
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/views/{kind}", tags=["views"])
KindName = Annotated[str, Path(max_length=100)]
ViewId = Annotated[UUID, Path(alias="viewId")]


class SavedView(Wire):
    """A list that somebody saved."""

    id: UUID
    kind: str
    title: str
    parameters: dict[str, str | list[str]]
    """Those of the list's address, and `columns`."""
    is_shared: bool
    """Whether everybody in the organization sees it."""
    is_mine: bool
    may_change: bool
    created_at: datetime
    updated_at: datetime


@router.get("")
async def list_views(platform: CurrentPlatform, who: Reader, kind: KindName) -> list[SavedView]:
    """Your views of this kind's list, and those that others share; the oldest first."""
    async with platform.unit(who) as session:
        rows = await saved_views.listed(session, who, platform.kind(kind))
        return [_shown(row, who) for row in rows]


@router.post("", status_code=201)
async def create_view(
    platform: CurrentPlatform, who: Writer, kind: KindName, body: NewView
) -> SavedView:
    """Save a view.  422: the list does not take these parameters; 409: you have 50 already."""
    async with platform.unit(who) as session:
        return _shown(await saved_views.create(session, who, platform.kind(kind), body), who)


@router.patch("/{viewId}")
async def change_view(
    platform: CurrentPlatform, who: Writer, kind: KindName, view_id: ViewId, body: ViewChange
) -> SavedView:
    """Rename, change or share a view; its author and owners may."""
    async with platform.unit(who) as session:
        row = await saved_views.change(session, who, platform.kind(kind), view_id, body)
        return _shown(row, who)


@router.delete("/{viewId}", status_code=204)
async def delete_view(
    platform: CurrentPlatform, who: Writer, kind: KindName, view_id: ViewId
) -> None:
    """Delete a view; its author and owners may."""
    async with platform.unit(who) as session:
        await saved_views.delete(session, who, platform.kind(kind), view_id)


def _shown(row: SavedViewRow, who: Principal) -> SavedView:
    is_mine = row.user_id == who.user_id
    return SavedView(
        id=row.id,
        kind=row.kind,
        title=row.title,
        parameters=row.parameters,
        is_shared=row.is_shared,
        is_mine=is_mine,
        may_change=Scope.WRITE in who.scopes and (is_mine or who.role is Role.OWNER),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
