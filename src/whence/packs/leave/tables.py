"""The table of leave requests."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Float
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from whence.sdk.records import SubjectRow


class LeaveRequestRow(SubjectRow):
    """A column for every field of `LeaveRequest`; days are ISO text, which sorts as days do."""

    __tablename__ = "requests"
    __table_args__ = {"schema": "leave"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    title: Mapped[str]
    reason: Mapped[str | None]
    relation: Mapped[str | None]
    child_is_adult: Mapped[bool | None]
    child_needs_care: Mapped[bool | None]
    designated_person_named: Mapped[bool | None]
    designated_person_limited: Mapped[bool | None]
    medical_need: Mapped[bool | None]
    line_of_duty: Mapped[bool | None]
    active_duty: Mapped[bool | None]
    child_arrives_on: Mapped[str | None]
    starts_on: Mapped[str | None]
    ends_on: Mapped[str | None]
    pattern: Mapped[str | None]
    hours_off_per_week: Mapped[float | None] = mapped_column(Float)
    works_in_california: Mapped[bool | None]
    public_employer: Mapped[bool]
    employees: Mapped[int | None]
    employees_within_75_miles: Mapped[int | None]
    hired_on: Mapped[str | None]
    earlier_service_months: Mapped[int]
    hours_last_12_months: Mapped[float | None] = mapped_column(Float)
    weekly_hours: Mapped[float | None] = mapped_column(Float)
    year_method: Mapped[str | None]
    leave_year_starts: Mapped[str | None]
    caregiver_leave_began: Mapped[str | None]
    earlier_leave: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    spouse_same_employer: Mapped[bool | None]
    spouse_eligible: Mapped[bool | None]
    weeks_of_both: Mapped[float | None] = mapped_column(Float)
    foreseeable: Mapped[bool | None]
    need_known_on: Mapped[str | None]
    notice_given_on: Mapped[str | None]
    certification: Mapped[str | None]
    certification_asked_on: Mapped[str | None]
    certification_given_on: Mapped[str | None]
    school: Mapped[bool | None]
    teacher: Mapped[bool | None]
    term_ends_on: Mapped[str | None]
    federal_employer: Mapped[bool | None]
    federal_title_one: Mapped[bool | None]
    joint_employer: Mapped[bool | None]
    joint_employees: Mapped[int | None]
    weeks_with_50: Mapped[int | None]
    fifty_employees_on: Mapped[str | None]
    earlier_service_ended_on: Mapped[str | None]
    break_excused: Mapped[bool | None]
    military_hours: Mapped[float | None] = mapped_column(Float)
    flight_crew: Mapped[bool | None]
    crew_hours: Mapped[float | None] = mapped_column(Float)
    crew_guarantee_met: Mapped[bool | None]
    next_of_kin: Mapped[bool | None]
    veteran: Mapped[bool | None]
    discharged_on: Mapped[str | None]
    dishonorable: Mapped[bool | None]
    exigency: Mapped[str | None]
    exigency_began_on: Mapped[str | None]
    needed_for_placement: Mapped[bool | None]
    short_bonding_before: Mapped[int | None]
    hours_before_pregnancy_leave: Mapped[float | None] = mapped_column(Float)
    workdays: Mapped[list[str] | None] = mapped_column(JSONB(none_as_null=True))
    works_holidays: Mapped[bool | None]
    deficiency_notice_on: Mapped[str | None]
    employer_answered_on: Mapped[str | None]
    designated_on: Mapped[str | None]
    other_reason: Mapped[str | None]
    closed_from: Mapped[str | None]
    closed_until: Mapped[str | None]
    job_ends_on: Mapped[str | None]
    not_known: Mapped[list[str] | None] = mapped_column(JSONB(none_as_null=True))
