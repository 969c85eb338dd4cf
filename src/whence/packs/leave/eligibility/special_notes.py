"""Rules for few: flight crew, teachers, joint employers, and exigencies of so many days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from whence.packs.leave.records import BONDING, Exigency, Law, LeaveRequest, Pattern, Reason

from .book import RuleBook
from .exigencies import exigency_days, exigency_ends
from .remark import Remark
from .words import EXIGENCIES, day

MANY_DAYS = 0.2
"""The part of the working days above which leave in parts of a teacher has its own rule,
29 CFR 825.601(a)."""
CARE = (Reason.FAMILY_CARE, Reason.MILITARY_CAREGIVER)
"""What 29 CFR 825.601(a) and 825.602(a) name beside bonding and a teacher's own condition."""
BEFORE_TERM_END = (timedelta(weeks=5), timedelta(weeks=3), timedelta(weeks=2))
"""How long before the end of a term the rules of 29 CFR 825.602 begin."""
OWN_CONDITION = (Reason.OWN_HEALTH, Reason.PREGNANCY_DISABILITY)
FIVE_WORKDAYS = timedelta(weeks=1)


def special_remarks(
    request: LeaveRequest, laws: Sequence[Law], book: RuleBook
) -> Iterator[Remark | None]:
    """What few requests have to bear in mind."""
    if Law.FMLA in laws:
        if request.flight_crew:
            yield Remark(book.provisions["crew.amount"].text, book.provisions["crew.amount"])
        if request.teacher:
            yield _teacher_in_parts(request, book)
            yield from _teacher_at_end(request, book)
    if laws and request.joint_employer:
        yield Remark(book.provisions["joint.fmla"].text, book.provisions["joint.fmla"])
    if laws:
        yield _limited_exigency(request, book)


def _limited_exigency(request: LeaveRequest, book: RuleBook) -> Remark | None:
    days = exigency_days(request)
    if days is None or request.exigency is None:
        return None
    name = "exigency.rest" if request.exigency is Exigency.REST else "exigency.short"
    provision, last = book.provisions[name], exigency_ends(request)
    words = EXIGENCIES[request.exigency]
    if last is None:
        text = (
            f"Leave for {words} is limited to {days} calendar days. On which day they begin is not "
            "known, so how far they reach cannot be determined yet."
        )
        return Remark(text, provision)
    text = f"Leave for {words} is limited to {days} calendar days: up to {day(last)}."
    if request.ends_on and request.ends_on > last:
        text += " The leave beyond that day is not covered for this exigency."
    return Remark(text, provision)


def _teacher_in_parts(request: LeaveRequest, book: RuleBook) -> Remark | None:
    """Leave in parts for treatment, on more than 20 percent of the working days."""
    if request.pattern not in (Pattern.INTERMITTENT, Pattern.REDUCED):
        return None
    if request.reason not in (*CARE, *OWN_CONDITION):
        return None
    provision = book.provisions["teacher.parts"]
    off, week = request.hours_off_per_week, request.weekly_hours
    if off is None or week is None:
        text = f"How much of the working time the leave takes is not known. {provision.text}"
        return Remark(text, provision)
    return Remark(provision.text, provision) if off / week > MANY_DAYS else None


def _teacher_at_end(request: LeaveRequest, book: RuleBook) -> Iterator[Remark]:
    provision, counted = book.provisions["teacher.term"], book.provisions["teacher.counted"]
    first, last, end = request.starts_on, request.ends_on, request.term_ends_on
    if end is None or first is None or last is None:
        text = (
            "Whether the employer may require leave up to the end of the term cannot be determined "
            f"yet: it depends on the days of the leave and of the term. {provision.text}"
        )
        yield Remark(text, provision)
    elif first <= end and may_be_kept_to_end(request, first, last, end):
        text = (
            f"The leave is near the end of the term ({day(end)}): the employer may require the "
            "teacher to stay on leave until then."
        )
        yield Remark(text, provision)
        yield Remark(counted.text, counted)


def may_be_kept_to_end(request: LeaveRequest, first: date, last: date, end: date) -> bool:
    """Whether one of the three cases of 29 CFR 825.602(a) applies."""
    five, three, two = BEFORE_TERM_END
    length = last - first + timedelta(days=1)
    if first < end - five:
        return length >= three and end - three <= last <= end
    if request.reason not in (*CARE, *BONDING):
        return False
    if first >= end - three and length > FIVE_WORKDAYS:
        return True
    return length > two and end - two <= last <= end
