"""How long and how much the employee has worked, as each law counts it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from whence.packs.leave.records import Law, LeaveRequest, OpenFact, Reason, YearMethod

from .days import DAY, add_months, months_and_days
from .fact import Fact, exactly
from .periods import Period, period_of
from .words import counted

LONGEST_MONTH = 31
"""Days; what days beyond whole months are a part of, so that 12 months and a day are over 12."""
LONG_BREAK = 84
"""Months of a break after which earlier service counts only by exception, 29 CFR 825.110(b)."""
CREW_HOURS = 504
"""Hours worked or paid that flight crew needs, 29 CFR 825.801(b)."""
TENURE = ("tenure_months", "tenure_cfra")


def service_facts(request: LeaveRequest) -> Mapping[str, Fact]:
    """Months and hours of service, and the leave after which they are not measured again."""
    return {
        "tenure_months": _tenure(request, Law.FMLA),
        "tenure_cfra": _tenure(request, Law.CFRA),
        "hours_last_12_months": _hours(request),
        "hours_cfra": _hours_before_bonding(request) or _hours(request),
        "flight_crew": Fact(("flight_crew",), "", is_true=bool(request.flight_crew)),
        "crew_service": _crew(request),
        "same_reason_fmla": _same_reason(request, Law.FMLA),
        "same_reason_cfra": _same_reason(request, Law.CFRA),
    }


def service_reaches(request: LeaveRequest, months: float, law: Law) -> date | None:
    """The day on which the service is so many months long, None where the hire is unknown."""
    if request.hired_on is None:
        return None
    least, _ = _earlier_months(request, law)
    return add_months(request.hired_on, max(0, int(months) - least))


def _earlier_months(request: LeaveRequest, law: Law) -> tuple[int, int]:
    """The least and the most of the earlier service that counts.

    CFRA sets no limit to a break; under the FMLA service before seven years counts only by
    exception.
    """
    months, ended = request.earlier_service_months, request.earlier_service_ended_on
    if law is Law.FMLA and request.is_open(OpenFact.EARLIER_SERVICE):
        return 0, months
    if law is not Law.FMLA or ended is None or request.hired_on is None:
        return months, months
    away, _ = months_and_days(ended, request.hired_on)
    if away < LONG_BREAK or request.break_excused:
        return months, months
    return (0, months) if request.break_excused is None else (0, 0)


def _tenure(request: LeaveRequest, law: Law) -> Fact:
    fields = ("hired_on", "starts_on")
    if request.hired_on is None or request.starts_on is None:
        missing = tuple(name for name in fields if getattr(request, name) is None)
        return Fact(fields, "not known", missing=missing)
    months, days = months_and_days(request.hired_on, request.starts_on)
    least, most = _earlier_months(request, law)
    low, high = (months + more + days / LONGEST_MONTH for more in (least, most))
    text = counted(months + least, "month") + (f" and {counted(days, 'day')}" if days else "")
    if least != most:
        is_open = request.is_open(OpenFact.EARLIER_SERVICE)
        text += f", and {counted(most, 'month')} before a break that may be of seven years or more"
        missing = "earlier_service_ended_on" if is_open else "break_excused"
        return Fact(fields, text, low=low, high=high, missing=(missing,))
    return Fact(fields, text, low=low, high=high)


def _hours(request: LeaveRequest) -> Fact:
    """Hours worked, and those that military service kept from being worked
    (29 CFR 825.110(c)(2))."""
    fields, credit = ("hours_last_12_months",), request.military_hours
    if request.hours_last_12_months is None:
        return Fact(fields, "not known", missing=fields)
    if not credit:
        worked = request.hours_last_12_months
        if unsure := _unsure_of_hours(request, worked):
            return Fact(fields, counted(worked, "hour"), low=worked, missing=unsure)
        return exactly(fields, request.hours_last_12_months, "hour")
    total = request.hours_last_12_months + credit
    text = f"{counted(total, 'hour')}, {counted(credit, 'hour')} of military service among them"
    return Fact((*fields, "military_hours"), text, low=total, high=total)


def _unsure_of_hours(request: LeaveRequest, worked: float) -> tuple[str, ...]:
    """What was asked for and is not known, and could make too few hours enough."""
    unsure = [OpenFact.MILITARY_HOURS] if request.is_open(OpenFact.MILITARY_HOURS) else []
    if worked >= CREW_HOURS and request.is_open(OpenFact.FLIGHT_CREW):
        unsure.append(OpenFact.FLIGHT_CREW)
    return tuple(fact.value for fact in unsure)


def _hours_before_bonding(request: LeaveRequest) -> Fact | None:
    """Bonding right after pregnancy disability leave looks at the hours before that leave
    (2 CCR 11087(e), 11093(c)); None for other leave, and where the later hours are enough."""
    if request.reason is not Reason.BONDING_BIRTH or not _follows_pregnancy_leave(request):
        return None
    name = "hours_before_pregnancy_leave"
    before, worked = request.hours_before_pregnancy_leave, request.hours_last_12_months
    if before is None:
        text = "not known for the 12 months before the pregnancy leave"
        return Fact((name, "hours_last_12_months"), text, low=worked or 0.0, missing=(name,))
    text = f"{counted(before, 'hour')} in the 12 months before the pregnancy leave"
    return Fact((name,), text, low=before, high=before)


def _follows_pregnancy_leave(request: LeaveRequest) -> bool:
    """Whether pregnancy disability leave for this child ended on the last workday before, or
    within a weekend of it."""
    start = request.starts_on
    return start is not None and any(
        Law.PDL in one.laws and one.this_pregnancy and 0 < (start - one.ends_on).days <= WEEKEND
        for one in request.earlier_leave
    )


WEEKEND = 4
"""Days from the last day of one leave to the first of the next that follows it: a long weekend."""


def _crew(request: LeaveRequest) -> Fact:
    """60 percent of the monthly guarantee, and 504 hours, those among them that military service
    kept from being worked (29 CFR 825.801(c))."""
    hours, guarantee = request.crew_hours, request.crew_guarantee_met
    fields, credit = ("crew_hours", "crew_guarantee_met"), request.military_hours or 0.0
    hours = None if hours is None else hours + credit
    known = [f"{counted(hours, 'hour')} worked or paid"] if hours is not None else []
    if known and credit:
        known.append(f"{counted(credit, 'hour')} of military service among them")
    if guarantee is not None:
        known.append(f"{'at least' if guarantee else 'less than'} 60 percent of the guarantee")
    text = ", ".join(known) or "not known"
    if guarantee is False or (hours is not None and hours < CREW_HOURS):
        return Fact(fields, text, is_true=False)
    missing = tuple(name for name in fields if getattr(request, name) is None)
    return Fact(fields, text, is_true=None if missing else True, missing=missing)


def _same_reason(request: LeaveRequest, law: Law) -> Fact:
    """Leave for the same reason in the same 12 months: eligibility is not measured again
    (29 CFR 825.300(b)(1); 2 CCR 11096)."""
    fields = ("earlier_leave",)
    text = "measured at the first leave for this reason in the 12 months"
    earlier = [one for one in request.earlier_leave if one.same_reason and law in one.laws]
    start = request.starts_on
    if start is None or not earlier:
        return Fact(fields, "no", is_true=False)
    spans = [Period(one.starts_on, one.ends_on) for one in earlier]
    ways = [request.year_method] if request.year_method else list(YearMethod)
    within = [_within(way, start, spans, request.leave_year_starts) for way in ways]
    if any(within) and not all(within):
        return Fact(fields, "not known", missing=("year_method",))
    return Fact(fields, text, is_true=all(within))


def _within(way: YearMethod, start: date, spans: list[Period], year_starts: str | None) -> bool:
    period = period_of(way, start, [*spans, Period(start, start)], year_starts)
    if period is None:  # the first day of the fixed year is not known
        period = Period(add_months(start, -12) + DAY, start)
    return any(span.last >= period.first for span in spans)
