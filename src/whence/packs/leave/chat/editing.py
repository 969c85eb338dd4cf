"""What can be changed from chat, and how days and relations are read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from whence.packs.leave.as_written import day_as_written, relation_as_written
from whence.packs.leave.records import LeaveRequest, Relation
from whence.sdk.chat import Editable, RecordView, read_day
from whence.sdk.errors import Invalid
from whence.sdk.text import quoted

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
        day = written if isinstance(written, date) else read_day(words, view.at.date(), near)
        if day is None:
            raise Invalid(
                f"The {label} cannot be {quoted(words)}: that is not a valid date; write it as "
                "2026-03-02."
            )
        return day.isoformat()

    return read


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


def _dated(field: str, *words: str) -> Editable:
    return Editable(field, words, _day(field, words[0]))


EDITABLE = (
    _dated(
        "starts_on",
        *("first day", "start", "start date", "first day of leave", "starts", "starts on"),
        *("ersten Tag", "erster Tag", "Beginn", "premier jour", "primer día"),
    ),
    _dated(
        "ends_on",
        *("last day", "end", "end date", "last day of leave", "ends", "ends on"),
        *("letzten Tag", "letzter Tag", "Ende", "dernier jour", "último día"),
    ),
    Editable("employees", ("employees", "number of employees", "employees in all", "Beschäftigte")),
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
    _dated("child_arrives_on", "birth date", "due date", "placement date"),
    _dated(
        "certification_asked_on",
        *("certification asked on", "certification request date"),
        *("certification was asked on", "certification was requested on"),
    ),
    Editable("relation", ("relation", "relationship"), _relation),
    Editable("title", ("title", "name of the request")),
)
