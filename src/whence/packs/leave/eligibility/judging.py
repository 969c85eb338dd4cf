"""Applies one rule to the facts: met, met from a later day on, not met, or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import assert_never

from whence.packs.leave.records import LeaveRequest

from .book import Rule
from .days import DAY
from .fact import Fact
from .service_facts import TENURE, service_reaches
from .words import FIELDS, counted, day, join_words

LONGEST_LEAVE = timedelta(weeks=26)
"""The longest leave of these laws; a leave whose end is not known may last as long."""
SATISFIED = {
    "public_employer": "a public employer",
    "school": "a school",
    "covered_by_weeks": "50 employees in 20 or more workweeks",
}
"""What meets a rule by itself; other facts have their own words."""


class Result(StrEnum):
    MET = "met"
    MET_LATER = "met_later"
    """Not met on the first day of leave, and met from a later day of it on."""
    NOT_MET = "not_met"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class RuleResult:
    """A rule, its result, and what would change that result."""

    rule: Rule
    result: Result
    actual: str
    fields: tuple[str, ...]
    """The fields of the request it used."""
    missing: tuple[str, ...]
    """If unknown: the fields that would settle it."""
    change: str | None
    """If not met: what would change that.  If unknown: what must be known."""
    since: date | None = None
    """If met later: the day from which it is met."""
    open_words: str | None = None
    """If unknown: what must be known, where the words for the fields do not say it."""


def applies(rule: Rule, facts: Mapping[str, Fact], request: LeaveRequest) -> bool:
    """Whether a request is held against the rule at all."""
    return (
        rule.applies(request.reason, request.relation)
        and (rule.when is None or facts[rule.when].is_true is True)
        and (rule.unless is None or facts[rule.unless].is_true is not True)
    )


def judge(rule: Rule, facts: Mapping[str, Fact], request: LeaveRequest) -> RuleResult:
    """Apply one rule to the facts; an unknown fact never meets a rule."""
    fact = facts[rule.fact]
    others = [(name, facts[name]) for name in rule.satisfied_by]
    for name, other in others:
        if other.is_true:
            words = SATISFIED.get(name, other.text)
            return RuleResult(rule, Result.MET, words, other.fields, (), None)
    result = _result(rule, fact)
    if result is Result.MET:
        return RuleResult(rule, result, fact.text, fact.fields, (), None)
    unknown = [name for _, other in others for name in other.missing if other.is_true is None]
    if result is Result.NOT_MET and unknown:
        return _unknown(rule, fact, tuple(unknown))
    if result is Result.UNKNOWN and fact.open_words:
        change = f"Still needed: {fact.open_words}. {rule.change}"
        words, missing = fact.open_words, fact.missing
        return RuleResult(rule, result, fact.text, fact.fields, missing, change, open_words=words)
    if result is Result.UNKNOWN:
        return _unknown(rule, fact, fact.missing)
    return _met_later(rule, fact, request) or _not_met(rule, fact, request)


def _unknown(rule: Rule, fact: Fact, missing: tuple[str, ...]) -> RuleResult:
    change = f"Still needed: {join_words([FIELDS[name] for name in missing])}."
    return RuleResult(rule, Result.UNKNOWN, fact.text, fact.fields, missing, change)


def _not_met(rule: Rule, fact: Fact, request: LeaveRequest) -> RuleResult:
    at_limit = rule.at_limit if fact.low == fact.high == rule.value else None
    change = " ".join(filter(None, [_gap(rule, fact, request), rule.change, at_limit]))
    return RuleResult(rule, Result.NOT_MET, fact.text, fact.fields, (), change)


def _met_later(rule: Rule, fact: Fact, request: LeaveRequest) -> RuleResult | None:
    """A rule that is met on a later day of the leave: what follows counts (29 CFR 825.110(d))."""
    since, first, last = _met_from(rule, fact, request), request.starts_on, request.ends_on
    if since is None or first is None or (last is not None and since > last):
        return None
    if since <= first:
        return RuleResult(rule, Result.MET, f"met on {day(since)}", fact.fields, (), None)
    if last is None:
        return _unknown(rule, fact, ("ends_on",)) if since <= first + LONGEST_LEAVE else None
    text = f"{fact.text}; met on {day(since)}, during the leave"
    at_limit = f" {rule.at_limit}" if rule.at_limit and fact.low == fact.high == rule.value else ""
    more = f" {rule.at_later}" if rule.at_later else ""
    change = f"Leave before {day(since)} does not count under this law.{more}{at_limit}"
    return RuleResult(rule, Result.MET_LATER, text, fact.fields, (), change, since)


def _met_from(rule: Rule, fact: Fact, request: LeaveRequest) -> date | None:
    if rule.fact not in TENURE or rule.value is None:
        return fact.since
    reached = service_reaches(request, rule.value, rule.law)
    if reached is None:
        return None
    return reached + DAY if rule.test == "more_than" else reached


def _result(rule: Rule, fact: Fact) -> Result:
    match rule.test:
        case "at_least":
            assert rule.value is not None
            return _of(fact.low >= rule.value, fact.high < rule.value)
        case "more_than":
            assert rule.value is not None
            return _of(fact.low > rule.value, fact.high <= rule.value)
        case "one_of":
            is_known = fact.word is not None
            is_open = any(word in rule.values for word in fact.may_be)
            return _of(is_known and fact.word in rule.values, is_known and not is_open)
        case "is_true":
            return _of(fact.is_true is True, fact.is_true is False)
        case _:
            assert_never(rule.test)


def _of(met: bool, not_met: bool) -> Result:
    return Result.MET if met else Result.NOT_MET if not_met else Result.UNKNOWN


def _gap(rule: Rule, fact: Fact, request: LeaveRequest) -> str | None:
    """How far a number is from meeting the rule."""
    if rule.value is None:
        return None
    if rule.fact in TENURE:
        first = _met_from(rule, fact, request)
        return f"Leave that starts on or after {day(first)} would meet it." if first else None
    return f"{counted(rule.value - fact.high, f'more {rule.unit}')} would meet it."
