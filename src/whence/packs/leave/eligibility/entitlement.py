"""How much leave each law gives, what of it was used, and how far it carries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from whence.packs.leave.records import Law, LeaveRequest, Pattern, Reason, YearMethod

from .assessing import Eligibility, LawAssessment
from .book import Provision, RuleBook
from .caregiver_periods import Window, caregiver_leave, earlier_singles, single_of
from .days import DAY, add_months, year_end
from .editions import book_for
from .exigencies import exigency_ends
from .facts import bonding_ends
from .periods import Period, WeeksTaken, period_of, weeks_taken, year_from
from .workweek import workweek_of

MAX_YEARS = 2
"""Years that a leave is followed for at most: beyond them only a leave without end would go."""
ROUNDING = 1e-6
"""Weeks; what rounding may leave."""


@dataclass(frozen=True)
class LawLeave:
    """What one law gives for a request.  Weeks are workweeks of the employee's own schedule."""

    law: Law
    provision: Provision
    weeks: float
    hours: float | None
    """The same in hours, where the normal week is known."""
    method: YearMethod | None
    """How the 12-month period was counted; None for a period that no employer chooses."""
    chosen: bool
    """The employer's way is known; otherwise the one best for the employee was taken."""
    period: Period | None
    """The period at the first day; None where each pregnancy has its own."""
    used_weeks: float | None
    left_weeks: float | None
    left_hours: float | None
    covered_until: date | None
    """The last weekday that the leave left covers without a gap, at most the leave's last day."""
    covers_all: bool | None
    frees_up: tuple[tuple[date, float], ...] = ()
    """Rolling backward: from when on how many weeks of earlier leave count no more."""
    missing: tuple[str, ...] = ()
    """Fields without which what is left cannot be told."""
    since: date | None = None
    """The day of the leave from which the law gives it; None for the first day."""

    @property
    def is_exhausted(self) -> bool:
        """Nothing of it is left: the leave cannot be counted under this law."""
        return self.left_weeks is not None and self.left_weeks <= ROUNDING


def leave_under(
    request: LeaveRequest, assessed: Sequence[LawAssessment], book: RuleBook | None = None
) -> tuple[LawLeave, ...]:
    """What each law gives that the employee does not appear ineligible under."""
    book = book or book_for(request)
    open_laws = [one for one in assessed if one.eligibility is not Eligibility.NOT_ELIGIBLE]
    return tuple(_from_its_day(request, one, book) for one in open_laws)


def requested_weeks(request: LeaveRequest) -> float | None:
    """How many weeks of leave the request asks for, None where that cannot be told."""
    rate = _rate(request)
    if request.starts_on is None or request.ends_on is None or rate is None:
        return None
    return workweek_of(request).weeks(request.starts_on, request.ends_on) * rate


def _from_its_day(request: LeaveRequest, assessed: LawAssessment, book: RuleBook) -> LawLeave:
    """What a law gives; where it is met later, of the part of the leave from that day on."""
    if assessed.since is None:
        return _law_leave(request, assessed.law, book)
    later = request.model_copy(update={"starts_on": assessed.since})
    return replace(_law_leave(later, assessed.law, book), since=assessed.since)


def _law_leave(request: LeaveRequest, law: Law, book: RuleBook) -> LawLeave:
    if law is Law.PDL:
        return _leave(request, law, book, "pdl.amount", None)
    if law is Law.FMLA and request.reason is Reason.MILITARY_CAREGIVER:
        return _leave(request, law, book, "fmla.caregiver_amount", None)
    amount = f"{law.value}.amount"
    if request.year_method is not None:
        return _leave(request, law, book, amount, request.year_method)
    ways = [_leave(request, law, book, amount, method, chosen=False) for method in YearMethod]
    computable = [way for way in ways if way.left_weeks is not None]
    return max(computable or ways, key=_benefit)


def _benefit(way: LawLeave) -> tuple[float, date, bool]:
    """The better for the employee; of equal ways, rolling backward, which most employers take."""
    rolling = way.method is YearMethod.ROLLING
    return (way.left_weeks or 0.0, way.covered_until or date.min, rolling)


def _leave(
    request: LeaveRequest,
    law: Law,
    book: RuleBook,
    amount: str,
    method: YearMethod | None,
    *,
    chosen: bool = True,
) -> LawLeave:
    weeks, normal = book.weeks(amount), request.weekly_hours
    earlier, missing = _earlier_leave(request, law, book)
    window, overlapping = _window(request, law, method, earlier), earlier_singles(request, law)
    start = request.starts_on
    period = window(start) if start and window else None
    if start is None:
        missing = ("starts_on", *missing)
    if method is YearMethod.FIXED and request.leave_year_starts is None:
        missing = (*missing, "leave_year_starts")
    weeks_left = used = until = None
    covers = None
    if start is not None and not missing:
        used = _used(earlier, period)
        if overlapping and (other := overlapping(start)):
            used = max(used, _used(earlier, other))
        limit = weeks - _used_by_caregiver_leave(request, law, book, amount, earlier, used)
        is_over = period is not None and start not in period
        weeks_left = 0.0 if is_over else max(0.0, limit - used)
        until = _covered_until(request, start, limit, earlier, (window, overlapping))
        if request.ends_on is not None and _rate(request) is not None:
            rest = workweek_of(request).workdays((until or start) + DAY, request.ends_on)
            covers = until is not None and rest == 0
    return LawLeave(
        law=law,
        provision=book.provisions[amount],
        weeks=weeks,
        hours=None if normal is None else weeks * normal,
        method=method,
        chosen=chosen,
        period=period,
        used_weeks=used,
        left_weeks=weeks_left,
        left_hours=None if weeks_left is None or normal is None else weeks_left * normal,
        covered_until=until,
        covers_all=covers,
        frees_up=_frees_up(earlier, period) if method is YearMethod.ROLLING else (),
        missing=missing,
    )


