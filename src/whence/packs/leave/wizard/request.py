"""From the answers so far to a leave request, and back from a request to what is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from whence.packs.leave.eligibility.words import REASONS, day
from whence.packs.leave.records import LeaveRequest, OpenFact, YearMethod
from whence.sdk.wizards import Answers, Background, KnownValue, Step

from .answers import (
    EARLIER,
    Dates,
    EarlierPeriod,
    Employer,
    EmployerKind,
    HadEarlierLeave,
    HoursCredit,
    LeaveReason,
    NearFifty,
    ServiceBreak,
    Veteran,
    YearMethodChoice,
    YesNo,
)

NOT_OF_RECORD = (HadEarlierLeave, EarlierPeriod)
"""Answers that have no field of their own in the record."""
_BOOL = {YesNo.YES: True, YesNo.NO: False, YesNo.UNKNOWN: None}
UNTITLED = "Leave request"


def request_of(answers: Answers) -> LeaveRequest:
    """The request as far as it was answered; what was not stays unknown."""
    values: dict[str, Any] = {}
    for answer in answers.by_step.values():
        if isinstance(answer, Employer):
            values |= {kind.value: kind in answer.kinds for kind in EmployerKind}
        if not isinstance(answer, NOT_OF_RECORD):
            values |= {name: _stated(getattr(answer, name)) for name in type(answer).model_fields}
    values.pop("kinds", None)
    values["not_known"] = _not_known(answers) or None
    values["title"] = values.get("title") or _title(answers)
    if HadEarlierLeave in answers:
        values["earlier_leave"] = [
            {name: getattr(one, name) for name in EarlierPeriod.model_fields if name != "another"}
            for model in EARLIER
            if (one := answers.get(model)) is not None
        ]
    return LeaveRequest.model_validate(values)


def _not_known(answers: Answers) -> list[OpenFact]:
    """What was asked for, and answered with `not known` or not at all."""
    optional_facts = (
        (HoursCredit, OpenFact.FLIGHT_CREW),
        (HoursCredit, OpenFact.MILITARY_HOURS),
        (Veteran, OpenFact.VETERAN),
        (NearFifty, OpenFact.WEEKS_WITH_50),
        (ServiceBreak, OpenFact.EARLIER_SERVICE),
    )
    return [
        fact
        for model, fact in optional_facts
        if (answer := answers.get(model)) is not None
        and _stated(getattr(answer, fact.value)) is None
    ]


def known_of(background: Background, steps: Sequence[Step]) -> list[KnownValue]:
    """What a request states already, so that it is not asked again."""
    record = background.record
    if not isinstance(record, LeaveRequest):
        return []
    stated: list[KnownValue] = []
    for step in steps:
        if step.model is Employer and not _is_employer_known(record):
            continue
        values = _of_record(step.model, record)
        if step.model is Employer and (kinds := _kinds_of(record)):
            values["kinds"] = kinds
        stated += [KnownValue(step.id, name, it, "the request") for name, it in values.items()]
    return stated + _earlier_of(record)


def _kinds_of(record: LeaveRequest) -> list[str]:
    return [kind.value for kind in EmployerKind if getattr(record, kind.value)]


def _is_employer_known(record: LeaveRequest) -> bool:
    """A record says `no public employer` unless it says otherwise: that alone is not known."""
    return record.public_employer or record.employees is not None


def _of_record(model: type[BaseModel], record: LeaveRequest) -> dict[str, Any]:
    if issubclass(model, NOT_OF_RECORD):
        return {}
    stored = record.model_dump(mode="json")
    values: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        value = stored.get(name)
        # A default of the record was not stated by anybody; a step has it by itself.
        if value is not None and value != info.default:
            values[name] = _as_yes_no(value) if info.annotation is YesNo else value
    return values


def _earlier_of(record: LeaveRequest) -> list[KnownValue]:
    """Earlier leaves, where there are some and the steps have room for all."""
    leaves = record.earlier_leave
    if not leaves or len(leaves) > len(EARLIER):
        return []
    earlier = [KnownValue("before", "was_taken", value=True, source="the request")]
    for at, leave in enumerate(leaves, start=1):
        values = {**leave.model_dump(mode="json"), "another": at < len(leaves)}
        earlier += [
            KnownValue(f"earlier_{at}", name, value, "the request")
            for name, value in values.items()
            if value is not None
        ]
    return earlier


def _stated(value: object) -> object:
    if value == []:
        return None
    if isinstance(value, YesNo):
        return _BOOL[value]
    if isinstance(value, YearMethodChoice):
        return None if value is YearMethodChoice.UNKNOWN else YearMethod(value.value)
    return value


def _as_yes_no(value: object) -> str:
    return (YesNo.YES if value else YesNo.NO).value


def _title(answers: Answers) -> str:
    why, dates = answers.get(LeaveReason), answers.get(Dates)
    if why is None:
        return UNTITLED
    title = f"Leave: {REASONS[why.reason]}"
    return title if dates is None else f"{title}, from {day(dates.starts_on)}"
