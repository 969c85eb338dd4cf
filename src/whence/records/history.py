"""The history of a record from the audit log: who, when, what, why, by which proposal."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.paging import RowCursor
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.records.audit import BY_AGENT
from whence.tenancy.system import SYSTEM_NAME

_MADE = ("create", "import")
"""Actions whose entry may contain values: there was nothing before them."""
_LINES = text("""
    SELECT a.id, a.action, a.at, a.user_id, a.detail,
        CASE WHEN o.org_id IS NOT NULL THEN :system ELSE u.name END AS user_name
    FROM whence.audit_log a LEFT JOIN whence.users u ON u.id = a.user_id
    LEFT JOIN whence.organizations o ON o.system_user_id = a.user_id
    WHERE a.kind = :kind AND a.subject_id = :subject
    AND (CAST(:at AS timestamptz) IS NULL OR (a.at, a.id) < (:at, CAST(:after AS uuid)))
    ORDER BY a.at DESC, a.id DESC LIMIT :most
""")


class FieldChange(Wire):
    """A field by its wire name, before and after the change."""

    field: str
    before: Any
    after: Any


class HistoryEntry(Wire):
    """One action on a record."""

    id: UUID
    action: str
    """`create`, `update`, `delete`, `import`, `propose_change`, `apply_proposal`, `undo_proposal`,
    `decline_proposal`, `research_change`, or an action on research."""
    at: datetime
    user_id: UUID
    user_name: str | None
    """Null for somebody who has left the organization; `System` for what a schedule started."""
    by_agent: bool
    """Done by a run or an agent on the user's behalf."""
    changes: list[FieldChange]
    """The changed fields by name; `before` is null for a new record."""
    reason: str | None
    proposal_id: UUID | None
    run_id: UUID | None
    """The research job concerned."""


async def history(
    session: AsyncSession,
    kind: str,
    subject_id: UUID,
    *,
    limit: int,
    after: RowCursor | None = None,
) -> tuple[list[HistoryEntry], RowCursor | None]:
    """Newest first, and where the next page begins (None: this is the last)."""
    values = {"kind": kind, "subject": subject_id, "most": limit + 1, "system": SYSTEM_NAME}
    values |= {"at": after.at if after else None, "after": after.id if after else None}
    rows = (await session.execute(_LINES, values)).mappings().all()
    entries = [entry(**row) for row in rows[:limit]]
    return entries, RowCursor(entries[-1].at, entries[-1].id) if len(rows) > limit else None


def entry(*, action: str, detail: Mapping[str, Any], **line: Any) -> HistoryEntry:
    """An audit log entry for a reader."""
    return HistoryEntry(
        action=action,
        by_agent=detail.get(BY_AGENT) is True,
        changes=_changes(action, detail),
        reason=detail.get("reason"),
        proposal_id=detail.get("proposal"),
        run_id=detail.get("run"),
        **line,
    )


def _changes(action: str, detail: Mapping[str, Any]) -> list[FieldChange]:
    before, after = detail.get("before"), detail.get("after")
    if not (isinstance(before, dict) and isinstance(after, dict)):
        before, after = {}, detail if action in _MADE else {}
    old, new = cast("Mapping[str, Any]", before), cast("Mapping[str, Any]", after)
    return [
        FieldChange(field=camel(name), before=old.get(name), after=new[name])
        for name in sorted(new)
        if name != BY_AGENT
    ]
