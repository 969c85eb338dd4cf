"""The days that follow from a request: notice, the employer's answers, certification, return.

Weekends are left out of business days, public holidays are not: they differ by employer, so a
business-day date can be a little later than told here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from whence.packs.leave.records import BONDING, Certification, Law, LeaveRequest, Reason

from .book import Provision, RuleBook, rule_book
from .days import DAY, add_months, add_workdays
from .words import day

MILITARY = (Reason.MILITARY_EXIGENCY, Reason.MILITARY_CAREGIVER)


@dataclass(frozen=True)
class Deadline:
    """A day on which something is due; without a day it says what the day depends on."""

    name: str
    who: str
    on: date | None
    text: str
    provision: Provision
    is_past: bool = False
    """It was due before what was to be done was done; that warns, and blocks nothing."""


def deadlines(
    request: LeaveRequest, laws: Sequence[Law], book: RuleBook | None = None
) -> tuple[Deadline, ...]:
    """What is due when, under the laws that may apply."""
    book = book or rule_book()
    if not laws:
        return ()
    found = [_notice(request, laws, book), *_responses(request, laws, book)]
    found += [_certification(request, laws, book), *_returns(request, laws, book)]
    return tuple(found)


def is_late(request: LeaveRequest, book: RuleBook | None = None) -> bool:
    """Whether notice of a foreseeable leave came less than 30 days before it, and could have
    come earlier as far as is known.  False where the facts do not say."""
    book = book or rule_book()
    if request.starts_on is None or request.notice_given_on is None or not request.foreseeable:
        return False
    if request.reason is Reason.MILITARY_EXIGENCY:
        return False
    due = request.starts_on - timedelta(days=book.days("notice.fmla"))
    if request.need_known_on and request.need_known_on > due:
        due = add_workdays(request.need_known_on, 1)
    return request.notice_given_on > due


def _notice(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Deadline:
    rule = book.provisions[f"notice.{_lead(laws).value}"]
    start, known = request.starts_on, request.need_known_on
    late = is_late(request, book)
    soon = "as soon as practicable, usually the same or the next business day"
    if request.reason is Reason.MILITARY_EXIGENCY or request.foreseeable is False:
        on = add_workdays(known, 1) if known else None
        return Deadline("notice", "employee", on, f"The employer is told {soon}.", rule)
    if start is None:
        text = f"Notice is due {rule.days} days before the first day of leave, which is not known."
        return Deadline("notice", "employee", None, text, rule)
    due = start - timedelta(days=book.days(rule.id))
    if known and known > due:
        on = add_workdays(known, 1)
        text = f"The need became known less than {rule.days} days ahead, so notice is due {soon}."
        return Deadline("notice", "employee", on, text, rule, late)
    unsure = "" if request.foreseeable else f", if the need could be foreseen; otherwise {soon}"
    text = f"Notice is due by {day(due)}, {rule.days} days before the first day{unsure}."
    if late:
        text += (
            " It came later. That may let the employer delay the leave, and never takes it away."
        )
    return Deadline("notice", "employee", due, text, rule, late)


def _responses(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> list[Deadline]:
    found: list[Deadline] = []
    for law, name in ((Law.FMLA, "response.fmla"), (Law.CFRA, "response.cfra")):
        if law not in laws:
            continue
        rule = book.provisions[name]
        told = request.notice_given_on
        on = add_workdays(told, book.days(name)) if told else None
        when = f"by {day(on)}" if on else "once the employer was told of the need"
        what = "tells whether the employee is eligible" if law is Law.FMLA else "responds"
        text = f"The employer {what} within {rule.days} business days: {when}."
        found.append(Deadline(f"{name.split('.')[0]}_{law.value}", "employer", on, text, rule))
    if Law.FMLA in laws and request.certification_given_on:
        rule = book.provisions["designation.fmla"]
        on = add_workdays(request.certification_given_on, book.days(rule.id))
        text = f"The employer tells by {day(on)} whether the leave counts as FMLA leave."
        found.append(Deadline("designation", "employer", on, text, rule))
    return found


def _certification(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Deadline:
    if request.reason in BONDING:
        rule = book.provisions["certification.bonding"]
        return Deadline("certification", "employee", None, rule.text, rule)
    military = request.reason in MILITARY and Law.FMLA in laws
    lead = _lead(laws).value
    rule = book.provisions["certification.military" if military else f"certification.{lead}"]
    asked, given = request.certification_asked_on, request.certification_given_on
    if request.certification is Certification.GIVEN or given:
        late = asked is not None and given is not None
        due = asked + timedelta(days=book.days(rule.id)) if asked else None
        is_past = late and due is not None and given is not None and given > due
        return Deadline("certification", "employee", due, "It has been given.", rule, is_past)
    if asked is None:
        text = f"A certification is due {rule.days} calendar days after the employer asks for it."
        return Deadline("certification", "employee", None, text, rule)
    due = asked + timedelta(days=book.days(rule.id))
    text = (
        f"The certification is due by {day(due)}, {rule.days} calendar days after it was asked for."
    )
    return Deadline("certification", "employee", due, text, rule)


def _lead(laws: Sequence[Law]) -> Law:
    """The law whose words are told: pregnancy disability leave asks least and gives most."""
    return Law.PDL if Law.PDL in laws else laws[0]


def _returns(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> list[Deadline]:
    found: list[Deadline] = []
    if request.reason in BONDING and request.child_arrives_on:
        last = add_months(request.child_arrives_on, 12) - DAY
        name = "fmla.bonding_year" if Law.FMLA in laws else "cfra.bonding_year"
        rule = next(one for law in Law for one in book.rules(law) if one.id == name)
        shown = Provision.model_validate(
            {"topic": "return", **{key: getattr(rule, key) for key in _SHARED}}
        )
        text = f"The last day on which leave for bonding can be taken is {day(last)}."
        found.append(Deadline("bonding_ends", "employee", last, text, shown))
    rule = book.provisions[f"return.{_lead(laws).value}"]
    if request.ends_on is None:
        text = "The day of return depends on the last day of leave, which is not known."
        return [*found, Deadline("return", "employee", None, text, rule)]
    back = add_workdays(request.ends_on, 1)
    text = f"The first working day after the leave is {day(back)}. {rule.text}"
    return [*found, Deadline("return", "employee", back, text, rule)]


_SHARED = ("id", "law", "title", "section", "url", "text")
