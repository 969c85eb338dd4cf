"""What-if questions without a model: what the rules would say on the facts that are supposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from whence.packs.leave.eligibility.assessing import LawAssessment
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.supposing import RuleChange, Supposed, suppose
from whence.packs.leave.eligibility.words import (
    FIELDS,
    LAWS,
    RELATIONS,
    day,
    listed,
    lowered,
    number,
)
from whence.packs.leave.flows.telling import RESULTS, cover_words, leave_words
from whence.packs.leave.records import Law, Relation
from whence.sdk.chat import RecordView, Statement
from whence.sdk.errors import Invalid

from .carrying import laws_in, request_in, rule_of, sentences
from .supposed_facts import supposed_in

SUPPOSABLE = (
    "I could not tell which fact to suppose. I can suppose hours worked, numbers of employees "
    "(in all, or near the worksite), months of service, the day of hire, the first day of leave, "
    "who the family member is, and work in California or outside it."
)
OTHER = "other facts, which are only supposed"
WRITTEN = "Nothing was changed in the request; this only tells what would follow."


def what_if(view: RecordView, question: str) -> Sequence[Statement]:
    """What the rules would say on other facts; asks which fact where none can be read."""
    request = request_in(view)
    changes = supposed_in(question, request)
    if not changes:
        return [Statement(SUPPOSABLE)]
    try:
        found = suppose(request, changes)
    except Invalid as problem:
        return [Statement(str(problem))]
    return [*_told(found, changes, question), Statement(WRITTEN)]


def _told(found: Supposed, changes: Mapping[str, Any], question: str) -> list[Statement]:
    facts = [f"{FIELDS[name]}: {_shown(value)}" for name, value in changes.items()]
    condition = listed(facts)
    laws = _laws(found, question)
    said = [_standing(found.after.under(law), condition, at) for at, law in enumerate(laws)]
    for one in found.changed_rules():
        was = one.before.result if one.before else None
        is_news = one.after.result is not was or one.after.result is not Result.MET
        if one.after.rule.law in laws and is_news:
            said.append(_rule(one, condition))
    for leave in found.after.leave:
        if leave.law in laws:
            text = " ".join(filter(None, [leave_words(leave), cover_words(leave)]))
            by = (rule_of(leave.provision, f"{condition}. {text}", OTHER),)
            said += [Statement(part, by) for part in sentences(text)]
    return said


def _laws(found: Supposed, question: str) -> list[Law]:
    """The laws that the question names; else those that give leave for such a reason at all."""
    named = laws_in(question)
    if len(named) < len(Law):
        return named
    for_it = [
        law
        for law in named
        if not any(
            one.rule.id == f"{law}.reason" for one in found.after.under(law).having(Result.NOT_MET)
        )
    ]
    return for_it or named


def _standing(law: LawAssessment, condition: str, at: int) -> Statement:
    rules = law.having(Result.NOT_MET) or law.having(Result.UNKNOWN) or list(law.results)
    carriers = tuple(
        rule_of(one.rule, f"{one.actual}. {condition}. {law.wording}", OTHER) for one in rules
    )
    begins = f"Supposing {condition}" if at == 0 else "With that"
    return Statement(f"{begins}, {lowered(law.wording)}", carriers)


def _rule(one: RuleChange, condition: str) -> Statement:
    after = one.after
    was = f", before: {RESULTS[one.before.result.value]}" if one.before else ""
    text = (
        f"{LAWS[after.rule.law]}, {lowered(after.rule.title)}: needed is {after.rule.needed}; "
        f"supposed is: {after.actual}; {RESULTS[after.result.value]}{was}."
    )
    return Statement(text, (rule_of(after.rule, f"{condition}. {text}", OTHER),))


def _shown(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case date():
            return day(value)
        case Relation():
            return RELATIONS[value]
        case int() | float():
            return number(value)
        case _:
            return str(value)
