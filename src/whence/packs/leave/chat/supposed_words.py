"""The supposed facts in words: `the employer has 30 employees`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from whence.packs.leave.eligibility.words import FIELDS, RELATIONS, counted, day, join_words, number
from whence.packs.leave.records import Relation

_CLAUSES = {
    "employees": "the employer has {count}",
    "employees_within_75_miles": "{count} work within 75 miles of the worksite",
    "hours_last_12_months": "{hours} were worked in the 12 months before the leave",
    "weekly_hours": "the normal week has {hours}",
    "hired_on": "the employee was hired on {day}",
    "starts_on": "the leave starts on {day}",
    "ends_on": "it ends on {day}",
    "notice_given_on": "the employer was told on {day}",
}
_YES_NO = {
    "works_in_california": ("the employee works in California", "the work is outside California"),
    "public_employer": ("the employer is a public agency", "the employer is no public agency"),
}


def supposed_words(changes: Mapping[str, Any]) -> str:
    """All supposed facts in one clause."""
    stated = {name: value for name, value in changes.items() if value is not None}
    purpose = "to care for" if stated.pop("reason", None) else "for"
    return join_words([_clause(name, value, purpose) for name, value in stated.items()])


def _clause(name: str, value: object, purpose: str) -> str:
    match value:
        case bool() if name in _YES_NO:
            words = _YES_NO[name][0 if value else 1]
        case Relation.OTHER:
            words = f"the leave is {purpose} somebody else, such as a cousin or a friend"
        case Relation():
            words = f"the leave is {purpose} a {RELATIONS[value]}"
        case int() | float() if name == "earlier_service_months":
            months = f"{counted(value, 'month')} of" if value else "no"
            words = f"there was {months} earlier service"
        case int() | float() if name in _CLAUSES:
            people = "1 employee" if value == 1 else f"{number(value)} employees"
            words = _CLAUSES[name].format(count=people, hours=counted(value, "hour"))
        case date() if name in _CLAUSES:
            words = _CLAUSES[name].format(day=day(value))
        case _:
            words = f"{FIELDS[name]}: {value}"
    return words
