"""Answers about the request's own days: when notice came, when leave is used up, how long it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.leave.eligibility.deadlines import is_late
from whence.packs.leave.eligibility.entitlement import LawLeave, leave_under
from whence.packs.leave.eligibility.words import LAWS, counted, day, number
from whence.packs.leave.records import LeaveRequest, Reason
from whence.sdk.chat import ByRecord, RecordView, Statement

from .carrying import by_provision, laws_in, overview_in, request_in, rule_of
from .provision_answers import says

_USED_UP = re.compile(
    r"\b(?:run|runs|running|ran) out\b|\bus(?:e|es|ed) up\b|\bexhaust|\b(?:weeks?|leave|fmla|cfra|"
    r"pdl|it|time)\b.{0,20}\b(?:up|over|done|gone|end(?:s|ed|ing)?|expires?|last(?:s|ing)?)\b|"
    r"\bhow long\b.*\blast|\b(?:until|till|through)\b",
    re.I,
)
_HOW_LONG = re.compile(r"\bhow (?:many (?:weeks|days)|long)\b", re.I)
_CHILD = re.compile(
    r"\b(?:bab(?:y|ies)|birth|born|child|due date|deliver\w*|twins?|arriv\w+)\b", re.I
)
_HOURS_OFF = re.compile(
    r"\b(\d{1,2}(?:\.\d+)?) ?(?:hours?|hrs?) (?:off )?(?:a|per|each|every) (?:week|wk)\b", re.I
)
_NOTICE = ("notice.pdl", "notice.cfra", "notice.fmla", "unforeseeable.fmla", "late.fmla")
_general_notice = says("notice", *_NOTICE)


def late_notice(view: RecordView, question: str) -> Sequence[Statement]:
    """Whether this request's notice was late, then what the rules say on late notice."""
    return [*_own_notice(view), *_general_notice(view, question)]


def _own_notice(view: RecordView) -> list[Statement]:
    request, assessment = request_in(view), overview_in(view)
    due = next((one for one in assessment.deadlines if one.name == "notice"), None)
    given = request.notice_given_on
    if due is None or given is None:
        return []
    fields = (ByRecord("noticeGivenOn"), ByRecord("startsOn"), ByRecord("needKnownOn"))
    ahead = (request.starts_on - given).days if request.starts_on else None
    before = f", {counted(ahead, 'day')} before the leave" if ahead and ahead > 0 else ""
    words = f"Notice was given on {day(given)}{before}."
    carriers = (*fields, rule_of(due.provision, words))
    statements = [Statement(words, carriers)]
    statements += by_provision(view, due.text, due.provision, "dates.notice")
    if request.foreseeable is False or request.reason is Reason.MILITARY_EXIGENCY:
        if (known := request.need_known_on) is not None and given >= known:
            after = counted((given - known).days, "day") if given > known else "no day"
            words = f"It came {after} after the need became known on {day(known)}."
            statements.append(Statement(words, (*fields, rule_of(due.provision, words))))
    elif request.starts_on is not None and not is_late(request):
        unsure = "" if request.foreseeable else ", if the need could be foreseen"
        statements.append(Statement(f"So it was in time{unsure}.", carriers))
    return statements


def used_up(view: RecordView, question: str) -> list[Statement]:
    """The last day that each law would cover if the leave just went on; nothing where the question
    asks for no such day."""
    if _USED_UP.search(question) is None:
        return []
    request, assessment = request_in(view), overview_in(view)
    supposed = _supposed_hours(question)
    changes = {"ends_on": None} | ({"hours_off_per_week": supposed} if supposed else {})
    open_ended = request.model_copy(update=changes)
    last_days = [
        one
        for one in leave_under(open_ended, assessment.assessed)
        if one.law in laws_in(question) and one.covered_until is not None
    ]
    how = f"At {number(supposed)} hours off a week" if supposed else "If it went on as planned"
    return [each for one in last_days for each in _last_day(request, one, how, question)]


def _supposed_hours(question: str) -> float | None:
    """The hours off a week that a question names: `at 8 hours off a week`."""
    hours = _HOURS_OFF.search(question)
    return float(hours[1]) if hours else None


def _last_day(request: LeaveRequest, leave: LawLeave, how: str, question: str) -> list[Statement]:
    until = leave.covered_until
    assert until is not None  # the caller leaves out laws without a day
    words = f"{how}, {LAWS[leave.law]} would last up to {day(until)}."
    carriers = (rule_of(leave.provision, words), ByRecord("startsOn"), ByRecord("pattern"))
    statements = [Statement(words, carriers)]
    arrives = request.child_arrives_on
    if arrives is not None and _CHILD.search(question):
        side = "after" if arrives > until else "before" if arrives < until else "on"
        side = f"{side} that day" if side != "on" else "that very day"
        words = f"The child is stated for {day(arrives)}, {side}."
        statements.append(Statement(words, (ByRecord("childArrivesOn"), *carriers)))
    return statements


def length(view: RecordView, question: str) -> list[Statement]:
    """How many weeks the request asks for, where that is asked."""
    request, weeks = request_in(view), overview_in(view).asked_weeks
    if weeks is None or request.starts_on is None or request.ends_on is None:
        return []
    if _HOW_LONG.search(question) is None or _USED_UP.search(question):
        return []
    words = (
        f"The leave asked for, from {day(request.starts_on)} to {day(request.ends_on)}, takes "
        f"{counted(weeks, 'week')}."
    )
    return [Statement(words, (ByRecord("startsOn"), ByRecord("endsOn"), ByRecord("pattern")))]
