"""The facts that a what-if question supposes, read from its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from whence.packs.leave.as_written import FAMILY, relation_in
from whence.packs.leave.eligibility.days import add_months
from whence.packs.leave.records import LeaveRequest, Relation

Facts = Mapping[str, Any]
_Read = Callable[[re.Match[str], LeaveRequest], Facts]
_NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_DATE = rf"(\d{{4}}-\d{{2}}-\d{{2}}|{_MONTH} \d{{1,2}},? \d{{4}})"
_UP_TO = r"[^.;?]{0,30}?"
SUPPOSES = (
    rf"\b(?:if|suppose|supposing|assuming)\b(?=.*(?:\d|\bcaliforn|{'|'.join(FAMILY)}))"
    rf"|^\W*(?:(?:and|but|so|ok(?:ay)?),? )*(?:what|how) about (?:(?:for|caring for) )?"
    rf"(?:(?:a|an|my|her|his|their|the) )?(?:{'|'.join(FAMILY)})\b"
)
"""What a question that supposes something has."""


_BIRTH = re.compile(
    r"\b(?:baby|babies|child|twins?|newborn)\b.{0,20}"
    r"\b(?:comes?|came|arriv\w+|born|due|late|early|is here)\b"
)


@dataclass(frozen=True)
class _Reader:
    """Reads one fact out of a question in lower case."""

    pattern: str
    read: _Read


def supposed_in(question: str, request: LeaveRequest) -> dict[str, Any]:
    """The facts that a question supposes, by field; empty where none can be read."""
    text = " ".join(question.lower().split())
    facts: dict[str, Any] = {}
    for reader in _READERS:
        if match := re.search(reader.pattern, text):
            read_facts = reader.read(match, request)
            facts |= {name: value for name, value in read_facts.items() if name not in facts}
    return facts


def _amount(text: str) -> float:
    return float(text.replace(",", ""))


def _after(match: re.Match[str]) -> str:
    return match.string[match.end() :]


def _hours(match: re.Match[str], _: LeaveRequest) -> Facts:
    weekly = re.match(r"\s*(?:(?:per|a|each|every) week|weekly)", _after(match))
    return {"weekly_hours" if weekly else "hours_last_12_months": _amount(match[1])}


def _employees(match: re.Match[str], _: LeaveRequest) -> Facts:
    near = re.match(rf"{_UP_TO}\b(?:near|within|75|worksite|site)\b", _after(match))
    name = "employees_within_75_miles" if near else "employees"
    return {name: int(_amount(match[1]))}


def _service(match: re.Match[str], request: LeaveRequest) -> Facts:
    """So much service on the first day of leave, with a day more where it is more than that."""
    if request.starts_on is None or not re.search(r"service|there|employ|tenure", match.string):
        return {}
    months = int(_amount(match[2])) * (12 if match[3] == "year" else 1)
    hired = add_months(request.starts_on, -months)
    more = match[1] in ("more than", "over")
    return {"hired_on": hired - timedelta(days=1) if more else hired, "earlier_service_months": 0}


def _day(field: str) -> _Read:
    def read(match: re.Match[str], request: LeaveRequest) -> Facts:
        parsed = _parsed(match[1])
        return (
            {} if parsed is None else {field: parsed, **_with_same_length(field, parsed, request)}
        )

    return read


def _with_same_length(field: str, first: date, request: LeaveRequest) -> Facts:
    """A leave that is moved keeps its length."""
    start, end = request.starts_on, request.ends_on
    if field != "starts_on" or start is None or end is None:
        return {}
    return {"ends_on": first + (end - start)}


def _parsed(text: str) -> date | None:
    for form in ("%Y-%m-%d", "%B %d, %Y", "%B %d %Y"):
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 (a day has no zone)
        except ValueError:
            continue
    return None


def _relation(match: re.Match[str], _: LeaveRequest) -> Facts:
    if _BIRTH.search(match.string):
        return {}  # the baby's birth, which is no care for a child
    relation = relation_in(match.string)
    return {"relation": Relation(relation)} if relation else {}


def _is(field: str, value: object) -> _Read:
    return lambda match, request: {field: value}


_HIRED = rf"(?:hired|employed|works? there|working there|service)\b{_UP_TO}\b(?:on|since|from) "
_STARTS = rf"(?:start(?:s|ed)?|beg(?:in|ins|an|un)|first day)\b{_UP_TO} "
_MONTHS = r"(exactly|more than|over)?\s*\b(\d[\d,]*) (month|year)s?\b(?! (?:period|before))"
_READERS = (
    _Reader(f"{_HIRED}{_DATE}", _day("hired_on")),
    _Reader(f"{_STARTS}{_DATE}", _day("starts_on")),
    _Reader(rf"(?:told|notice)\b{_UP_TO} {_DATE}", _day("notice_given_on")),
    _Reader(rf"{_NUMBER}\s*(?:hours|hrs|h)\b", _hours),
    _Reader(rf"{_NUMBER}\s*(?:employees|people|workers|staff)\b", _employees),
    _Reader(_MONTHS, _service),
    _Reader(r"\b(?:outside|not in|out of) california\b", _is("works_in_california", value=False)),
    _Reader(r"\bin california\b", _is("works_in_california", value=True)),
    _Reader(r"\bpublic (?:agency|employer)\b", _is("public_employer", value=True)),
    _Reader(r"^", _relation),
)
