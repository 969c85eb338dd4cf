"""The words of a leave request: why, for whom, when, and the facts that the rules look at.

Every fact may be unknown (`None`), and an unknown fact is never taken for a met rule.  No field
asks what an illness is; a health care provider's yes or no is all that the rules need.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from whence.sdk.values import Wire

from .as_written import day_as_written, relation_as_written
from .choices import Exigency, OpenFact, OtherReason, Weekday

MAX_EMPLOYEES = 10_000_000
"""More than the largest employer there is (people)."""
MAX_HOURS_A_YEAR = 366 * 24
MAX_HOURS_A_WEEK = 7 * 24
MAX_WEEKS_OF_BOTH = 104
"""All of the weeks of two people in a year."""
MAX_WEEKS_WITH_50 = 106
"""All the workweeks of this calendar year and the last."""
MAX_EARLIER = 60
"""Earlier leaves of one request: more than one a month over the years that can count."""

Count = Annotated[int, Field(ge=0, le=MAX_EMPLOYEES)]
Hours = Annotated[float, Field(ge=0, le=MAX_HOURS_A_YEAR, allow_inf_nan=False)]
WeeklyHours = Annotated[float, Field(gt=0, le=MAX_HOURS_A_WEEK, allow_inf_nan=False)]
WeeksWith50 = Annotated[int, Field(ge=0, le=MAX_WEEKS_WITH_50)]
WeeksOfBoth = Annotated[float, Field(ge=0, le=MAX_WEEKS_OF_BOTH, allow_inf_nan=False)]
Day = Annotated[
    date, BeforeValidator(day_as_written), Field(ge=date(1950, 1, 1), le=date(2100, 12, 31))
]
"""Also as `12/10/2026`, with the month first."""
MonthDay = Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$")]
"""`MM-DD`; the 29th to 31st are left out, so that the day is in every year and month."""


class Law(StrEnum):
    FMLA = "fmla"
    CFRA = "cfra"
    PDL = "pdl"


class Reason(StrEnum):
    OWN_HEALTH = "own_health"
    PREGNANCY_DISABILITY = "pregnancy_disability"
    BONDING_BIRTH = "bonding_birth"
    BONDING_ADOPTION = "bonding_adoption"
    BONDING_FOSTER = "bonding_foster"
    FAMILY_CARE = "family_care"
    MILITARY_EXIGENCY = "military_exigency"
    MILITARY_CAREGIVER = "military_caregiver"
    OTHER = "other"
    """What other laws give leave for, if any do; `other_reason` says which."""


BONDING = (Reason.BONDING_BIRTH, Reason.BONDING_ADOPTION, Reason.BONDING_FOSTER)
MEDICAL = (Reason.OWN_HEALTH, Reason.PREGNANCY_DISABILITY, Reason.FAMILY_CARE)
FOR_SOMEBODY = (Reason.FAMILY_CARE, Reason.MILITARY_EXIGENCY, Reason.MILITARY_CAREGIVER)
"""Reasons for which it matters who the family member is."""


class Relation(StrEnum):
    """What the other person is to the employee."""

    SPOUSE = "spouse"
    DOMESTIC_PARTNER = "domestic_partner"
    CHILD = "child"
    PARENT = "parent"
    PARENT_IN_LAW = "parent_in_law"
    GRANDPARENT = "grandparent"
    GRANDCHILD = "grandchild"
    SIBLING = "sibling"
    DESIGNATED_PERSON = "designated_person"
    NEXT_OF_KIN = "next_of_kin"
    OTHER = "other"


RelationWritten = Annotated[Relation, BeforeValidator(relation_as_written)]
"""Also in other words for it: `mother in law`."""


class Pattern(StrEnum):
    CONTINUOUS = "continuous"
    INTERMITTENT = "intermittent"
    REDUCED = "reduced"


class YearMethod(StrEnum):
    """How an employer counts the 12-month period, 29 CFR 825.200(b)."""

    CALENDAR = "calendar"
    FIXED = "fixed"
    FORWARD = "forward"
    ROLLING = "rolling"


class Certification(StrEnum):
    NOT_ASKED = "not_asked"
    ASKED = "asked"
    GIVEN = "given"
    INCOMPLETE = "incomplete"


class EarlierLeave(Wire):
    """Leave taken before; without hours, every weekday from start to end counts as a whole day."""

    starts_on: Day
    ends_on: Day
    hours: Hours | None = None
    laws: Annotated[list[Law], Field(min_length=1, max_length=3)]
    """What it was counted under."""
    caregiver: bool = False
    """It was to care for a covered servicemember."""
    this_pregnancy: bool = True
    """For pregnancy disability leave: it was for the pregnancy that this request is about."""
    same_reason: bool = False
    """It was for the same reason as this request (the same condition, the same person)."""

    @model_validator(mode="after")
    def _in_order(self) -> EarlierLeave:
        if self.ends_on < self.starts_on:
            raise ValueError("an earlier leave ends before it starts")
        return self


class CommonFacts(Wire):
    """What most requests state."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    """What the request is called: `Leave from June, bonding`."""
    reason: Reason | None = None
    relation: RelationWritten | None = None
    child_is_adult: bool | None = None
    child_needs_care: bool | None = None
    """An adult child cannot care for themself because of a disability; which one is not asked."""
    designated_person_named: bool | None = None
    """Another designated person was named in the 12 months before."""
    designated_person_limited: bool | None = None
    """The employer limits designated persons to one in 12 months."""
    medical_need: bool | None = None
    """A health care provider says that the leave is medically needed; why is not asked."""
    line_of_duty: bool | None = None
    """The servicemember's serious injury or illness is of the line of duty on active duty."""
    active_duty: bool | None = None
    """The family member is on covered active duty, or called to it."""
    child_arrives_on: Day | None = None
    """Birth or placement, expected or actual."""
    starts_on: Day | None = None
    ends_on: Day | None = None
    """The last day of leave."""
    pattern: Pattern | None = None
    hours_off_per_week: WeeklyHours | None = None
    """Leave in a week, for an intermittent or reduced schedule."""
    works_in_california: bool | None = None
    public_employer: bool = False
    """A public agency; a private employer unless stated."""
    employees: Count | None = None
    employees_within_75_miles: Count | None = None
    hired_on: Day | None = None
    earlier_service_months: Annotated[int, Field(ge=0, le=1_200)] = 0
    """Earlier employment at the same employer that counts (whole months)."""
    hours_last_12_months: Hours | None = None
    """Hours worked in the 12 months before the leave starts."""
    weekly_hours: WeeklyHours | None = None
    """Normally scheduled hours a week."""
    year_method: YearMethod | None = None
    leave_year_starts: MonthDay | None = None
    """First day of the employer's fixed leave year."""
    caregiver_leave_began: Day | None = None
    """First day of military caregiver leave for this servicemember, if there was some before."""
    earlier_leave: Annotated[list[EarlierLeave], Field(max_length=MAX_EARLIER)] = Field(
        default_factory=list[EarlierLeave]
    )
    spouse_same_employer: bool | None = None
    """A spouse works for the same employer; no where there is none."""
    spouse_eligible: bool | None = None
    """That spouse is eligible for FMLA leave as well."""
    weeks_of_both: WeeksOfBoth | None = None
    """Weeks of leave that spouses may have to share, taken by both in the 12-month period."""
    foreseeable: bool | None = None
    need_known_on: Day | None = None
    notice_given_on: Day | None = None
    certification: Certification | None = None
    certification_asked_on: Day | None = None
    certification_given_on: Day | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.starts_on and self.ends_on and self.ends_on < self.starts_on:
            raise ValueError("the leave ends before it starts")
        return self


