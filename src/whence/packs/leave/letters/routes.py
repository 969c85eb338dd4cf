"""`GET /api/leave/requests/{id}/letters`: the drafts for a request as it stands now."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select

from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.kind import REQUESTS
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.tables import LeaveRequestRow
from whence.sdk.errors import NotFound
from whence.sdk.routes import Access, RouteContext, route
from whence.sdk.values import Wire, now

from .drafting import Letter, letters


class WhichRequest(Wire):
    """The request whose notices are drafted."""

    request_id: UUID


class Letters(Wire):
    """The drafts, in the order in which they are given."""

    letters: list[Letter]


@route("GET", "/requests/{request_id}/letters", Access.READ)
async def draft_letters(request: WhichRequest, context: RouteContext) -> Letters:
    """Drafts of the employer's notices on a leave request: eligibility, rights and
    responsibilities, designation.  Nothing is stored or sent."""
    table = LeaveRequestRow
    query = select(table).where(table.id == request.request_id, table.deleted_at.is_(None))
    async with context.unit() as session:
        row = (await session.scalars(query)).one_or_none()
        if row is None:
            raise NotFound("There is no such leave request.")
        stated = REQUESTS.parse(row)
    assert isinstance(stated, LeaveRequest)
    return Letters(letters=letters(overview(stated, now().date())))


ROUTES = (draft_letters,)
