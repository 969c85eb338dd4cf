"""The days that follow from a request: notice, the employer's answers, certification, return.

Weekends are left out of business days.  Public holidays are told where they would make a day later:
whether they are business days is a matter of the employer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from whence.packs.leave.records import BONDING, Certification, Law, LeaveRequest, Reason

from .book import Provision, RuleBook
from .editions import book_for
from .facts import bonding_ends
from .holidays import Counted, business_days
from .words import day, join_words
from .workweek import workweek_of

MILITARY = (Reason.MILITARY_EXIGENCY, Reason.MILITARY_CAREGIVER)
SOON = "as soon as practicable, usually the same or the next business day"
UNFORESEEN = (
    "The need could not be foreseen, so no day is set: the employer is told as soon as practicable "
    "on the facts of the case, generally within the time that the employer's usual rules set for "
    "such an absence."
)
INCOMPLETE = "The certification is incomplete"
ELIGIBILITY_NOTICES = ("response_fmla", "response_cfra", "response_pdl")


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
    later: date | None = None
    """The day instead, where public holidays are no business days; None where it is the same."""


def deadlines(
    request: LeaveRequest,
    laws: Sequence[Law],
    book: RuleBook | None = None,
    today: date | None = None,
) -> tuple[Deadline, ...]:
    """What is due when, under the laws that may apply; with `today`, what is overdue says so."""
    book = book or book_for(request)
    if not laws:
        return ()
    listed_deadlines = [_notice(request, laws, book)]
    listed_deadlines += [_answered(request, one, today) for one in _responses(request, laws, book)]
    listed_deadlines += [_certification(request, laws, book), *_returns(request, laws, book)]
    return tuple(listed_deadlines)


def is_late(request: LeaveRequest, book: RuleBook | None = None) -> bool:
    """Whether notice of a foreseeable leave came less than 30 days before it, and could have
    come earlier as far as is known.  False where the facts do not say."""
    book = book or book_for(request)
    if request.starts_on is None or request.notice_given_on is None or not request.foreseeable:
        return False
    if request.reason is Reason.MILITARY_EXIGENCY:
        return False
    latest = request.starts_on - timedelta(days=book.days("notice.fmla"))
    if request.need_known_on and request.need_known_on > latest:
        latest = _after(request, request.need_known_on, 1).later
    return request.notice_given_on > latest


def delay_until(request: LeaveRequest, book: RuleBook | None = None) -> date | None:
    """The day until which late notice may let the employer delay FMLA leave, at most.

    None where notice is not late, or the need was not known 30 days ahead (29 CFR 825.304(b)).
    """
    book = book or book_for(request)
    start, notice_given, need_known = (
        request.starts_on,
        request.notice_given_on,
        request.need_known_on,
    )
    if start is None or notice_given is None or not is_late(request, book):
        return None
    if need_known is not None and need_known > start - timedelta(days=book.days("notice.fmla")):
        return None
    return notice_given + timedelta(days=book.days("late.fmla"))


def _notice(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Deadline:
    rule = book.provisions[f"notice.{_lead(laws).value}"]
    start, need_known = request.starts_on, request.need_known_on
    late = is_late(request, book)
    if request.foreseeable is False and request.reason is not Reason.MILITARY_EXIGENCY:
        unforeseen = book.provisions["unforeseeable.fmla"] if rule.law is Law.FMLA else rule
        return Deadline("notice", "employee", None, UNFORESEEN, unforeseen)
    if request.reason is Reason.MILITARY_EXIGENCY:
        counted = _after(request, need_known, 1) if need_known else None
        when = f": by {day(counted.on)}" if counted else ""
        text = f"The employer is told {SOON}{when}.{_holidays(counted)}"
        return _counted("notice", "employee", counted, text, rule)
    if start is None:
        text = f"Notice is due {rule.days} days before the first day of leave, which is not known."
        return Deadline("notice", "employee", None, text, rule)
    latest = start - timedelta(days=book.days(rule.id))
    if need_known and need_known > latest:
        counted = _after(request, need_known, 1)
        text = (
            f"The need became known less than {rule.days} days ahead, so notice is due {SOON}: by "
            f"{day(counted.on)}.{_holidays(counted)}"
        )
        return _counted("notice", "employee", counted, text, rule, is_past=late)
    unsure = "" if request.foreseeable else f", if the need could be foreseen; otherwise {SOON}"
    text = f"Notice is due by {day(latest)}, {rule.days} days before the first day{unsure}."
    if late:
        text += (
            " It came later. The employer may delay the leave for that, but late notice does not "
            "take it away."
        )
    return Deadline("notice", "employee", latest, text, rule, late)


def _responses(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> list[Deadline]:
    responses = [_response(request, law, book) for law in (Law.FMLA, Law.CFRA) if law in laws]
    notice_given = request.notice_given_on
    if Law.PDL in laws:
        rule = book.provisions["response.pdl"]
        on = notice_given + timedelta(days=book.days(rule.id)) if notice_given else None
        when = f"by {day(on)}" if on else "once the employer was told of the need"
        text = (
            f"On pregnancy disability leave the employer responds within {rule.days} calendar "
            f"days: {when}."
        )
        responses.append(Deadline("response_pdl", "employer", on, text, rule))
    is_complete = request.certification is not Certification.INCOMPLETE
    if Law.FMLA in laws and request.certification_given_on and is_complete:
        rule = book.provisions["designation.fmla"]
        counted = _after(request, request.certification_given_on, book.days(rule.id))
        text = (
            f"The employer tells by {day(counted.on)} whether the leave counts as FMLA leave."
            f"{_holidays(counted)}"
        )
        responses.append(_counted("designation", "employer", counted, text, rule))
    return responses


def _answered(request: LeaveRequest, deadline: Deadline, today: date | None) -> Deadline:
    """An employer's answer that came late, or that is overdue as far as is known."""
    is_notice = deadline.name in ELIGIBILITY_NOTICES
    answer = request.employer_answered_on if is_notice else request.designated_on
    due = deadline.later or deadline.on
    if due is None:
        return deadline
    if answer is not None:
        late = answer > due
        words = f" It was given on {day(answer)}{', which is late' if late else ''}."
        return replace(deadline, text=deadline.text + words, is_past=late)
    if today is None or today <= due:
        return deadline
    words = f" No answer is stated, and that day has passed: it is overdue since {day(due)}."
    return replace(deadline, text=deadline.text + words, is_past=True)