class SpecialFacts(Wire):
    """What few requests state, and what decides where it applies.

    One that is not stated is not assumed away: the outcome names what it did not check.
    """

    school: bool | None = None
    """The employer is a public or private elementary or secondary school, or a school board."""
    teacher: bool | None = None
    """The employee's principal work at the school is to teach (29 CFR 825.600(c))."""
    term_ends_on: Day | None = None
    """The last day of the academic term in which the leave is."""
    federal_employer: bool | None = None
    federal_title_one: bool | None = None
    """The federal employer is under Title I of the FMLA, as the Postal Service is."""
    joint_employer: bool | None = None
    """Another employer shares control, such as a staffing agency (29 CFR 825.106)."""
    joint_employees: Count | None = None
    """Employees within 75 miles, with those who are employed jointly."""
    weeks_with_50: WeeksWith50 | None = None
    """Workweeks with 50 or more employees, of this or the last calendar year, the more of both."""
    fifty_employees_on: Day | None = None
    """The day from which there are 50 employees within 75 miles, where there were fewer."""
    earlier_service_ended_on: Day | None = None
    """The last day of the earlier employment at the same employer."""
    break_excused: bool | None = None
    """The break was for military service, or a written agreement promised the return."""
    military_hours: Hours | None = None
    """Hours of the 12 months that would have been worked but for military service (USERRA)."""
    flight_crew: bool | None = None
    crew_hours: Hours | None = None
    """Flight crew: hours worked or paid in the last 12 months, duty hours among them."""
    crew_guarantee_met: bool | None = None
    """Flight crew: worked or paid for at least 60 percent of the applicable monthly guarantee."""
    next_of_kin: bool | None = None
    """The employee is the servicemember's nearest blood relative, or designated in writing."""
    veteran: bool | None = None
    """The servicemember is a veteran, not a current member."""
    discharged_on: Day | None = None
    dishonorable: bool | None = None
    exigency: Exigency | None = None
    exigency_began_on: Day | None = None
    """The day on which rest and recuperation begins, or on which the call to duty was told."""
    needed_for_placement: bool | None = None
    """Leave before the placement is needed for it: court, counseling, travel."""
    short_bonding_before: Annotated[int, Field(ge=0, le=50)] | None = None
    """Bonding leaves of less than two weeks for this child, taken before."""
    hours_before_pregnancy_leave: Hours | None = None
    """Hours worked in the 12 months before the pregnancy leave that bonding follows."""
    workdays: Annotated[list[Weekday], Field(min_length=1, max_length=7)] | None = None
    """The days of the employee's own workweek; Monday to Friday where they are not stated."""
    works_holidays: bool | None = None
    """The employee was to work on public holidays that fall in the leave."""
    deficiency_notice_on: Day | None = None
    """The day on which the employer said in writing what the certification lacks."""
    employer_answered_on: Day | None = None
    """The day on which the employer answered the request (notice of eligibility)."""
    designated_on: Day | None = None
    """The day on which the employer gave the designation notice."""
    other_reason: OtherReason | None = None
    closed_from: Day | None = None
    """The first day of a week or more in which the business is closed and nobody is to work."""
    closed_until: Day | None = None
    job_ends_on: Day | None = None
    """The last day of a job that would end without the leave too, as in a layoff."""
    not_known: Annotated[list[OpenFact], Field(max_length=len(OpenFact))] | None = None
    """What was asked for and is not known; what it decides is then not concluded."""

    def is_open(self, fact: OpenFact) -> bool:
        """Whether a fact was asked for and is not known."""
        return fact in (self.not_known or ()) and getattr(self, fact.value) is None


class LeaveRequest(SpecialFacts, CommonFacts):
    """A request for family, medical or pregnancy disability leave."""

    @model_validator(mode="after")
    def _closed_in_order(self) -> Self:
        if self.closed_from and self.closed_until and self.closed_until < self.closed_from:
            raise ValueError("the business opens again before it closes")
        return self
