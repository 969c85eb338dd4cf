"""A leave request by its id, for tools."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select

from whence.packs.leave.kind import REQUESTS
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.tables import LeaveRequestRow
from whence.sdk.errors import NotFound
from whence.sdk.tools import ToolContext


async def stored_request(request_id: UUID, context: ToolContext) -> LeaveRequest:
    """The request as it is stated now.  Raises NotFound."""
    table = LeaveRequestRow
    query = select(table).where(table.id == request_id, table.deleted_at.is_(None))
    async with context.unit() as session:
        row = (await session.scalars(query)).one_or_none()
        if row is None:
            raise NotFound("There is no such leave request.")
        request = REQUESTS.parse(row)
    assert isinstance(request, LeaveRequest)
    return request
