"""The days of a leave as a calendar: under each law, which of them it covers."""

from __future__ import annotations

from datetime import date, timedelta

from whence.packs.leave.eligibility.days import DAY
from whence.packs.leave.eligibility.entitlement import LawLeave
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.eligibility.workweek import workweek_of
from whence.packs.leave.flows.dossier import cover_words, leave_words
from whence.sdk.wizards import Calendar, CalendarRow, CalendarSpan

LONGEST = timedelta(weeks=30)
"""The longest strip: a leave of 26 weeks, and what is left of its months."""


def calendar_of(assessment: Overview) -> Calendar | None:
    """The leave's days by law; None without a first day, or without a law that may give leave."""
    request = assessment.request
    first = request.starts_on
    if first is None or not assessment.leave:
        return None
    covered = [one.covered_until for one in assessment.leave if one.covered_until]
    last = request.ends_on or max(covered, default=first)
    last = min(max(first, last), first + LONGEST)
    workweek = workweek_of(request)
    return Calendar(
        first=first,
        last=last,
        weekdays=sorted(workweek.weekdays),
        days_off=sorted(one for one in workweek.not_counted if first <= one <= last),
        rows=[_row(one, first, last) for one in assessment.leave],
    )


def _row(leave: LawLeave, first: date, last: date) -> CalendarRow:
    text = " ".join(filter(None, [leave_words(leave), cover_words(leave)]))
    return CalendarRow(title=LAWS[leave.law], text=text, spans=_spans(leave, first, last))


def _spans(leave: LawLeave, first: date, last: date) -> list[CalendarSpan]:
    if leave.left_weeks is None:
        return [CalendarSpan(first=first, last=last, state="unknown")]
    begins = leave.since or first
    until = min(leave.covered_until, last) if leave.covered_until else begins - DAY
    pieces = [
        CalendarSpan(first=first, last=begins - DAY, state="not_covered"),
        CalendarSpan(first=begins, last=until, state="covered"),
        CalendarSpan(first=until + DAY, last=last, state="not_covered"),
    ]
    return [one for one in pieces if one.first <= one.last]
