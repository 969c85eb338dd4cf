"""A leave request by its id, for tools."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import StringConstraints
from sqlalchemy import select

from whence.packs.leave.kind import REQUESTS
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.tables import LeaveRequestRow
from whence.sdk.errors import NotFound
from whence.sdk.tools import ToolContext

RequestId = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
"""The id of a request: whence's own, or the one that its import brought (`LR-001`)."""


async def stored_request(request_id: str, context: ToolContext) -> LeaveRequest:
    """The request as it is stated now.  Raises NotFound."""
    table = LeaveRequestRow
    by_id = _id(request_id)
    named = table.external_id == request_id if by_id is None else table.id == by_id
    query = select(table).where(named, table.deleted_at.is_(None))
    async with context.unit() as session:
        row = (await session.scalars(query)).one_or_none()
        if row is None:
            raise NotFound(
                f"There is no leave request '{request_id}'; name it by its id, or by the one that "
                "its import brought."
            )
        request = REQUESTS.parse(row)
    assert isinstance(request, LeaveRequest)
    return request


def _id(reference: str) -> UUID | None:
    try:
        return UUID(reference)
    except ValueError:
        return None
