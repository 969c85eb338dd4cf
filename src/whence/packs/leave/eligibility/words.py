"""The words for facts, laws and choices."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import TypeVar

from whence.packs.leave.choices import Exigency, OtherReason
from whence.packs.leave.records import Law, Pattern, Reason, Relation, YearMethod

C = TypeVar("C", bound=StrEnum | str)
ROUNDING = 1e-6
"""Weeks; what rounding may leave of a third."""
LAWS = {
    Law.FMLA: "FMLA",
    Law.CFRA: "CFRA",
    Law.PDL: "California pregnancy disability leave",
}
REASONS = {
    Reason.OWN_HEALTH: "the employee's own serious health condition",
    Reason.PREGNANCY_DISABILITY: "disability because of pregnancy",
    Reason.BONDING_BIRTH: "bonding with a newborn child",
    Reason.BONDING_ADOPTION: "bonding after an adoption",
    Reason.BONDING_FOSTER: "bonding after a foster care placement",
    Reason.FAMILY_CARE: "care for a family member with a serious health condition",
    Reason.MILITARY_EXIGENCY: "a family member's military duty (qualifying exigency)",
    Reason.MILITARY_CAREGIVER: "care for an injured or ill servicemember",
    Reason.OTHER: "another reason",
}
RELATIONS = {
    Relation.SPOUSE: "spouse",
    Relation.DOMESTIC_PARTNER: "domestic partner",
    Relation.CHILD: "child",
    Relation.PARENT: "parent",
    Relation.PARENT_IN_LAW: "parent-in-law",
    Relation.GRANDPARENT: "grandparent",
    Relation.GRANDCHILD: "grandchild",
    Relation.SIBLING: "sibling",
    Relation.DESIGNATED_PERSON: "designated person",
    Relation.NEXT_OF_KIN: "next of kin",
    Relation.OTHER: "somebody else",
}
OTHER_REASONS = {
    OtherReason.ORGAN_DONATION: "giving an organ or bone marrow",
    OtherReason.BEREAVEMENT: "the death of a family member",
    OtherReason.REPRODUCTIVE_LOSS: "a miscarriage, stillbirth, failed adoption or the like",
    OtherReason.VIOLENCE_OR_COURT: "violence, a crime, jury duty or a subpoena",
    OtherReason.SCHOOL: "a child's school or child care",
    OtherReason.OWN_MILITARY_SERVICE: "the employee's own military service",
    OtherReason.SHORT_ILLNESS: "a short illness, or a medical checkup",
    OtherReason.NONE_OF_THESE: "none of these",
}
METHODS = {
    YearMethod.CALENDAR: "calendar year",
    YearMethod.FIXED: "fixed leave year",
    YearMethod.FORWARD: "12 months measured forward from the first leave",
    YearMethod.ROLLING: "12 months rolling backward",
}
EXIGENCIES = {
    Exigency.SHORT_NOTICE: "short-notice deployment",
    Exigency.EVENTS: "military events and related activities",
    Exigency.CHILDCARE: "childcare and school activities",
    Exigency.FINANCIAL: "financial and legal arrangements",
    Exigency.COUNSELING: "counseling",
    Exigency.REST: "rest and recuperation",
    Exigency.POST_DEPLOYMENT: "post-deployment activities",
    Exigency.PARENTAL_CARE: "care of the military member's parent",
    Exigency.AGREED: "another activity that employer and employee agree on",
}
PATTERNS = {
    Pattern.CONTINUOUS: "continuous",
    Pattern.INTERMITTENT: "intermittent",
    Pattern.REDUCED: "a reduced schedule",
}
FIELDS = {
    "reason": "what the leave is for",
    "relation": "how the other person is related to the employee",
    "child_is_adult": "whether the child is an adult",
    "child_needs_care": "whether the adult child cannot care for themself because of a disability",
    "designated_person_limited": (
        "whether the employer limits designated persons to one in 12 months"
    ),
    "medical_need": "whether a health care provider confirms the need for leave",
    "line_of_duty": "whether the injury or illness was incurred in the line of duty",
    "active_duty": "whether the family member is on covered active duty, or called to it",
    "child_arrives_on": "the day of the birth or placement",
    "starts_on": "the first day of leave",
    "ends_on": "the last day of leave",
    "pattern": "whether the leave is in one piece",
    "hours_off_per_week": "how many hours a week the leave takes",
    "public_employer": "whether the employer is a public agency",
    "earlier_service_months": "the earlier service with the employer in months",
    "works_in_california": "whether the employee works in California",
    "employees": "how many employees the employer has",
    "employees_within_75_miles": "how many employees work within 75 miles of the worksite",
    "hired_on": "the day of hire",
    "hours_last_12_months": "the hours worked in the 12 months before the leave",
    "weekly_hours": "the normal weekly hours",
    "year_method": "how the employer counts the leave year",
    "leave_year_starts": "the first day of the employer's leave year",
    "spouse_same_employer": "whether a spouse works for the same employer",
    "spouse_eligible": "whether that spouse is eligible for FMLA leave too",
    "weeks_of_both": "how many weeks both spouses have taken of leave that they may have to share",
    "need_known_on": "the day on which the need became known",
    "notice_given_on": "the day on which the employer was told",
    "foreseeable": "whether the need could be foreseen",
    "certification": "whether a certification was asked for",
    "certification_asked_on": "the day on which the certification was asked for",
    "certification_given_on": "the day on which the certification was given",
    "school": "whether the employer is an elementary or secondary school",
    "teacher": "whether the employee teaches as their principal work",
    "term_ends_on": "the last day of the academic term",
    "federal_employer": "whether the employer is the federal government",
    "federal_title_one": "whether Title I of the FMLA binds this federal employer",
    "joint_employer": "whether another employer shares control, such as a staffing agency",
    "joint_employees": "how many employees there are with those who are employed jointly",
    "weeks_with_50": "in how many workweeks of this or the last year there were 50 employees",
    "fifty_employees_on": "the day from which there are enough employees near the worksite",
    "earlier_service_ended_on": "the last day of the earlier employment",
    "break_excused": (
        "whether the break in service was for military service, or a written agreement promised "
        "the return"
    ),
    "military_hours": "the hours that military service kept from being worked",
    "flight_crew": "whether the employee is airline flight crew",
    "crew_hours": "the hours that a flight crew member worked or was paid for in the last year",
    "crew_guarantee_met": "whether enough of the monthly guarantee was worked or paid",
    "next_of_kin": "whether the employee is the servicemember's next of kin",
    "veteran": "whether the servicemember is a veteran",
    "discharged_on": "the day on which the veteran was discharged",
    "dishonorable": "whether the discharge was dishonorable",
    "exigency": "which type of qualifying exigency it is",
    "exigency_began_on": "the day on which the exigency began",
    "needed_for_placement": "whether the leave is needed for the placement to go ahead",
    "short_bonding_before": "how many short bonding leaves were taken before",
    "hours_before_pregnancy_leave": (
        "the hours worked in the year before the pregnancy leave began"
    ),
    "workdays": "the days of the employee's workweek",
    "works_holidays": "whether the employee was to work on the public holidays",
    "deficiency_notice_on": "the day on which the employer said in writing what is lacking",
    "employer_answered_on": "the day on which the employer answered the request",
    "not_known": "what was asked for and is not known",
    "designated_on": "the day on which the employer designated the leave",
    "designated_person_named": "whether another designated person was named before",
    "other_reason": "which other reason it is",
    "closed_from": "the first day on which the business is closed",
    "closed_until": "the last day on which the business is closed",
    "job_ends_on": "the day on which the job would end without the leave too",
}
"""Facts in words, for `cannot be determined yet: ...`."""


def day(value: date) -> str:
    """A day in words: `March 3, 2026`."""
    return f"{value:%B} {value.day}, {value.year}"


def number(value: float) -> str:
    """A number without needless decimals: `1,250`, `0.4`, `693.33`."""
    return f"{round(value, 2):,.2f}".rstrip("0").rstrip(".")


def counted(value: float, one: str) -> str:
    """A number with its unit: `1 week`, `12 weeks`, `17 1/3 weeks`."""
    thirds = round(value * 3)
    if one == "week" and thirds % 3 and abs(value * 3 - thirds) < ROUNDING:
        return f"{f'{thirds // 3} ' if thirds >= 3 else ''}{thirds % 3}/3 weeks"
    return f"{number(value)} {one}{'' if round(value, 2) == 1 else 's'}"


def lower_first(title: str) -> str:
    """A title within a sentence: `Work in California` becomes `work in California`."""
    return f"{title[:1].lower()}{title[1:]}"


def join_words(words: list[str] | tuple[str, ...]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def choice_labels(of: Mapping[C, str]) -> dict[str, str]:
    """Choices with a capital letter, as labels begin."""
    return {str(key): f"{words[:1].upper()}{words[1:]}" for key, words in of.items()}
