"""The types of qualifying exigency, and which of them end after so many days."""

from __future__ import annotations

from datetime import date, timedelta

from whence.packs.leave.records import Exigency, LeaveRequest, Reason

from .days import DAY

REST_DAYS = 15
"""Calendar days from the first day of the member's rest and recuperation, 29 CFR 825.126(b)(6)."""
SHORT_NOTICE_DAYS = 7
"""Calendar days from the day on which the call was told, 29 CFR 825.126(b)(1)(ii)."""
LIMITED = {Exigency.REST: REST_DAYS, Exigency.SHORT_NOTICE: SHORT_NOTICE_DAYS}


def exigency_days(request: LeaveRequest) -> int | None:
    """How many calendar days this type of exigency gives; None where its days are not limited."""
    if request.reason is not Reason.MILITARY_EXIGENCY or request.exigency is None:
        return None
    return LIMITED.get(request.exigency)


def exigency_ends(request: LeaveRequest) -> date | None:
    """The last day of leave for a limited exigency; None for another, or where it is not known."""
    days = exigency_days(request)
    if days is None or request.exigency_began_on is None:
        return None
    return request.exigency_began_on + timedelta(days=days) - DAY
