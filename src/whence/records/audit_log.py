"""The audit log of an organization: every change of records, accounts and settings, for owners."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.paging import RowCursor
from whence.kernel.text import camel
from whence.records import references
from whence.records.audit import BY, BY_AGENT
from whence.records.history import FieldChange, HistoryEntry, entry
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal, require_owner
from whence.tenancy.system import SYSTEM_NAME

EXPORT_ROWS = 50_000
"""Longest export; a longer time is exported in parts."""
EXPORT_PAGE = 1_000
COLUMNS = ("at", "userId", "user", "byAgent", "action", "kind", "subjectId", "reason", "changes")
_ACTORS = {"visitor": "Somebody not signed in", "operator": "The operator of the server"}
"""Who acted where that is not the account of the line; its id stays that of the account."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet would run."""
_LINES = text("""
    SELECT a.id, a.action, a.kind, a.subject_id, a.at, a.user_id, a.detail,
        CASE WHEN o.org_id IS NOT NULL THEN :system ELSE u.name END AS user_name
    FROM whence.audit_log a LEFT JOIN whence.users u ON u.id = a.user_id
    LEFT JOIN whence.organizations o ON o.system_user_id = a.user_id
    WHERE a.org_id = whence.current_org()
    AND (CAST(:user AS uuid) IS NULL OR a.user_id = :user)
    AND (CAST(:kind AS text) IS NULL OR a.kind = :kind)
    AND (CAST(:action AS text) IS NULL OR a.action = :action)
    AND (CAST(:subject AS uuid) IS NULL OR a.subject_id = :subject)
    AND (CAST(:since AS timestamptz) IS NULL OR a.at >= :since)
    AND (CAST(:until AS timestamptz) IS NULL OR a.at < :until)
    AND (CAST(:before AS timestamptz) IS NULL OR (a.at, a.id) < (:before, CAST(:last AS uuid)))
    ORDER BY a.at DESC, a.id DESC LIMIT :most
""")
_NAMES = text("""
    SELECT kind, action, count(*) FROM whence.audit_log
    WHERE org_id = whence.current_org() GROUP BY kind, action ORDER BY kind, action
""")


class AuditEntry(HistoryEntry):
    """One line of the log: an entry of a record's history, with what it is about."""

    kind: str
    """A kind of record, or `account`, `organization` and the like."""
    subject_id: UUID | None
    subject_title: str | None = None
    """The record's title today; null for a record that is gone, and for what is no record."""
    detail: dict[str, Any]
    """What else the line holds, as it is stored."""


@dataclass(frozen=True)
class AuditFilter:
    """Which lines; a part that is None does not limit.  `until` itself is not included."""

    user_id: UUID | None = None
    kind: str | None = None
    action: str | None = None
    subject_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class AuditName:
    """An action on a kind that the log has, and how often."""

    kind: str
    action: str
    count: int


async def entries(
    session: AsyncSession,
    who: Principal,
    wanted: AuditFilter,
    *,
    limit: int,
    before: RowCursor | None = None,
) -> list[AuditEntry]:
    """At most `limit` lines, newest first; raises Forbidden except for owners."""
    require_owner(who)
    values = {
        "user": wanted.user_id,
        "kind": wanted.kind,
        "action": wanted.action,
        "subject": wanted.subject_id,
        "since": wanted.since,
        "until": wanted.until,
        "before": before.at if before else None,
        "last": before.id if before else None,
        "most": limit,
        "system": SYSTEM_NAME,
    }
    rows = (await session.execute(_LINES, values)).mappings().all()
    return [_entry(**row) for row in rows]


async def titled(
    session: AsyncSession, kinds: Iterable[SubjectKind], lines: Sequence[AuditEntry]
) -> list[AuditEntry]:
    """The same lines, each with the title of its record."""
    records = [(line.kind, line.subject_id) for line in lines if line.subject_id]
    known = await references.titles(session, kinds, records)
    return [
        line.model_copy(update={"subject_title": known.get(line.subject_id)})
        if line.subject_id
        else line
        for line in lines
    ]


async def names(session: AsyncSession, who: Principal) -> list[AuditName]:
    """The kinds and actions that the log has; raises Forbidden except for owners."""
    require_owner(who)
    return [AuditName(*row) for row in await session.execute(_NAMES)]


async def exported(db: Database, who: Principal, wanted: AuditFilter) -> AsyncGenerator[str]:
    """The lines as CSV, newest first, at most `EXPORT_ROWS` of them.

    Raises Forbidden except for owners.
    """
    require_owner(who)
    yield _csv_line(COLUMNS)
    before: RowCursor | None = None
    for _ in range(EXPORT_ROWS // EXPORT_PAGE):
        async with db.unit(who.org_id) as session:
            page = await entries(session, who, wanted, limit=EXPORT_PAGE, before=before)
        yield "".join(map(_exported_line, page))
        if len(page) < EXPORT_PAGE:
            break
        before = RowCursor(page[-1].at, page[-1].id)


def _entry(*, kind: str, subject_id: UUID | None, detail: dict[str, Any], **row: Any) -> AuditEntry:
    line = entry(detail=_readable(detail), **row)
    values = {name: getattr(line, name) for name in HistoryEntry.model_fields}
    pairs = {name: pair for name, pair in detail.items() if _is_pair(pair)}
    if pairs:
        values["changes"] = [FieldChange(field=camel(name), **pairs[name]) for name in pairs]
        named = set(pairs)
    elif line.changes and "after" in detail:
        named = {"before", "after"}
    else:
        named = set(detail) if line.changes else set[str]()
    named |= {"reason"} if line.reason else set()
    named |= {BY, BY_AGENT}
    rest = {name: value for name, value in detail.items() if name not in named}
    values["user_name"] = _ACTORS.get(detail.get(BY, ""), line.user_name)
    return AuditEntry(**values, kind=kind, subject_id=subject_id, detail=rest)


def _readable(detail: dict[str, Any]) -> dict[str, Any]:
    """The details without members that other kinds of entries use in another sense."""
    odd = {name for name in ("run", "proposal") if not _is_id(detail.get(name))}
    odd |= set() if isinstance(detail.get("reason"), str) else {"reason"}
    return {name: value for name, value in detail.items() if name not in odd}


def _is_id(value: object) -> bool:
    try:
        UUID(str(value))
    except ValueError:
        return False
    return True


def _is_pair(value: object) -> bool:
    """Whether this is one value before and after a change, as some entries store them."""
    return isinstance(value, dict) and set(cast("dict[str, Any]", value)) == {"before", "after"}


def _exported_line(line: AuditEntry) -> str:
    changes = {each.field: {"before": each.before, "after": each.after} for each in line.changes}
    return _csv_line(
        (
            line.at.isoformat(),
            str(line.user_id),
            line.user_name or "",
            "yes" if line.by_agent else "",
            line.action,
            line.kind,
            str(line.subject_id or ""),
            line.reason or "",
            json.dumps(changes or line.detail, ensure_ascii=False, default=str),
        )
    )


def _csv_line(cells: tuple[str, ...]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(_inert(cell) for cell in cells)
    return out.getvalue()


def _inert(cell: str) -> str:
    """A cell that a spreadsheet shows and does not run."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
