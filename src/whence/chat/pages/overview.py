"""The research status of all records of a kind, for pages that list them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, literal_column, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.citing.fencing import one_line
from whence.chat.load_record_view import FLOW
from whence.evidence.lanes import LaneName
from whence.kernel.errors import Misconfigured
from whence.records.kind import SubjectKind

MAX_NAMES = 10
"""Records to name in each group; a list of thousands is only counted."""
MAX_NAME_CHARACTERS = 80
"""Characters of a record's name in a sentence."""
_CONDITIONS = {
    "all": "true",
    "researched": "researched",
    "waiting": "NOT researched AND NOT under_way",
    "under_way": "under_way",
    "stale": "researched AND stale",
}
_RECORDS = """
    WITH found AS MATERIALIZED (
        SELECT s.id, s.created_at, s.{name} AS name, d.id IS NOT NULL AS researched,
            r.id IS NOT NULL AS under_way, d.created_at < :old OR d.record_changed
                OR (d.subject_version IS NOT NULL AND d.subject_version <> s.version) AS stale
        FROM {table} s
        LEFT JOIN whence.dossiers d ON d.org_id = s.org_id AND d.kind = :kind
            AND d.subject_id = s.id AND d.flow = :flow AND d.lane = :lane AND d.is_current
        LEFT JOIN (whence.runs r JOIN whence.work w ON w.org_id = r.org_id AND w.id = r.id
                AND w.status IN ('pending', 'running', 'paused'))
            ON r.org_id = s.org_id AND r.kind = :kind AND r.subject_id = s.id
            AND r.flow = :flow AND r.lane = :lane
        WHERE s.deleted_at IS NULL)
"""
_GROUP = """
    SELECT '{standing}', (SELECT count(*) FROM found WHERE {holds}), ARRAY(SELECT name FROM found
        WHERE {holds} ORDER BY created_at DESC, id DESC LIMIT :named)
"""
_GROUPS = _RECORDS + " UNION ALL ".join(
    _GROUP.replace("{standing}", standing).replace("{holds}", holds)
    for standing, holds in _CONDITIONS.items()
)
_ENDS = re.compile(r"[.!?…]+(?=\s|$)")


@dataclass(frozen=True)
class RecordGroup:
    """The number of records in a group, and the names of the newest."""

    total: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Overview:
    """The records of a kind in groups by research status; one may be in several groups."""

    all: RecordGroup
    researched: RecordGroup
    waiting: RecordGroup
    """Neither researched nor being researched."""
    under_way: RecordGroup
    stale: RecordGroup
    """Researched longer ago than allowed, or changed since."""


async def overview(
    session: AsyncSession, kind: SubjectKind, stale_after: timedelta, at: datetime
) -> Overview:
    """The groups of a kind's records, named by the kind's first search column."""
    if kind.title_column is None:
        raise Misconfigured(f"The kind '{kind.kind}' has no search column to name its records by.")
    table = kind.row.__table__
    query = text(
        _GROUPS.format(name=literal_column(kind.title_column), table=str(table))
    ).bindparams(bindparam("old", at - stale_after))
    values = {
        "kind": kind.kind,
        "flow": FLOW,
        "lane": LaneName.PRIMARY.value,
        "named": MAX_NAMES,
    }
    rows = await session.execute(query, values)
    return Overview(
        **{
            standing: RecordGroup(total, tuple(map(name_in_sentence, names)))
            for standing, total, names in rows
        }
    )


def name_in_sentence(name: str) -> str:
    """A name written by others, safe inside a sentence: one line, short, without full stops."""
    name = _ENDS.sub("", one_line(name))
    return (
        name if len(name) <= MAX_NAME_CHARACTERS else f"{name[: MAX_NAME_CHARACTERS - 1].rstrip()}…"
    )
