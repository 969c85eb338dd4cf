"""What each step takes.  Whatever a person may not know can be left out, or is told as unknown."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from whence.packs.leave.choices import Exigency, OtherReason, Weekday
from whence.packs.leave.records import (
    Certification,
    Count,
    Day,
    Hours,
    Law,
    MonthDay,
    Pattern,
    Reason,
    RelationWritten,
    WeeklyHours,
    WeeksOfBoth,
    WeeksWith50,
)
from whence.sdk.values import Wire


class YesNo(StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class EmployerKind(StrEnum):
    """Employers for which special rules hold; each is a fact of the record by this name."""

    SCHOOL = "school"
    FEDERAL = "federal_employer"
    JOINT = "joint_employer"


class YearMethodChoice(StrEnum):
    """How the 12-month period is counted, or that it is not known."""

    CALENDAR = "calendar"
    FIXED = "fixed"
    FORWARD = "forward"
    ROLLING = "rolling"
    UNKNOWN = "unknown"


class LeaveReason(Wire):
    reason: Reason
    title: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] | None = None


class OtherReasonGiven(Wire):
    other_reason: OtherReason


class FamilyMember(Wire):
    relation: RelationWritten


class ChildAge(Wire):
    child_is_adult: YesNo


class ChildCare(Wire):
    child_needs_care: YesNo


class DesignatedPerson(Wire):
    designated_person_named: YesNo
    designated_person_limited: YesNo = YesNo.UNKNOWN


class MedicalNeed(Wire):
    medical_need: YesNo


class LineOfDuty(Wire):
    line_of_duty: YesNo


class ActiveDuty(Wire):
    active_duty: YesNo


class NextOfKin(Wire):
    next_of_kin: YesNo


class Veteran(Wire):
    veteran: YesNo


class Discharge(Wire):
    discharged_on: Day | None = None
    dishonorable: YesNo = YesNo.UNKNOWN


class ExigencyType(Wire):
    exigency: Exigency | None = None
    exigency_began_on: Day | None = None


class ChildArrival(Wire):
    child_arrives_on: Day | None = None


class Dates(Wire):
    starts_on: Day
    ends_on: Day | None = None
    closed_from: Day | None = None
    closed_until: Day | None = None


class PlacementNeed(Wire):
    needed_for_placement: YesNo


class Schedule(Wire):
    pattern: Pattern


class HoursOff(Wire):
    hours_off_per_week: WeeklyHours | None = None


class WorkPlace(Wire):
    works_in_california: YesNo


class Employer(Wire):
    public_employer: bool
    employees: Count | None = None
    kinds: Annotated[list[EmployerKind], Field(max_length=3)] = Field(
        default_factory=list[EmployerKind]
    )


class FederalLaw(Wire):
    federal_title_one: YesNo


class JointStaff(Wire):
    joint_employees: Count | None = None


class Teaching(Wire):
    teacher: YesNo
    term_ends_on: Day | None = None


class NearFifty(Wire):
    weeks_with_50: WeeksWith50 | None = None
    fifty_employees_on: Day | None = None


class WorkSite(Wire):
    employees_within_75_miles: Count | None = None


class ServiceTime(Wire):
    hired_on: Day | None = None
    earlier_service_months: Annotated[int, Field(ge=0, le=1_200)] = 0
    job_ends_on: Day | None = None


class ServiceBreak(Wire):
    earlier_service_ended_on: Day | None = None
    break_excused: YesNo = YesNo.UNKNOWN


class WorkedHours(Wire):
    hours_last_12_months: Hours | None = None
    weekly_hours: WeeklyHours | None = None
    workdays: Annotated[list[Weekday], Field(max_length=7)] = Field(default_factory=list[Weekday])


class HoursCredit(Wire):
    military_hours: Hours | None = None
    flight_crew: YesNo


class CrewService(Wire):
    crew_hours: Hours | None = None
    crew_guarantee_met: YesNo


class Holidays(Wire):
    works_holidays: YesNo


class ShortBonding(Wire):
    short_bonding_before: Annotated[int, Field(ge=0, le=50)] | None = None


class PregnancyHours(Wire):
    hours_before_pregnancy_leave: Hours | None = None


class LeaveYear(Wire):
    year_method: YearMethodChoice


class YearStart(Wire):
    leave_year_starts: MonthDay | None = None


class HadEarlierLeave(Wire):
    was_taken: bool


class EarlierPeriod(Wire):
    """One leave taken before; without hours, each weekday of it counts as a whole day."""

    starts_on: Day
    ends_on: Day
    hours: Hours | None = None
    laws: Annotated[list[Law], Field(min_length=1, max_length=3)]
    caregiver: bool = False
    this_pregnancy: bool = True
    same_reason: bool = False
    another: bool = False

    @model_validator(mode="after")
    def _in_order(self) -> EarlierPeriod:
        if self.ends_on < self.starts_on:
            raise ValueError("It ends before it starts.")
        return self


class EarlierPeriod1(EarlierPeriod):
    """The first."""


class EarlierPeriod2(EarlierPeriod):
    """The second."""


class EarlierPeriod3(EarlierPeriod):
    """The third."""


class EarlierPeriod4(EarlierPeriod):
    """The fourth, or all further ones together, with their hours."""


EARLIER: tuple[type[EarlierPeriod], ...] = (
    EarlierPeriod1,
    EarlierPeriod2,
    EarlierPeriod3,
    EarlierPeriod4,
)


class Spouse(Wire):
    spouse_same_employer: YesNo


class SpouseLeave(Wire):
    spouse_eligible: YesNo
    weeks_of_both: WeeksOfBoth | None = None


class CaregiverYear(Wire):
    caregiver_leave_began: Day | None = None


class NoticeGiven(Wire):
    foreseeable: YesNo
    need_known_on: Day | None = None
    notice_given_on: Day | None = None
    employer_answered_on: Day | None = None


class CertificationStatus(Wire):
    certification: Certification


class CertificationDates(Wire):
    certification_asked_on: Day | None = None
    certification_given_on: Day | None = None
    deficiency_notice_on: Day | None = None
    designated_on: Day | None = None
