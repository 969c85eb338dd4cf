"""Announces stale research and offers to refresh it."""

from __future__ import annotations

from datetime import datetime, timedelta

from whence.chat.record_view import RecordView


def staleness(
    view: RecordView, stale_after: timedelta, researched_at: datetime | None = None
) -> str | None:
    """The announcement with its offer; None for fresh research and if there is none yet.

    Research is stale if it is older than `stale_after` or if the record changed since.  Its day is
    `researched_at`, where its dossier was computed again from what was found earlier.
    """
    if view.dossier is None:
        return None
    researched = researched_at or view.dossier.created_at
    age = view.at - researched
    reasons: list[str] = []
    if age > stale_after:
        reasons.append(f"is {format_age(age)} old")
    if view.changed_since:
        reasons.append(f"predates the last change of this {view.kind.title.lower()}")
    if not reasons:
        return None
    research_day = format_day(researched)
    return (
        f"The research of {research_day} {' and '.join(reasons)}, so it may be out of date. "
        "Shall I research it again?"
    )


def format_age(age: timedelta) -> str:
    """An age in the largest unit that fits: `3 hours`, `1 day`, `45 days`."""
    hours = int(age.total_seconds() // 3600)
    if age.days:
        return f"{age.days} day{'s' * (age.days != 1)}"
    return f"{hours} hour{'s' * (hours != 1)}" if hours else "less than an hour"


def format_day(at: datetime) -> str:
    """A day as people write it: `3 June 2026`."""
    return f"{at.day} {at:%B} {at.year}"
