"""Which steps a request needs: a question whose answer can change nothing is not asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from whence.packs.leave.eligibility.assessing import Eligibility, assess
from whence.packs.leave.eligibility.entitlement import leave_under
from whence.packs.leave.eligibility.overview import warnings
from whence.packs.leave.eligibility.spouses import is_shared
from whence.packs.leave.records import (
    BONDING,
    FOR_SOMEBODY,
    MEDICAL,
    Certification,
    Law,
    Pattern,
    Reason,
    Relation,
)
from whence.sdk.wizards import Answers, Notice

from .answers import (
    EARLIER,
    CertificationStatus,
    ChildAge,
    Dates,
    EarlierPeriod,
    Employer,
    FamilyMember,
    HadEarlierLeave,
    LeaveReason,
    LeaveYear,
    NoticeGiven,
    Schedule,
    Spouse,
    WorkSite,
    YearMethodChoice,
    YesNo,
)
from .request import request_of

ShowIf = Callable[[Answers], bool]
Warn = Callable[[Answers], list[Notice]]


def for_reasons(*reasons: Reason) -> ShowIf:
    """Shown for these reasons."""
    return lambda answers: answers[LeaveReason].reason in reasons


for_somebody = for_reasons(*FOR_SOMEBODY)
for_need = for_reasons(*MEDICAL, Reason.MILITARY_CAREGIVER)
for_arrival = for_reasons(*BONDING, Reason.PREGNANCY_DISABILITY)


def for_certification(answers: Answers) -> bool:
    """Leave for which a certification may be asked for."""
    return answers[LeaveReason].reason not in BONDING and any_open(answers)


def for_child(answers: Answers) -> bool:
    """Care for a child: its age matters under the FMLA."""
    is_care = answers[LeaveReason].reason is Reason.FAMILY_CARE
    return is_care and answers[FamilyMember].relation is Relation.CHILD


def for_adult_child(answers: Answers) -> bool:
    """An adult child, whose need for care matters under the FMLA."""
    return for_child(answers) and answers[ChildAge].child_is_adult is YesNo.YES


def for_designated(answers: Answers) -> bool:
    """Somebody whom the employee designates."""
    is_care = answers[LeaveReason].reason in (Reason.FAMILY_CARE, Reason.MILITARY_CAREGIVER)
    return is_care and answers[FamilyMember].relation is Relation.DESIGNATED_PERSON


def in_parts(answers: Answers) -> bool:
    """An intermittent or reduced schedule."""
    return answers[Schedule].pattern is not Pattern.CONTINUOUS


def near_worksite(answers: Answers) -> bool:
    """Whether the employees near the worksite can still decide anything: only the FMLA counts
    them, and where something else rules it out, they do not matter."""
    _ = answers[Employer]
    return _is_open(answers, Law.FMLA)


def any_open(answers: Answers) -> bool:
    """Whether some law may still give the leave; else nothing more can change the answer."""
    return bool(_open_laws(answers))


def for_service(answers: Answers) -> bool:
    """Whether service and hours can still decide something: a law that counts them is open, or
    bonding under CFRA may follow."""
    return any_open(answers) and (
        _is_open(answers, Law.FMLA)
        or _is_open(answers, Law.CFRA)
        or answers[LeaveReason].reason is Reason.PREGNANCY_DISABILITY
    )


def for_year(answers: Answers) -> bool:
    """Whether some law that counts a 12-month period is still open."""
    if answers[LeaveReason].reason is Reason.MILITARY_CAREGIVER:
        return _is_open(answers, Law.CFRA)
    return _is_open(answers, Law.FMLA) or _is_open(answers, Law.CFRA)


def for_year_start(answers: Answers) -> bool:
    """A fixed leave year, whose first day is needed."""
    year = answers.get(LeaveYear)
    return year is not None and year.year_method is YearMethodChoice.FIXED


def for_earlier(at: int) -> ShowIf:
    """The earlier leave of this number, from 0: the first, or where another was announced."""

    def is_shown(answers: Answers) -> bool:
        if not answers[HadEarlierLeave].was_taken:
            return False
        return at == 0 or ((one := answers.get(EARLIER[at - 1])) is not None and one.another)

    return is_shown


def for_spouse(answers: Answers) -> bool:
    """Leave that spouses of one employer may have to share, where the FMLA is open."""
    return is_shared(request_of(answers)) and _is_open(answers, Law.FMLA)


def for_spouse_leave(answers: Answers) -> bool:
    """A spouse who works for the same employer."""
    spouse = answers.get(Spouse)
    return spouse is not None and spouse.spouse_same_employer is YesNo.YES


def for_caregiver_year(answers: Answers) -> bool:
    """Military caregiver leave, of which some was taken before."""
    is_caring = answers[LeaveReason].reason is Reason.MILITARY_CAREGIVER
    return is_caring and answers[HadEarlierLeave].was_taken


def for_certified_on(answers: Answers) -> bool:
    """A certification that was asked for."""
    certified = answers.get(CertificationStatus)
    return certified is not None and certified.certification is not Certification.NOT_ASKED


def _is_open(answers: Answers, law: Law) -> bool:
    return law in _open_laws(answers)


@lru_cache(maxsize=1)
def _open_laws(answers: Answers) -> frozenset[Law]:
    """The laws that may still give the leave; several steps in a row ask for the same answers."""
    assessments = assess(request_of(answers))
    return frozenset(
        one.law for one in assessments if one.eligibility is not Eligibility.NOT_ELIGIBLE
    )


def ends_after_start(answers: Answers) -> list[Notice]:
    """A leave cannot end before it starts, nor a closing of the business."""
    dates = answers[Dates]
    closed_from, closed_until = dates.closed_from, dates.closed_until
    if closed_from and closed_until and closed_until < closed_from:
        return [Notice("The business cannot open again before it closes.", "closed_until", "order")]
    if dates.ends_on is not None and dates.ends_on < dates.starts_on:
        return [Notice("The leave ends before it starts.", "ends_on", "order")]
    return []


def odd_dates(answers: Answers) -> list[Notice]:
    """What is late or odd in a request whose dates are known."""
    return [Notice(one, code="odd") for one in warnings(request_of(answers))]


def odd_site(answers: Answers) -> list[Notice]:
    """More employees near the worksite than in all."""
    near, whole = answers[WorkSite].employees_within_75_miles, answers[Employer].employees
    if near is not None and whole is not None and near > whole:
        message = f"{near:,} employees near the worksite are more than the {whole:,} in all."
        return [Notice(message, "employees_within_75_miles", "more_than_all")]
    return []


def late_notice(answers: Answers) -> list[Notice]:
    """Notice that came late, which never blocks."""
    _ = answers[NoticeGiven]
    late = [one for one in warnings(request_of(answers)) if one.startswith("Notice came")]
    return [Notice(one, "notice_given_on", "late_notice") for one in late]


def long_leave(answers: Answers) -> list[Notice]:
    """A leave that continues beyond what the laws give, as far as that can be told already."""
    request = request_of(answers)
    leaves = leave_under(request, assess(request))
    if request.ends_on is None or not leaves or any(one.covers_all is not False for one in leaves):
        return []
    return [Notice("The leave is longer than these laws provide.", None, "longer_than_leave")]


def earlier_after(model: type[EarlierPeriod]) -> Warn:
    """An earlier leave that is not before this one."""

    def warnings_of(answers: Answers) -> list[Notice]:
        if answers[model].starts_on >= answers[Dates].starts_on:
            return [Notice("It does not start before this leave.", "starts_on", "not_earlier")]
        return []

    return warnings_of
