"""Old research is announced, with an offer to refresh it."""

from __future__ import annotations

from datetime import datetime, timedelta

from whence.chat.record_view import RecordView


def staleness(look: RecordView, stale_after: timedelta) -> str | None:
    """The announcement with its offer; None for fresh research, and where there is none yet.

    Research is stale when it is older than `stale_after`, or when the record changed since.
    """
    if look.dossier is None:
        return None
    age = look.at - look.dossier.created_at
    reasons: list[str] = []
    if age > stale_after:
        reasons.append(f"is {told_age(age)} old")
    if look.changed_since:
        reasons.append(f"was made before this {look.kind.title.lower()} was last changed")
    if not reasons:
        return None
    made = told_day(look.dossier.created_at)
    return (
        f"The research of {made} {' and '.join(reasons)}, so it may no longer hold. "
        "Shall I look again?"
    )


def told_age(age: timedelta) -> str:
    """An age in the largest unit that fits: `3 hours`, `1 day`, `45 days`."""
    hours = int(age.total_seconds() // 3600)
    if age.days:
        return f"{age.days} day{'s' * (age.days != 1)}"
    return f"{hours} hour{'s' * (hours != 1)}" if hours else "less than an hour"


def told_day(at: datetime) -> str:
    """A day as people write it: `3 June 2026`."""
    return f"{at.day} {at:%B} {at.year}"
