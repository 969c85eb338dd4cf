"""`whence import leave.requests`: one JSON object a line, all in one transaction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.sdk.errors import Invalid
from whence.sdk.imports import ImportContext, ImportReport, Refusal
from whence.sdk.records import audit
from whence.sdk.text import clean
from whence.sdk.values import new_id, now

from .records import LeaveRequest
from .tables import LeaveRequestRow

SHOWN = 80
"""Characters of a refused line that are told."""


async def import_requests(context: ImportContext, path: Path) -> ImportReport:
    """Requests by their `id`; importing a file again changes only what differs."""
    refused: list[Refusal] = []
    counts = {"added": 0, "updated": 0, "unchanged": 0}
    async with context.db.unit(context.principal.org_id) as session:
        for number, line in enumerate(_text(path).splitlines(), start=1):
            if not line.strip():
                continue
            try:
                external_id, request = _parsed(line)
            except (ValueError, LookupError, TypeError, RecursionError) as problem:
                refused.append(Refusal(number, None, line[:SHOWN], _told(problem)))
                continue
            counts[await _write(session, context, external_id, request)] += 1
    return ImportReport(
        added=counts["added"],
        updated=counts["updated"],
        unchanged=counts["unchanged"],
        refused=tuple(refused),
    )


def _parsed(line: str) -> tuple[str, LeaveRequest]:
    raw: Any = json.loads(line)
    if not isinstance(raw, dict):
        raise ValueError("the line is no JSON object")
    data = cast("dict[str, Any]", raw)
    external_id = clean(str(data.pop("id")))
    if not external_id:
        raise ValueError("the id is empty")
    return external_id, LeaveRequest.model_validate_json(json.dumps(data))


def _told(problem: Exception) -> str:
    if isinstance(problem, ValidationError):
        first = problem.errors(include_url=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}"
    if isinstance(problem, KeyError):
        return f"the field {problem} is missing"
    return f"no request: {problem}"[:200]


async def _write(
    session: AsyncSession, context: ImportContext, external_id: str, request: LeaveRequest
) -> str:
    table = LeaveRequestRow
    query = select(table).where(table.external_id == external_id, table.deleted_at.is_(None))
    row = (await session.scalars(query.with_for_update())).one_or_none()
    values = request.model_dump(mode="json")
    who = context.principal
    if row is None:
        row = table(id=new_id(), external_id=external_id, **values)
        session.add(row)
        await audit(session, who, "import", "leave-requests", row.id, values)
        return "added"
    before = {name: getattr(row, name) for name in values if getattr(row, name) != values[name]}
    if not before:
        return "unchanged"
    changed = {name: values[name] for name in before}
    change = {"before": before, "after": changed}
    await audit(session, who, "import", "leave-requests", row.id, change)
    for name, value in changed.items():
        setattr(row, name, value)
    row.version += 1
    row.updated_at = now()
    return "updated"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Invalid("This file is not UTF-8 text; save it as UTF-8.") from error