def _response(request: LeaveRequest, law: Law, book: RuleBook) -> Deadline:
    rule = book.provisions[f"response.{law.value}"]
    notice_given = request.notice_given_on
    counted = _after(request, notice_given, book.days(rule.id)) if notice_given else None
    when = f"by {day(counted.on)}" if counted else "once the employer was told of the need"
    what = "tells whether the employee is eligible" if law is Law.FMLA else "responds"
    text = f"The employer {what} within {rule.days} business days: {when}.{_holidays(counted)}"
    return _counted(f"response_{law.value}", "employer", counted, text, rule)


def _certification(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Deadline:
    if request.reason in BONDING:
        rule = book.provisions["certification.bonding"]
        return Deadline("certification", "employee", None, rule.text, rule)
    military = request.reason in MILITARY and Law.FMLA in laws
    lead = _lead(laws).value
    rule = book.provisions["certification.military" if military else f"certification.{lead}"]
    asked_on, given_on = request.certification_asked_on, request.certification_given_on
    due_on = asked_on + timedelta(days=book.days(rule.id)) if asked_on else None
    if request.certification is Certification.INCOMPLETE:
        return _cure(request, laws, book)
    if request.certification is Certification.GIVEN or given_on:
        is_past = due_on is not None and given_on is not None and given_on > due_on
        return Deadline(
            "certification", "employee", due_on, "The certification was given.", rule, is_past
        )
    if due_on is None:
        text = f"A certification is due {rule.days} calendar days after the employer asks for it."
        return Deadline("certification", "employee", None, text, rule)
    text = (
        f"The certification is due by {day(due_on)}, {rule.days} calendar days after it was asked "
        "for."
    )
    return Deadline("certification", "employee", due_on, text, rule)


def _cure(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Deadline:
    """An incomplete certification is not given.  The FMLA gives seven days to mend it; no number
    of days was found in the texts of California's laws, so there none is computed."""
    if Law.FMLA not in laws:
        rule = book.provisions[f"cure.{_lead(laws).value}"]
        return Deadline("certification", "employee", None, f"{INCOMPLETE}. {rule.text}", rule)
    rule, notified_on = book.provisions["cure.fmla"], request.deficiency_notice_on
    days = f"{rule.days} calendar days"
    is_only = set(laws) == {Law.FMLA}
    has = "The employee has" if is_only else "Under the FMLA the employee has"
    if notified_on is None:
        text = (
            f"{INCOMPLETE}. {has} {days} to mend it, from the day on which the employer says "
            "in writing what is missing."
        )
        return Deadline("certification", "employee", None, text, rule)
    due = notified_on + timedelta(days=book.days(rule.id))
    text = (
        f"{INCOMPLETE}: what is missing is due by {day(due)}, {days} after the employer said "
        f"so in writing{'' if is_only else ' (FMLA)'}."
    )
    return Deadline("certification", "employee", due, text, rule)


def _lead(laws: Sequence[Law]) -> Law:
    """The law whose words are told: pregnancy disability leave asks least and gives most."""
    return Law.PDL if Law.PDL in laws else laws[0]


def _returns(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> list[Deadline]:
    deadlines_found: list[Deadline] = []
    if last := bonding_ends(request):
        name = "fmla.bonding_year" if Law.FMLA in laws else "cfra.bonding_year"
        rule = next(one for law in Law for one in book.rules(law) if one.id == name)
        provision = Provision.model_validate(
            {"topic": "return", **{key: getattr(rule, key) for key in _SHARED}}
        )
        text = f"The last day on which leave for bonding can be taken is {day(last)}."
        deadlines_found.append(Deadline("bonding_ends", "employee", last, text, provision))
    ends = request.job_ends_on
    if ends and (request.ends_on is None or ends <= request.ends_on):
        text = f"The job ends on {day(ends)} without the leave too, so there is no day of return."
        layoff = book.provisions["return.layoff"]
        return [*deadlines_found, Deadline("return", "employee", None, text, layoff)]
    rule = book.provisions[f"return.{_lead(laws).value}"]
    if request.ends_on is None:
        text = "The day of return depends on the last day of leave, which is not known."
        return [*deadlines_found, Deadline("return", "employee", None, text, rule)]
    if request.workdays:
        back_on = workweek_of(request).next_workday(request.ends_on)
        text = f"The first day of the employee's own week after the leave is {day(back_on)}."
        text = f"{text} {rule.text}"
        return [*deadlines_found, Deadline("return", "employee", back_on, text, rule)]
    back = _after(request, request.ends_on, 1)
    text = f"The first working day after the leave is {day(back.on)}.{_holidays(back)} {rule.text}"
    return [*deadlines_found, _counted("return", "employee", back, text, rule)]


_SHARED = ("id", "law", "title", "section", "url", "source", "text")


def _after(request: LeaveRequest, from_day: date, count: int) -> Counted:
    """Business days after a day; holidays of California count unless the work is elsewhere."""
    return business_days(from_day, count, california=request.works_in_california is not False)


def _counted(
    name: str,
    who: str,
    counted: Counted | None,
    text: str,
    rule: Provision,
    *,
    is_past: bool = False,
) -> Deadline:
    if counted is None:
        return Deadline(name, who, None, text, rule, is_past)
    later = counted.later if counted.later != counted.on else None
    return Deadline(name, who, counted.on, text, rule, is_past, later)


def _holidays(counted: Counted | None) -> str:
    """What public holidays would change."""
    if counted is None or counted.later == counted.on:
        return ""
    them = "them" if len(counted.passed) > 1 else "it"
    return (
        f" Where the employer does no business on {join_words(counted.passed)}, and does not count "
        f"{them}, it is {day(counted.later)}."
    )
