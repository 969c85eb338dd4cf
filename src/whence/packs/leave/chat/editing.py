"""What can be changed from chat, and how days and relations are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum

from whence.packs.leave.as_written import day_as_written, relation_as_written
from whence.packs.leave.records import LeaveRequest, Pattern, Reason, Relation
from whence.sdk.chat import Editable, RecordView, read_day
from whence.sdk.errors import Invalid
from whence.sdk.text import quoted

from . import told_days
from .carrying import request_in

DAYS_OF = ("starts_on", "ends_on", "child_arrives_on", "notice_given_on", "need_known_on")
"""Days that tell which year a request is about, the first that is stated."""

NOTHING = frozenset({"none", "nothing", "empty", "blank", "unknown", "not known"})


def _day(field: str, label: str) -> Callable[[str, RecordView], str | None]:
    """Reads a day; one without a year is in the year that the request is about."""

    def read(words: str, view: RecordView) -> str | None:
        if words.strip().lower() in NOTHING:
            return None
        request = request_in(view)
        near = getattr(request, field) or _about(request)
        written = day_as_written(words)
        day = written if isinstance(written, date) else _named_day(words, view.at.date(), near)
        if day is None:
            raise Invalid(
                f"The {label} cannot be {quoted(words)}: that is not a valid date; write it as "
                "2026-03-02."
            )
        return day.isoformat()

    return read


def _named_day(words: str, today: date, near: date | None) -> date | None:
    """The day that words name; of the sentences of `told_days` the day that they tell."""
    if re.search(rf"\b(?:{_TOLD})\b", words, re.IGNORECASE):
        return told_days.told_day(words, today, near)
    return read_day(words, today, near)


_TOLD = (
    "back|returns?|returning|came|comes|born|arriv\\w+|brought|handed|gave|sent|got|received|"
    "mailed|asked"
)


def _about(request: LeaveRequest) -> date | None:
    return next((day for name in DAYS_OF if (day := getattr(request, name)) is not None), None)


def _relation(words: str, view: RecordView) -> str:
    relation = relation_as_written(words)
    choices = [one.value for one in Relation]
    text = str(relation).strip().lower().replace("-", "_").replace(" ", "_")
    if text not in choices:
        names = ", ".join(one.replace("_", " ") for one in choices)
        raise Invalid(f"The relation cannot be {quoted(words)}. Choose one of: {names}.")
    return text


_REASONS = {
    r"adopt\w*": Reason.BONDING_ADOPTION,
    r"foster\w*": Reason.BONDING_FOSTER,
    r"bond(?:ing)?(?: with)?|new ?born|new baby|parental leave": Reason.BONDING_BIRTH,
    r"pregnan\w*|morning sickness|childbirth recovery": Reason.PREGNANCY_DISABILITY,
    r"exigenc(?:y|ies)|military exigency|deploy\w*": Reason.MILITARY_EXIGENCY,
    r"military caregiver|injured servicemember": Reason.MILITARY_CAREGIVER,
    r"own (?:health|illness|condition)|own medical|serious health condition": Reason.OWN_HEALTH,
    r"family care|car(?:e|ing) for|look(?:ing)? after": Reason.FAMILY_CARE,
}
_PATTERNS = {
    r"intermittent(?:ly)?|on and off|now and then": Pattern.INTERMITTENT,
    r"reduced(?: schedule)?|part[- ]time": Pattern.REDUCED,
    r"continuous(?:ly)?|in one (?:piece|block|go)|all at once": Pattern.CONTINUOUS,
}


def _choice(label: str, words: Mapping[str, StrEnum]) -> Callable[[str, RecordView], str]:
    """Reads a choice by its value or by the words for it, the first that occur."""
    kind = type(next(iter(words.values())))

    def read(text: str, view: RecordView) -> str:
        plain = text.strip().lower().replace("_", " ").replace("-", " ")
        if plain in (names := {one.value.replace("_", " "): one.value for one in kind}):
            return names[plain]
        for expression, choice in words.items():
            if re.search(rf"\b(?:{expression})\b", text, re.IGNORECASE):
                return choice.value
        raise Invalid(f"The {label} cannot be {quoted(text)}. Choose one of: {', '.join(names)}.")

    return read


def _dated(field: str, *words: str, told: tuple[str, ...] = ()) -> Editable:
    return Editable(field, words, _day(field, words[0]), asked_by=told)


EDITABLE = (
    _dated(
        "starts_on",
        *("first day", "start", "start date", "first day of leave", "starts", "starts on"),
        *("beginnt", "empieza", "commence", "début", "inicio"),
        *(
            "begin",
            "begins",
            "begins on",
            "ersten Tag",
            "erster Tag",
            "erste Tag",
            "Beginn",
            "premier jour",
            "primer día",
        ),
    ),
    _dated(
        "ends_on",
        *("last day", "end", "end date", "last day of leave", "ends", "ends on"),
        *("endet", "termina", "finit", "fin"),
        *(
            "finish",
            "finishes",
            "letzten Tag",
            "letzter Tag",
            "letzte Tag",
            "Ende",
            "dernier jour",
            "último día",
        ),
        told=told_days.BACK,
    ),
    Editable(
        "employees",
        (
            *("employees", "number of employees", "employees in all", "people", "workers"),
            *("staff", "headcount", "Beschäftigte", "empleados", "salariés"),
        ),
    ),
    Editable(
        "employees_within_75_miles",
        (
            *("employees near the worksite", "employees within 75 miles"),
            *("number of employees near the worksite", "number of employees within 75 miles"),
        ),
    ),
    Editable(
        "hours_last_12_months",
        (
            *("hours worked", "hours of the last 12 months", "hours in the last 12 months"),
            *("hours over the last 12 months", "worked hours"),
        ),
    ),
    Editable(
        "weekly_hours",
        ("weekly hours", "normal hours a week", "hours a week", "hours per week", "Wochenstunden"),
    ),
    _dated("hired_on", "hire date", "day of hire", "hired on", "date of hire", "hired"),
    _dated(
        "notice_given_on",
        *("notice date", "day of notice", "notice given on", "notice was given on"),
        *("notice was given", "gave notice", "gave notice on"),
    ),
    _dated("child_arrives_on", "birth date", "due date", "placement date", told=told_days.BORN),
    _dated(
        "certification_given_on",
        *("certification given on", "certification was given on", "certification received on"),
        told=told_days.PROVEN,
    ),
    _dated(
        "certification_asked_on",
        *("certification asked on", "certification request date"),
        *("certification was asked on", "certification was requested on"),
        told=told_days.ASKED,
    ),
    Editable("relation", ("relation", "relationship"), _relation),
    Editable(
        "reason", ("reason", "reason for leave", "Grund", "motivo"), _choice("reason", _REASONS)
    ),
    Editable("pattern", ("pattern", "leave pattern"), _choice("pattern", _PATTERNS)),
    Editable(
        "hours_off_per_week",
        (
            *("hours off a week", "hours off per week", "hours off", "hours of leave a week"),
            *("hours off each week", "hours of leave per week"),
        ),
    ),
    Editable(
        "works_in_california",
        ("in California", "works in California", "California"),
    ),
    Editable("year_method", ("leave year", "12-month period", "year method", "leave year method")),
    Editable("title", ("title", "name of the request")),
)
