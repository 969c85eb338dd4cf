"""The facts of a request under the names that rules use; unknown ones stay unknown."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from whence.packs.leave.records import BONDING, LeaveRequest, Pattern, Reason

from .days import months_and_days, year_end
from .employer_facts import employer_facts
from .fact import Fact, word_fact, yes_no
from .family_facts import family_facts
from .service_facts import service_facts
from .words import REASONS, RELATIONS, counted
from .workweek import workweek_of

TWO_WEEKS = 2
"""Workweeks; the least length of bonding leave in one piece, 2 CCR 11090(d)."""
SHORT_OCCASIONS = 2
"""How often bonding leave may be shorter, 2 CCR 11090(d)."""


def facts_of(request: LeaveRequest) -> Mapping[str, Fact]:
    """Every fact that a rule may look at."""
    return {
        "reason": word_fact("reason", request.reason, REASONS),
        "relation": word_fact("relation", request.relation, RELATIONS),
        "works_in_california": yes_no("works_in_california", request.works_in_california),
        "medical_need": yes_no("medical_need", request.medical_need),
        "line_of_duty": yes_no("line_of_duty", request.line_of_duty),
        "active_duty": yes_no("active_duty", request.active_duty),
        "bonding_in_time": _bonding(request),
        "bonding_is_short": Fact(("starts_on", "ends_on"), "", is_true=_is_short(request)),
        "short_bonding_allowed": _short_bonding(request),
        **employer_facts(request),
        **service_facts(request),
        **family_facts(request),
    }


def bonding_ends(request: LeaveRequest) -> date | None:
    """The last day on which bonding leave can be taken; None for other leave, or not known."""
    if request.reason not in BONDING or request.child_arrives_on is None:
        return None
    return year_end(request.child_arrives_on)


def _bonding(request: LeaveRequest) -> Fact:
    fields = ("child_arrives_on", "starts_on")
    arrival, start = request.child_arrives_on, request.starts_on
    if arrival is None or start is None:
        missing = tuple(name for name in fields if getattr(request, name) is None)
        return Fact(fields, "not known", missing=missing)
    if start < arrival:
        return _before_arrival(request, fields, arrival)
    months, days = months_and_days(arrival, start)
    text = f"{counted(months, 'month')} and {counted(days, 'day')} after the birth or placement"
    return Fact(fields, text, is_true=start <= year_end(arrival))


def _before_arrival(request: LeaveRequest, fields: tuple[str, ...], arrival: date) -> Fact:
    """Bonding begins with the birth (29 CFR 825.120(a)(2)); before an adoption or placement, only
    leave that the placement itself needs counts (29 CFR 825.121(a)(1))."""
    text = "begins before the birth or placement"
    if request.reason is Reason.BONDING_BIRTH:
        return Fact(fields, text, is_true=False, since=arrival)
    needed, name = request.needed_for_placement, "needed_for_placement"
    if needed:
        return Fact((*fields, name), f"{text}, and is needed for the placement", is_true=True)
    if needed is None:
        return Fact(fields, f"{text}; whether it is needed for it is not known", missing=(name,))
    return Fact((*fields, name), text, is_true=False, since=arrival)


def _is_short(request: LeaveRequest) -> bool:
    """Bonding in one piece that is shorter than two weeks, as far as the days are known."""
    first, last = request.starts_on, request.ends_on
    if request.reason not in BONDING or first is None or last is None:
        return False
    if request.child_arrives_on and request.reason is Reason.BONDING_BIRTH:
        first = max(first, request.child_arrives_on)
    is_whole = request.pattern in (None, Pattern.CONTINUOUS)
    return is_whole and first <= last and workweek_of(request).weeks(first, last) < TWO_WEEKS


def _short_bonding(request: LeaveRequest) -> Fact:
    """Shorter than two weeks is granted on two occasions (2 CCR 11090(d))."""
    fields = ("short_bonding_before",)
    before = request.short_bonding_before
    if before is None:
        return Fact(fields, "shorter than two weeks; how often before is not known", missing=fields)
    text = f"shorter than two weeks, after {before} such before"
    return Fact(fields, text, is_true=before < SHORT_OCCASIONS)
