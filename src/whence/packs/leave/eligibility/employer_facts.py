"""Who the employer is, and how many employees count."""

from __future__ import annotations

from collections.abc import Mapping

from whence.packs.leave.records import LeaveRequest, OpenFact

from .fact import Fact, exactly, yes_no
from .words import counted, number

COVERED_WEEKS = 20
"""Workweeks with 50 employees, of this or the last calendar year, 29 CFR 825.104(a)."""


def employer_facts(request: LeaveRequest) -> Mapping[str, Fact]:
    """The facts about the employer.  A school, a federal or a joint employer is one only where
    somebody says so; the outcome names what was not asked."""
    weeks = request.weeks_with_50
    asks_weeks = weeks is not None or request.is_open(OpenFact.WEEKS_WITH_50)
    return {
        "employees": _employees(request),
        "employees_within_75_miles": _nearby(request),
        "public_employer": yes_no("public_employer", request.public_employer),
        "school": _stated("school", request.school),
        "federal_employer": _stated("federal_employer", request.federal_employer),
        "title_one": yes_no("federal_title_one", request.federal_title_one),
        "not_federal": Fact(("federal_employer",), "a federal employer", is_true=False),
        "weeks_stated": Fact(("weeks_with_50",), "", is_true=asks_weeks),
        "covered_by_weeks": _covered_by_weeks(request),
        "weeks_with_50": (
            Fact(("weeks_with_50",), "not known", missing=("weeks_with_50",))
            if weeks is None
            else exactly(("weeks_with_50",), weeks, "week")
        ),
    }


def _covered_by_weeks(request: LeaveRequest) -> Fact:
    """Whether enough weeks had 50 employees.  That number reached during the leave covers nobody
    by itself (29 CFR 825.105(e)), so then it matters how many weeks there were before."""
    fields, weeks, grown = ("weeks_with_50",), request.weeks_with_50, request.fifty_employees_on
    if weeks is not None:
        return Fact(fields, "", is_true=weeks >= COVERED_WEEKS)
    if grown is None or (request.ends_on and grown > request.ends_on):
        return Fact(fields, "", is_true=False)
    return Fact(fields, "", missing=fields)


def _stated(field: str, value: bool | None) -> Fact:
    return Fact((field,), "yes" if value else "no", is_true=bool(value))


def _employees(request: LeaveRequest) -> Fact:
    fields = ("employees",)
    if request.employees is not None:
        return _headcount(request, fields, request.employees)
    if request.employees_within_75_miles is not None:
        low = request.employees_within_75_miles
        text = f"at least {number(low)}, those near the worksite"
        return Fact(("employees_within_75_miles",), text, low=low, missing=fields)
    return Fact(fields, "not known", missing=fields)


def _nearby(request: LeaveRequest) -> Fact:
    fields = ("employees_within_75_miles",)
    if request.employees_within_75_miles is not None:
        return _headcount(request, fields, request.employees_within_75_miles)
    if request.employees is not None and not request.joint_employer:
        text = f"at most {number(request.employees)}, as many as the employer has"
        high, since = request.employees, request.fifty_employees_on
        return Fact(("employees",), text, high=high, missing=fields, since=since)
    return Fact(fields, "not known", missing=fields)


def _headcount(request: LeaveRequest, fields: tuple[str, ...], count: int) -> Fact:
    """A number of employees; those who are employed jointly count too (29 CFR 825.106(d))."""
    text = counted(count, "employee")
    if not request.joint_employer:
        return Fact(fields, text, low=count, high=count, since=request.fifty_employees_on)
    if request.joint_employees is None:
        text = f"{text}, and those who are employed jointly"
        return Fact(fields, text, low=count, missing=("joint_employees",))
    total = max(count, request.joint_employees)
    text = f"{counted(total, 'employee')} with those who are employed jointly"
    return Fact((*fields, "joint_employees"), text, low=total, high=total)
