"""Public holidays by rule, and what they do to business days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.leave.eligibility.days import add_workdays, is_workday
from whence.packs.leave.eligibility.deadlines import deadlines, delay_until, is_late
from whence.packs.leave.eligibility.holidays import business_days, holiday, holidays_between
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.records import Law, LeaveRequest

NewRequest = Callable[..., LeaveRequest]
DAYS = st.dates(date(2013, 1, 1), date(2099, 12, 31))


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2026, 1, 1), "New Year's Day"),
        (date(2026, 1, 19), "Martin Luther King Day"),
        (date(2026, 2, 16), "Washington's Birthday"),
        (date(2026, 5, 25), "Memorial Day"),
        (date(2026, 6, 19), "Juneteenth"),
        (date(2026, 7, 3), "Independence Day"),
        (date(2026, 9, 7), "Labor Day"),
        (date(2026, 10, 12), "Columbus Day"),
        (date(2026, 11, 11), "Veterans Day"),
        (date(2026, 11, 26), "Thanksgiving"),
        (date(2026, 12, 25), "Christmas"),
        (date(2027, 12, 31), "New Year's Day"),
        (date(2023, 1, 2), "New Year's Day"),
        (date(2020, 6, 19), None),
        (date(2026, 7, 4), None),
        (date(2026, 3, 3), None),
    ],
)
def test_federal_holidays_are_on_the_weekday_on_which_they_are_kept(
    day: date, name: str | None
) -> None:
    assert holiday(day, california=False) == name


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2026, 3, 31), "Cesar Chavez Day"),
        (date(2024, 4, 1), "Cesar Chavez Day"),
        (date(2026, 11, 27), "the day after Thanksgiving"),
    ],
)
def test_california_has_two_more(day: date, name: str) -> None:
    assert holiday(day, california=True) == name
    assert holiday(day, california=False) is None


@given(DAYS, st.integers(1, 15), st.booleans())
def test_holidays_only_ever_make_a_day_later(day: date, count: int, california: bool) -> None:
    result = business_days(day, count, california=california)
    assert result.on == add_workdays(day, count)
    assert result.later >= result.on
    assert is_workday(result.later)
    assert holiday(result.later, california=california) is None
    assert bool(result.passed) == (result.later != result.on)


@given(DAYS)
def test_a_year_has_at_most_thirteen_holidays(day: date) -> None:
    first = date(day.year, 1, 1)
    result = holidays_between(first, date(day.year, 12, 31), california=True)
    assert 10 <= len(result) <= 14
    assert all(is_workday(one) for one, _ in result)


def test_an_answer_due_over_labor_day_is_told_both_ways(a_request: NewRequest) -> None:
    request = a_request(notice_given_on=date(2026, 9, 1))
    [due] = [one for one in deadlines(request, [Law.FMLA]) if one.name == "response_fmla"]
    assert (due.on, due.later) == (date(2026, 9, 8), date(2026, 9, 9))
    assert "Labor Day" in due.text
    assert "September 9, 2026" in due.text


def test_holidays_of_california_count_only_there(a_request: NewRequest) -> None:
    for place, later in ((True, date(2026, 4, 7)), (None, date(2026, 4, 7)), (False, None)):
        request = a_request(notice_given_on=date(2026, 3, 30), works_in_california=place)
        [due] = [one for one in deadlines(request, [Law.FMLA]) if one.name == "response_fmla"]
        assert (due.on, due.later) == (date(2026, 4, 6), later)


def test_the_answer_on_pregnancy_disability_leave_is_due_in_calendar_days(
    a_request: NewRequest,
) -> None:
    request = a_request(reason="pregnancy_disability", notice_given_on=date(2026, 12, 20))
    result = {one.name: one for one in deadlines(request, [Law.FMLA, Law.PDL])}
    assert result["response_pdl"].on == date(2026, 12, 30)
    assert result["response_pdl"].later is None
    assert result["response_fmla"].on == date(2026, 12, 25)
    assert result["response_fmla"].later == date(2026, 12, 28)


def test_notice_on_the_day_after_a_holiday_is_not_late(a_request: NewRequest) -> None:
    values = {"foreseeable": True, "starts_on": date(2026, 9, 21), "ends_on": None}
    known = date(2026, 9, 4)
    for given_on, late in ((date(2026, 9, 8), False), (date(2026, 9, 9), True)):
        assert is_late(a_request(**values, need_known_on=known, notice_given_on=given_on)) is late


def test_late_notice_may_delay_until_thirty_days_after_it(a_request: NewRequest) -> None:
    late = a_request(foreseeable=True, notice_given_on=date(2026, 2, 20))
    assert delay_until(late) == date(2026, 2, 20) + timedelta(days=30)
    assert any("until March 22, 2026 at most" in one for one in overview(late).warnings)
    known_late = a_request(
        foreseeable=True, need_known_on=date(2026, 2, 10), notice_given_on=date(2026, 2, 20)
    )
    assert is_late(known_late)
    assert delay_until(known_late) is None


def test_holidays_within_a_leave_are_told(a_request: NewRequest) -> None:
    whole = overview(a_request()).remarks
    assert any("Cesar Chavez Day" in one.text and "full week" in one.text for one in whole)
    parts = overview(a_request(pattern="intermittent", hours_off_per_week=8)).remarks
    assert any("only if the employee was to work" in one.text for one in parts)
    assert not overview(a_request(ends_on=date(2026, 3, 27))).remarks
