"""`whence import leave.requests`: one JSON object a line, or a table with the same headers."""

from __future__ import annotations

from pathlib import Path

from whence.sdk.imports import Batch, Importer, undo_records, upsert_row
from whence.sdk.tabular import (
    Cells,
    Context,
    Field,
    Layout,
    Reading,
    RowRefused,
    header_key,
    known_keys,
    line_of_text,
    match,
    open_table,
)
from whence.sdk.values import now

from .kind import REQUESTS
from .records import LeaveRequest

FIELDS = (
    Field("id", ("id", "externalid"), is_required=True),
    *(Field(name, (header_key(name),)) for name in LeaveRequest.model_fields),
)


def read_requests(path: Path) -> Reading[LeaveRequest]:
    """The requests in a file; fields as the API calls them, in either spelling."""
    table = open_table(path, Layout(known_keys(FIELDS)))
    return Reading(table, match(table.headers, FIELDS), now(), _request)


def _request(cells: Cells, _: str, __: Context) -> LeaveRequest:
    if not cells.need("id", line_of_text):
        raise RowRefused("id", None, "The id is empty.")
    stated = {name: cells.value(name) for name in LeaveRequest.model_fields}
    return LeaveRequest.model_validate(
        {name: value for name, value in stated.items() if value is not None}
    )


async def write_requests(batch: Batch[LeaveRequest]) -> None:
    """Requests by their `id`; importing a file again changes only what differs."""
    for row in batch.rows:
        await upsert_row(batch, REQUESTS, row)


REQUEST_IMPORT = Importer(
    "requests",
    "Leave requests",
    read_requests,
    write_requests,
    undo=undo_records(REQUESTS),
    kind=REQUESTS,
)
