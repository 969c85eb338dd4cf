"""The list of leave requests: how many, for what, which begin soon, and how they stand."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.leave.chat.offer import STALE_AFTER
from whence.packs.leave.kind import REQUESTS
from whence.packs.leave.records import Reason
from whence.packs.leave.tables import LeaveRequestRow
from whence.sdk.access import Principal
from whence.sdk.pages import (
    Page,
    PageEntry,
    PageIds,
    PageTopic,
    PageValues,
    PageView,
    name_in_sentence,
    overview,
    overview_entries,
    overview_topics,
    reads_out,
)

from .laws import LAWS_TOPIC, law_entry

PROMPT = Path(__file__).parent.parent / "prompts" / "page_requests.md"
REASONS, SOON = "reasons", "soon"
SOON_DAYS = 30
"""As many days as notice is due ahead where the need is foreseeable, 29 CFR 825.302(a)."""
MOST_NAMED = 10


class RequestsValues(PageValues):
    """What the template of the list says."""

    requests: int
    assessed: int


async def load(session: AsyncSession, who: Principal, ids: PageIds, at: datetime) -> PageView:
    """The list's figures: standings, reasons, and what begins soon."""
    summary = await overview(session, REQUESTS, STALE_AFTER, at)
    entries = overview_entries(summary, "leave request", "leave requests", STALE_AFTER)
    return PageView(
        [*entries, await _reasons(session), await _soon(session, at), law_entry()],
        RequestsValues(requests=summary.all.total, assessed=summary.researched.total),
    )


async def _reasons(session: AsyncSession) -> PageEntry:
    row = LeaveRequestRow
    query = select(row.reason, func.count()).where(row.deleted_at.is_(None)).group_by(row.reason)
    counts: dict[str | None, int] = {each[0]: each[1] for each in await session.execute(query)}
    parts = [f"{counts[r]} {r.value.replace('_', ' ')}" for r in Reason if r in counts]
    if None in counts:
        parts.append(f"{counts[None]} without a reason")
    text = f"By reason the requests are: {', '.join(parts)}." if parts else "No leave requests."
    return PageEntry(REASONS, "Leave requests by reason", text)


async def _soon(session: AsyncSession, at: datetime) -> PageEntry:
    """Leave that begins within the days of notice, the first one first."""
    row = LeaveRequestRow
    until = (at + timedelta(days=SOON_DAYS)).date().isoformat()
    begins = (
        row.deleted_at.is_(None),
        row.starts_on >= at.date().isoformat(),
        row.starts_on <= until,
    )
    total = await session.scalar(select(func.count()).select_from(row).where(*begins)) or 0
    first = select(row.title, row.starts_on).where(*begins).order_by(row.starts_on, row.id)
    names = [
        f"“{name_in_sentence(title)}” on {day}"
        for title, day in await session.execute(first.limit(MOST_NAMED))
    ]
    span = f"within {SOON_DAYS} days, up to {until}"
    things = "leave begins" if total == 1 else "leaves begin"
    rest = f", and {total - len(names)} more" if total > len(names) else ""
    which = f": {', '.join(names)}{rest}" if names else ""
    return PageEntry(SOON, "Leave that begins soon", f"{total or 'No'} {things} {span}{which}.")


REQUESTS_PAGE = Page(
    name="leave.requests",
    title="Leave requests",
    prompt=PROMPT,
    values=RequestsValues,
    load=load,
    tools=("search_leave_rules",),
    topics=(
        LAWS_TOPIC,
        PageTopic(
            SOON,
            "what begins soon",
            (r"\bsoon\b", r"\bnext\b", r"\bbegin", r"\bstart", r"\bupcoming\b", r"\bthis month\b"),
            reads_out(SOON),
            "Which leave begins soon?",
        ),
        PageTopic(
            REASONS,
            "what the leave is for",
            (r"\breasons?\b", r"\bwhat .*\bfor\b", r"\bwhy\b", r"\bbonding\b", r"\bpregnan",
             r"\bfamily care\b", r"\bmilitary\b"),
            reads_out(REASONS),
            "What is the leave for?",
        ),
        *overview_topics("leave requests"),
    ),
)  # fmt: skip