def _earlier_leave(
    request: LeaveRequest, law: Law, book: RuleBook
) -> tuple[list[WeeksTaken], tuple[str, ...]]:
    """Earlier leave that counts under the law, and what would have to be known of it.

    Pregnancy disability leave is no CFRA leave, whatever it was called (2 CCR 11093), and at most
    12 weeks of one count as FMLA leave (2 CCR 11045(a)).
    """
    counted = [one for one in request.earlier_leave if law in one.laws]
    if law is Law.CFRA:
        counted = [one for one in counted if Law.PDL not in one.laws]
    if law is Law.PDL:
        counted = [one for one in counted if one.this_pregnancy]
    if law is Law.FMLA and request.reason is not Reason.MILITARY_CAREGIVER:
        counted = [one for one in counted if not one.caregiver]
    workweek = workweek_of(request)
    converted = [(one, weeks_taken(one, request.weekly_hours, workweek)) for one in counted]
    missing = ("weekly_hours",) if any(weeks is None for _, weeks in converted) else ()
    most = book.weeks("fmla.amount")
    return [
        weeks.first_weeks(most) if law is Law.FMLA and Law.PDL in one.laws else weeks
        for one, weeks in converted
        if weeks is not None
    ], missing


def _used_by_caregiver_leave(
    request: LeaveRequest,
    law: Law,
    book: RuleBook,
    amount: str,
    earlier: Sequence[WeeksTaken],
    used: float,
) -> float:
    """What military caregiver leave takes of the 12 weeks: in its single 12-month period 26 are the
    most for all reasons, and 12 for others than it (29 CFR 825.127(e)(3))."""
    if law is not Law.FMLA or amount != "fmla.amount" or request.starts_on is None:
        return 0.0
    caring = caregiver_leave(request)
    if not caring:
        return 0.0
    single = single_of(request, request.starts_on, caring)
    if single is None:
        return 0.0
    workweek = workweek_of(request)
    converted = [weeks_taken(one, request.weekly_hours, workweek) for one in caring]
    both = [*earlier, *(one for one in converted if one is not None)]
    open_weeks = book.weeks("fmla.caregiver_amount") - sum(one.weeks_in(single) for one in both)
    inside = book.weeks(amount) - sum(one.weeks_in(single) for one in earlier)
    left = max(0.0, min(open_weeks, inside))
    return max(0.0, book.weeks(amount) - used - left)


def _window(
    request: LeaveRequest, law: Law, method: YearMethod | None, earlier: Sequence[WeeksTaken]
) -> Window | None:
    """The window of each day; None where there is no period."""
    if law is Law.PDL:
        return None
    if method is None:
        if request.starts_on is None:
            return None
        single = year_from(request.caregiver_leave_began or request.starts_on)
        return lambda _: single
    spans = [Period(one.first, one.last) for one in earlier]
    if request.starts_on:
        spans.append(Period(request.starts_on, request.ends_on or date.max))
    return lambda day: period_of(method, day, spans, request.leave_year_starts)


def _used(earlier: Sequence[WeeksTaken], period: Period | None) -> float:
    if period is None:
        return sum(one.weeks for one in earlier)
    return sum(one.weeks_in(period) for one in earlier)


def _rate(request: LeaveRequest) -> float | None:
    """The part of each week that the leave takes; 1 for a continuous leave."""
    if request.pattern in (Pattern.INTERMITTENT, Pattern.REDUCED):
        if request.hours_off_per_week is None or request.weekly_hours is None:
            return None
        return min(1.0, request.hours_off_per_week / request.weekly_hours)
    return 1.0


def _covered_until(
    request: LeaveRequest,
    start: date,
    weeks: float,
    earlier: Sequence[WeeksTaken],
    windows: tuple[Window | None, Window | None],
) -> date | None:
    """Day by day until what is left does not cover one, the leave ends, or the child's first year,
    a limited exigency or the job does (29 CFR 825.216(a)(1))."""
    rate, workweek = _rate(request), workweek_of(request)
    if rate is None:
        return None
    share = rate / workweek.days
    end = request.ends_on or add_months(start, 12 * MAX_YEARS)
    limits = (bonding_ends(request), exigency_ends(request), request.job_ends_on)
    end = min([end, *(one for one in limits if one is not None)])
    window, overlapping = windows
    spent: list[date] = []
    last: date | None = None
    day = start
    while day <= end:
        if workweek.is_workday(day):
            period = window(day) if window else None
            periods = [period, overlapping(day)] if overlapping else [period]
            is_over = period is not None and day not in period
            if is_over or any(
                _used(earlier, one) + (_spent_in(one, spent) + 1) * share > weeks + ROUNDING
                for one in dict.fromkeys(periods)
                if one is not None or window is None
            ):
                break
            spent.append(day)
            last = day
        day += DAY
    return last


def _spent_in(period: Period | None, spent: Sequence[date]) -> int:
    """How many days of this leave, in order, lie in a period that goes on at least to the last."""
    return len(spent) - (bisect_left(spent, period.first) if period else 0)


def _frees_up(
    earlier: Sequence[WeeksTaken], period: Period | None
) -> tuple[tuple[date, float], ...]:
    """From a year after its first day on, an earlier leave counts less each day."""
    if period is None:
        return ()
    counting = [(one, one.weeks_in(period)) for one in earlier]
    return tuple(
        (year_end(max(one.first, period.first)) + DAY, weeks) for one, weeks in counting if weeks
    )
