"""The single 12-month periods of military caregiver leave, 29 CFR 825.127(e).

Each begins with the first leave for a servicemember.  For another servicemember, or a later injury,
a further one begins, and where two overlap, 26 weeks are the most in each (825.127(e)(2)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from whence.packs.leave.records import EarlierLeave, Law, LeaveRequest, Reason

from .periods import Period, single_period, year_from

Window = Callable[[date], Period | None]
"""From a day of leave to the period it falls in; None where it falls in none."""


def caregiver_leave(request: LeaveRequest) -> list[EarlierLeave]:
    """Earlier military caregiver leave under the FMLA."""
    return [one for one in request.earlier_leave if one.caregiver and Law.FMLA in one.laws]


def single_of(request: LeaveRequest, day: date, caring: Sequence[EarlierLeave]) -> Period | None:
    """The single 12-month period that a day falls in."""
    if request.caregiver_leave_began:
        period = year_from(request.caregiver_leave_began)
        return period if day in period else None
    return single_period(day, _spans(caring))


def earlier_singles(request: LeaveRequest, law: Law) -> Window | None:
    """The single periods of earlier caregiver leave, which bind caregiver leave for another
    servicemember too; None for other leave."""
    caring = caregiver_leave(request)
    if law is not Law.FMLA or request.reason is not Reason.MILITARY_CAREGIVER or not caring:
        return None
    return lambda day: single_period(day, _spans(caring))


def _spans(leave: Sequence[EarlierLeave]) -> list[Period]:
    return [Period(one.starts_on, one.ends_on) for one in leave]
