"""When a question that few requests need can decide something: then it is asked, else not."""

from __future__ import annotations

from whence.packs.leave.eligibility.assessing import Eligibility, LawAssessment, assess, assess_law
from whence.packs.leave.eligibility.facts import facts_of
from whence.packs.leave.eligibility.family_facts import NEAR
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.workweek import has_partial_holidays
from whence.packs.leave.records import Law, Reason
from whence.sdk.wizards import Answers

from .answers import (
    Employer,
    EmployerKind,
    FamilyMember,
    HoursCredit,
    LeaveReason,
    ServiceTime,
    Veteran,
    WorkedHours,
    YesNo,
)
from .request import request_of

ABOUT_FIFTY = range(25, 100)
"""Employees in all among whom weeks with 50 may decide: the employer may have grown or shrunk."""
SIZE_RULES = {"fmla.employer", "fmla.worksite", "fmla.weeks"}
HOURS_RULES = {"fmla.hours", "cfra.hours"}


def for_kin(answers: Answers) -> bool:
    """A servicemember who is no spouse, child or parent: next of kin decides under the FMLA."""
    is_caring = answers[LeaveReason].reason is Reason.MILITARY_CAREGIVER
    return is_caring and answers[FamilyMember].relation not in NEAR


def for_discharge(answers: Answers) -> bool:
    """Care of a veteran."""
    veteran = answers.get(Veteran)
    return veteran is not None and veteran.veteran is YesNo.YES


def for_placement(answers: Answers) -> bool:
    """Leave before an adoption or a placement."""
    request = request_of(answers)
    first, arrival = request.starts_on, request.child_arrives_on
    is_placement = request.reason in (Reason.BONDING_ADOPTION, Reason.BONDING_FOSTER)
    return is_placement and first is not None and arrival is not None and first < arrival


def for_federal(answers: Answers) -> bool:
    """A federal employer."""
    return EmployerKind.FEDERAL in answers[Employer].kinds


def for_joint(answers: Answers) -> bool:
    """An employer that shares control with another."""
    return EmployerKind.JOINT in answers[Employer].kinds


def for_teaching(answers: Answers) -> bool:
    """A school."""
    return EmployerKind.SCHOOL in answers[Employer].kinds


def for_near_fifty(answers: Answers) -> bool:
    """A private employer of about 50, which may have had or may reach 50."""
    employer = answers[Employer]
    special = {EmployerKind.SCHOOL, EmployerKind.FEDERAL} & set(employer.kinds)
    covered = employer.public_employer or special
    if covered or employer.employees is None or employer.employees not in ABOUT_FIFTY:
        return False
    return {one.rule.id for one in _fmla(answers).with_result(Result.NOT_MET)} <= SIZE_RULES


def _fmla(answers: Answers) -> LawAssessment:
    return assess_law(request_of(answers), Law.FMLA)


def for_break(answers: Answers) -> bool:
    """Earlier service, which a break of seven years may take away."""
    service = answers.get(ServiceTime)
    return service is not None and service.earlier_service_months > 0


def for_credit(answers: Answers) -> bool:
    """Too few hours, where they alone decide."""
    if WorkedHours not in answers:
        return False
    failed = [
        {one.rule.id for one in law.with_result(Result.NOT_MET)}
        for law in assess(request_of(answers))
        if law.law is not Law.PDL
    ]
    return any(rules and rules <= HOURS_RULES for rules in failed)


def for_crew(answers: Answers) -> bool:
    """Airline flight crew."""
    credit = answers.get(HoursCredit)
    return credit is not None and credit.flight_crew is YesNo.YES


def for_holidays(answers: Answers) -> bool:
    """A public holiday in a part of a week."""
    request = request_of(answers)
    return any(law.eligibility is not Eligibility.NOT_ELIGIBLE for law in assess(request)) and (
        has_partial_holidays(request)
    )


def for_short_bonding(answers: Answers) -> bool:
    """Bonding in one piece of less than two weeks, in California."""
    request = request_of(answers)
    is_short = facts_of(request)["bonding_is_short"].is_true is True
    return is_short and request.works_in_california is not False


def for_pregnancy_hours(answers: Answers) -> bool:
    """Bonding right after pregnancy leave, where the hours before that leave decide."""
    fact = facts_of(request_of(answers))["hours_cfra"]
    return "hours_before_pregnancy_leave" in fact.missing
