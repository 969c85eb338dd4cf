"""Applies one rule to the facts: met, not met, or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from whence.packs.leave.records import LeaveRequest

from .book import Rule
from .days import DAY
from .facts import Fact, service_reaches
from .words import FIELDS, counted, day, join_words


class Result(StrEnum):
    MET = "met"
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


def judge(rule: Rule, facts: Mapping[str, Fact], request: LeaveRequest) -> RuleResult:
    """Apply one rule to the facts; an unknown fact never meets a rule."""
    fact = facts[rule.fact]
    if rule.satisfied_by and facts[rule.satisfied_by].is_true:
        other = facts[rule.satisfied_by]
        return RuleResult(rule, Result.MET, "a public employer", other.fields, (), None)
    result = _result(rule, fact)
    missing = fact.missing if result is Result.UNKNOWN else ()
    change = None
    if result is Result.UNKNOWN:
        change = f"Still needed: {join_words([FIELDS[name] for name in missing])}."
    elif result is Result.NOT_MET:
        at_limit = rule.at_limit if fact.low == fact.high == rule.value else None
        change = " ".join(filter(None, [_gap(rule, fact, request), rule.change, at_limit]))
    return RuleResult(rule, result, fact.text, fact.fields, missing, change)


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
            return _of(is_known and fact.word in rule.values, is_known)
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
    if rule.fact == "tenure_months":
        reached = service_reaches(request, rule.value)
        if reached is None:
            return None
        first = reached + DAY if rule.test == "more_than" else reached
        return f"Leave that starts on or after {day(first)} would meet it."
    return f"{counted(rule.value - fact.high, f'more {rule.unit}')} would meet it."
