"""Choices of the facts that few requests state."""

from __future__ import annotations

from enum import StrEnum


class Exigency(StrEnum):
    """The types of qualifying exigency, 29 CFR 825.126(b)."""

    SHORT_NOTICE = "short_notice_deployment"
    EVENTS = "military_events"
    CHILDCARE = "childcare_and_school"
    FINANCIAL = "financial_and_legal"
    COUNSELING = "counseling"
    REST = "rest_and_recuperation"
    POST_DEPLOYMENT = "post_deployment"
    PARENTAL_CARE = "parental_care"
    AGREED = "additional_agreed"


class OtherReason(StrEnum):
    """What people ask leave for that other laws decide."""

    ORGAN_DONATION = "organ_donation"
    BEREAVEMENT = "bereavement"
    REPRODUCTIVE_LOSS = "reproductive_loss"
    VIOLENCE_OR_COURT = "violence_or_court"
    SCHOOL = "school"
    OWN_MILITARY_SERVICE = "own_military_service"
    SHORT_ILLNESS = "short_illness"
    NONE_OF_THESE = "none_of_these"


class OpenFact(StrEnum):
    """Facts that may be asked for and stay unknown; then what they decide is not concluded."""

    FLIGHT_CREW = "flight_crew"
    MILITARY_HOURS = "military_hours"
    VETERAN = "veteran"
    WEEKS_WITH_50 = "weeks_with_50"
    EARLIER_SERVICE = "earlier_service_ended_on"


class Weekday(StrEnum):
    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"
