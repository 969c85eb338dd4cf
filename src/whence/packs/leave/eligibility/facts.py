"""The facts of a request under the names that rules use; unknown ones stay unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import inf
from typing import TypeVar

from whence.packs.leave.records import BONDING, LeaveRequest

from .days import add_months, months_and_days, year_end
from .words import REASONS, RELATIONS, counted, number

W = TypeVar("W", bound=StrEnum)
LONGEST_MONTH = 31
"""Days; what days beyond whole months are a part of, so that 12 months and a day are over 12."""


@dataclass(frozen=True)
class Fact:
    """What is known of one fact: its value, or the bounds within which a number must lie."""

    fields: tuple[str, ...]
    """The fields of the request that carry it."""
    text: str
    word: str | None = None
    is_true: bool | None = None
    low: float = -inf
    high: float = inf
    missing: tuple[str, ...] = ()
    """Fields that would have to be known."""


def facts_of(request: LeaveRequest) -> Mapping[str, Fact]:
    """Every fact that a rule may look at."""
    return {
        "reason": _word("reason", request.reason, REASONS),
        "relation": _word("relation", request.relation, RELATIONS),
        "employees": _employees(request),
        "employees_within_75_miles": _nearby(request),
        "tenure_months": _tenure(request),
        "hours_last_12_months": _hours(request),
        "public_employer": _yes_no("public_employer", request.public_employer),
        "works_in_california": _yes_no("works_in_california", request.works_in_california),
        "medical_need": _yes_no("medical_need", request.medical_need),
        "line_of_duty": _yes_no("line_of_duty", request.line_of_duty),
        "active_duty": _yes_no("active_duty", request.active_duty),
        "child_counts": _child(request),
        "bonding_in_time": _bonding(request),
    }


def service_reaches(request: LeaveRequest, months: float) -> date | None:
    """The day on which the service is so many months long, None where the hire is unknown."""
    if request.hired_on is None:
        return None
    return add_months(request.hired_on, max(0, int(months) - request.earlier_service_months))


def bonding_ends(request: LeaveRequest) -> date | None:
    """The last day on which bonding leave can be taken; None for other leave, or not known."""
    if request.reason not in BONDING or request.child_arrives_on is None:
        return None
    return year_end(request.child_arrives_on)


def _employees(request: LeaveRequest) -> Fact:
    fields = ("employees",)
    if request.employees is not None:
        return _exactly(fields, request.employees, "employee")
    if request.employees_within_75_miles is not None:
        low = request.employees_within_75_miles
        text = f"at least {number(low)}, those near the worksite"
        return Fact(("employees_within_75_miles",), text, low=low, missing=fields)
    return Fact(fields, "not known", missing=fields)


def _nearby(request: LeaveRequest) -> Fact:
    fields = ("employees_within_75_miles",)
    if request.employees_within_75_miles is not None:
        return _exactly(fields, request.employees_within_75_miles, "employee")
    if request.employees is not None:
        text = f"at most {number(request.employees)}, as many as the employer has"
        return Fact(("employees",), text, high=request.employees, missing=fields)
    return Fact(fields, "not known", missing=fields)


def _tenure(request: LeaveRequest) -> Fact:
    fields = ("hired_on", "starts_on")
    if request.hired_on is None or request.starts_on is None:
        missing = tuple(name for name in fields if getattr(request, name) is None)
        return Fact(fields, "not known", missing=missing)
    months, days = months_and_days(request.hired_on, request.starts_on)
    months += request.earlier_service_months
    value = months + days / LONGEST_MONTH
    text = counted(months, "month") + (f" and {counted(days, 'day')}" if days else "")
    return Fact(fields, text, low=value, high=value)


def _hours(request: LeaveRequest) -> Fact:
    fields = ("hours_last_12_months",)
    if request.hours_last_12_months is None:
        return Fact(fields, "not known", missing=fields)
    return _exactly(fields, request.hours_last_12_months, "hour")


def _child(request: LeaveRequest) -> Fact:
    adult, cared = request.child_is_adult, request.child_needs_care
    if adult is False:
        return Fact(("child_is_adult",), "under 18", is_true=True)
    if cared is True:
        return Fact(("child_needs_care",), "cannot care for themself", is_true=True)
    if adult is True and cared is False:
        return Fact(("child_is_adult", "child_needs_care"), "18 or older", is_true=False)
    missing = ("child_is_adult",) if adult is None else ("child_needs_care",)
    return Fact(("child_is_adult",), "not known", missing=missing)


def _bonding(request: LeaveRequest) -> Fact:
    fields = ("child_arrives_on", "starts_on")
    arrival, start = request.child_arrives_on, request.starts_on
    if arrival is None or start is None:
        missing = tuple(name for name in fields if getattr(request, name) is None)
        return Fact(fields, "not known", missing=missing)
    months, days = months_and_days(arrival, start)
    text = f"{counted(months, 'month')} and {counted(days, 'day')} after the birth or placement"
    return Fact(fields, text, is_true=start <= year_end(arrival))


def _word(field: str, value: W | None, words: Mapping[W, str]) -> Fact:
    if value is None:
        return Fact((field,), "not known", missing=(field,))
    return Fact((field,), words[value], word=value)


def _yes_no(field: str, value: bool | None) -> Fact:
    if value is None:
        return Fact((field,), "not known", missing=(field,))
    return Fact((field,), "yes" if value else "no", is_true=value)


def _exactly(fields: tuple[str, ...], value: float, unit: str) -> Fact:
    return Fact(fields, counted(value, unit), low=value, high=value)
