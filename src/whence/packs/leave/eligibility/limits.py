"""What an outcome does not say: what was not checked, that it is no advice, and whom to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from whence.packs.leave.records import Law, LeaveRequest, Reason, Relation

from .assessing import LawAssessment
from .days import add_months
from .judging import Result
from .service_facts import CREW_HOURS
from .words import day

ADVICE = (
    "This is not legal advice. The employer decides. The rules were applied to the facts as they "
    "were stated; a contract, a policy or a collective agreement may give more."
)
SHORT_ADVICE = "This is not legal advice; the employer decides."
WAGE_AND_HOUR = (
    "About the FMLA ask the Wage and Hour Division of the U.S. Department of Labor "
    "(1-866-487-9243, dol.gov/agencies/whd)."
)
CIVIL_RIGHTS = (
    "About the laws of California ask its Civil Rights Department ("
    "1-800-884-1684, calcivilrights.ca.gov)."
)
ENOUGH_HOURS = 1250
"""Hours of service of 29 CFR 825.110(a)(2)."""
FULL_TIME = 40
"""Hours a week, where the normal week is not stated."""
A_WEEK = timedelta(days=6)
"""From the first day to the last of a week."""
LAWYER = "About a dispute ask a lawyer for employment law."


def agencies(assessed: Sequence[LawAssessment]) -> tuple[str, ...]:
    """Whom to ask; the state's agency unless the work is known to be outside California."""
    outside = any(
        one.rule.fact == "works_in_california" and one.result is Result.NOT_MET
        for law in assessed
        for one in law.results
    )
    return (WAGE_AND_HOUR, LAWYER) if outside else (WAGE_AND_HOUR, CIVIL_RIGHTS, LAWYER)


def not_checked(request: LeaveRequest, assessed: Sequence[LawAssessment]) -> tuple[str, ...]:
    """What was taken as usual because nobody stated it, where it could change this result."""
    return (
        *_about_employer(request, assessed),
        *_about_service(request, assessed),
        *_about_return(assessed),
        *_about(request),
    )


def _about_employer(request: LeaveRequest, assessed: Sequence[LawAssessment]) -> Iterator[str]:
    failed = _failed(assessed)
    if request.federal_employer is None:
        yield "whether the employer is federal, which has other law (29 CFR 825.109)"
    counts = {"fmla.employer", "fmla.worksite", "cfra.employer", "pdl.employer"}
    if request.joint_employer is None and failed & counts:
        yield "whether another employer counts as a joint employer (29 CFR 825.106)"
    is_private = not request.public_employer and not request.school
    if request.weeks_with_50 is None and is_private and "fmla.employer" not in failed:
        yield "whether there were 50 employees in 20 or more workweeks (29 CFR 825.105(e))"
    if request.fifty_employees_on is None and failed & {"fmla.employer", "fmla.worksite"}:
        yield "whether the employer reaches 50 employees during the leave (29 CFR 825.110(d)-(e))"


def _about_service(request: LeaveRequest, assessed: Sequence[LawAssessment]) -> Iterator[str]:
    failed, hours = _failed(assessed), request.hours_last_12_months or 0.0
    few = bool(failed & {"fmla.hours", "cfra.hours"})
    if few and request.military_hours is None:
        yield "whether military service kept hours from being worked (29 CFR 825.110(c)(2))"
    if few and request.flight_crew is None and hours >= CREW_HOURS:
        yield "whether the employee is airline flight crew (29 CFR 825.801)"
    short = bool(failed & {"fmla.tenure", "cfra.tenure"})
    if short and not request.earlier_service_months:
        yield "whether there was earlier service with the same employer (29 CFR 825.110(b))"
    if (few or short) and not any(one.same_reason for one in request.earlier_leave):
        yield (
            "whether leave for the same reason was taken in the same 12 months, after which "
            "eligibility is not measured again (29 CFR 825.300(b)(1))"
        )
    yield from _hours_later(request, assessed)
    earlier, ended = request.earlier_service_months, request.earlier_service_ended_on
    if earlier and ended is None:
        yield "whether a break in service was of seven years or more (29 CFR 825.110(b))"
    if request.school and request.teacher is None:
        yield "whether the employee teaches, for whom terms matter (29 CFR 825.600-825.603)"


def _about_return(assessed: Sequence[LawAssessment]) -> Iterator[str]:
    open_laws = [one.law for one in assessed if not one.with_result(Result.NOT_MET)]
    if open_laws == [Law.FMLA]:
        yield (
            "whether the employee is a key employee, whose return the FMLA lets an employer refuse "
            "on conditions (29 CFR 825.217-825.219)"
        )


def _hours_later(request: LeaveRequest, assessed: Sequence[LawAssessment]) -> Iterator[str]:
    """A law that is met during the leave measures the hours on that day (29 CFR 825.110(d)): the
    leave before it brings none, and hours of the first weeks fall out of the 12 months."""
    fmla = next(one for one in assessed if one.law is Law.FMLA)
    by_hours = any(one.rule.id == "fmla.hours" and one.result is Result.MET for one in fmla.results)
    since, start, worked = fmla.since, request.starts_on, request.hours_last_12_months
    if since is None or start is None or worked is None or not by_hours:
        return
    hired, weekly = request.hired_on, request.weekly_hours or FULL_TIME
    if hired and hired >= add_months(since, -12) and not request.earlier_service_months:
        return
    least = worked + (request.military_hours or 0.0) - weekly * (since - start).days / 7
    if least < ENOUGH_HOURS:
        yield (
            f"whether 1,250 hours were worked in the 12 months before {day(since)}, from which "
            "the FMLA counts (29 CFR 825.110(d))"
        )


def _about(request: LeaveRequest) -> Iterator[str]:
    if request.relation is Relation.DESIGNATED_PERSON and request.designated_person_named is None:
        yield (
            "whether another designated person was named in the last 12 months, to which an "
            "employer may limit them (Gov. Code 12945.2(b)(2))"
        )
    if request.reason is Reason.MILITARY_CAREGIVER and request.veteran is None:
        yield "whether the servicemember is a veteran, and since when (29 CFR 825.127(b)(2))"
    if (
        request.reason is Reason.MILITARY_CAREGIVER
        and request.veteran
        and (request.dishonorable is None and request.discharged_on)
    ):
        yield "whether the veteran's discharge was dishonorable (29 CFR 825.127(b)(2))"
    if request.reason is Reason.PREGNANCY_DISABILITY and not request.public_employer:
        yield (
            "whether the employer is a religious association or corporation that is not organized "
            "for profit, whom the law on pregnancy disability leave does not bind (Gov. Code "
            "12926(d))"
        )
    if request.reason is Reason.MILITARY_EXIGENCY and request.exigency is None:
        yield "which exigency it is, some of which are limited in days (29 CFR 825.126(b))"
    if request.closed_from is None and _lasts_a_week(request):
        yield "whether the business is closed for a week or more meanwhile (29 CFR 825.200(h))"
    if request.workdays is None and not request.flight_crew:
        yield "on which days the employee works; Monday to Friday was taken (29 CFR 825.205(b))"
    yield "pay, other leave laws of the state or a city, contracts and policies"


def _lasts_a_week(request: LeaveRequest) -> bool:
    first, last = request.starts_on, request.ends_on
    return first is not None and last is not None and last - first >= A_WEEK


def _failed(assessed: Sequence[LawAssessment]) -> set[str]:
    return {one.rule.id for law in assessed for one in law.with_result(Result.NOT_MET)}


def not_checked_words(points: Sequence[str]) -> str:
    """`Not checked: whether ...; whether ....`"""
    return f"Not checked: {'; '.join(points)}."
