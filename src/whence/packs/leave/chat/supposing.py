"""Answers what-if questions without a model: what the rules would say on other facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whence.packs.leave.eligibility.assessing import LawAssessment
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.supposing import RuleChange, Supposed, suppose
from whence.packs.leave.eligibility.words import (
    LAWS,
    lower_first,
)
from whence.packs.leave.flows.dossier import RESULTS, cover_words, leave_words
from whence.packs.leave.records import BONDING, Law, LeaveRequest, Reason, Relation
from whence.sdk.chat import RecordView, Statement
from whence.sdk.errors import Invalid
from whence.sdk.text import quoted

from .carrying import laws_in, request_in, rule_of, sentences
from .doubtful_figures import doubtful_figure
from .supposed_facts import supposed_in
from .supposed_words import supposed_words

SUPPOSABLE = (
    "I could not tell which fact to change. I can assume other hours worked, numbers of employees "
    "(in all, or near the worksite), months of service, another hire date, first day of leave or "
    "family member, and work in California or outside it."
)
NOT_PLAIN = (
    "I cannot take {figure} as it is. Name what you assume as a plain figure or fact, as in "
    "“What if she had worked 1,300 hours?” or “What if the employer had 40 employees?”."
)
OTHER = "other facts, which are only assumed"
NOTHING_CHANGED = "The request itself is unchanged; this only shows what would follow."


def supposes_a_fact(view: RecordView, question: str) -> bool:
    """Whether the question supposes a fact of the request, or a figure that cannot be taken."""
    return bool(doubtful_figure(question) or supposed_in(question, request_in(view)))


def what_if(view: RecordView, question: str) -> Sequence[Statement]:
    """What the rules would say on other facts; asks which fact if none can be recognized."""
    if figure := doubtful_figure(question):
        return [Statement(NOT_PLAIN.format(figure=quoted(figure)))]
    request = request_in(view)
    changes = supposed_in(question, request)
    if not changes:
        return [Statement(SUPPOSABLE)]
    changes = _with_reason(changes, request)
    try:
        supposed = suppose(request, changes)
    except Invalid as problem:
        return [Statement(str(problem))]
    return [*_statements(supposed, changes, question), Statement(NOTHING_CHANGED)]


def _with_reason(changes: Mapping[str, Any], request: LeaveRequest) -> Mapping[str, Any]:
    """Leave for somebody is for their care, where the request is for the employee's own condition
    or for bonding; whether they need care is then not known."""
    relation, bonding = changes.get("relation"), request.reason in BONDING
    own = request.reason in (Reason.OWN_HEALTH, Reason.PREGNANCY_DISABILITY)
    if relation is None or not (own or (bonding and relation is not Relation.CHILD)):
        return changes
    return {"reason": Reason.FAMILY_CARE, "medical_need": None, **changes}


def _statements(supposed: Supposed, changes: Mapping[str, Any], question: str) -> list[Statement]:
    condition = supposed_words(changes)
    laws = _laws(supposed, question)
    statements = [
        part
        for at, law in enumerate(laws)
        for part in _standing(supposed.after.under(law), condition, at)
    ]
    for one in supposed.changed_rules():
        earlier_result = one.before.result if one.before else None
        is_news = one.after.result is not earlier_result or one.after.result is not Result.MET
        if one.after.rule.law in laws and is_news:
            statements.append(_rule(one, condition))
    for leave in supposed.after.leave:
        if leave.law in laws:
            text = " ".join(filter(None, [leave_words(leave), cover_words(leave)]))
            by = (rule_of(leave.provision, f"{condition}. {text}", OTHER),)
            statements += [Statement(part, by) for part in sentences(text)]
    return statements


def _laws(supposed: Supposed, question: str) -> list[Law]:
    """The laws the question names, or else those that give leave for this reason at all."""
    laws = laws_in(question)
    if len(laws) < len(Law):
        return laws
    fitting = [
        law
        for law in laws
        if not any(
            one.rule.id == f"{law}.reason"
            for one in supposed.after.under(law).with_result(Result.NOT_MET)
        )
    ]
    return fitting or laws


def _standing(law: LawAssessment, condition: str, at: int) -> list[Statement]:
    deciding = (Result.NOT_MET, Result.UNKNOWN, Result.MET_LATER)
    rules = next(filter(None, map(law.with_result, deciding)), list(law.results))
    citations = tuple(
        rule_of(one.rule, f"{one.actual}. {condition}. {law.wording}", OTHER) for one in rules
    )
    begins = f"Assuming {condition}" if at == 0 else "In that case"
    text = f"{begins}, {lower_first(law.wording)}"
    return [Statement(part, citations) for part in sentences(text)]


def _rule(one: RuleChange, condition: str) -> Statement:
    after = one.after
    before_words = f", before: {RESULTS[one.before.result.value]}" if one.before else ""
    text = (
        f"{LAWS[after.rule.law]}, {lower_first(after.rule.title)}: required: {after.rule.needed}; "
        f"assumed: {after.actual}; {RESULTS[after.result.value]}{before_words}."
    )
    if after.rule.test == "one_of" and after.result is Result.NOT_MET and after.change:
        text = f"{text[:-1]}; {lower_first(after.change)}"
    return Statement(text, (rule_of(after.rule, f"{condition}. {text}", OTHER),))
