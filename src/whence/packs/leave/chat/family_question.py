"""For which relatives the laws give leave, as far as what the leave is for goes."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.as_written import FAMILY
from whence.packs.leave.eligibility.assessing import LawAssessment
from whence.packs.leave.eligibility.book import Rule
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law, Reason
from whence.sdk.chat import RecordView, Statement, Topic

from .by_law import not_given
from .carrying import named_laws, overview_in, request_in, rule_of, sentences

ON_FAMILY = ("relation", "named_relation", "caregiver_family")
"""Facts of the rules on relatives."""
MILITARY = (Reason.MILITARY_EXIGENCY, Reason.MILITARY_CAREGIVER)
_ADULTS = "|".join(words for words, relation in FAMILY.items() if relation != "child")
_RELATIVES = "|".join((*FAMILY, "relatives?", "family"))


def family(view: RecordView, question: str) -> Sequence[Statement]:
    """The rules on relatives for such leave; for leave of another kind, those on care."""
    request, named = request_in(view), named_laws(question)
    book, out = book_for(request), [] if named else _ruled_out(overview_in(view))
    laws = [law for law in named or Law if law not in {one.law for one in out}] or list(Law)
    reason = request.reason if request.reason in MILITARY else Reason.FAMILY_CARE
    rules = [
        rule
        for law in laws
        for rule in book.rules(law)
        if rule.fact in ON_FAMILY and reason in rule.reasons
    ]
    answers = [statement for rule in rules for statement in _statements(rule)]
    return [*answers, *(not_given(one) for one in out if one.law is not Law.PDL)]


def _ruled_out(assessment: Overview) -> list[LawAssessment]:
    """Laws that do not give the leave for anybody: for another reason than who it is for."""
    return [
        law
        for law in assessment.assessed
        if any(one.rule.fact not in ON_FAMILY for one in law.with_result(Result.NOT_MET))
    ]


def _statements(rule: Rule) -> list[Statement]:
    text = f"{LAWS[rule.law]} ({rule.cited}): {rule.text}"
    return [Statement(part, (rule_of(rule),)) for part in sentences(text)]


FAMILY_QUESTION = Topic(
    "family",
    "for which relatives",
    (
        rf"\b(?:{_ADULTS})s?\b.*\b(?:cover|count|includ|qualif)",
        rf"\b(?:care (?:for|of)|look after|cover|include)\b.*\b(?:{_RELATIVES})\b",
        rf"\b(?:does|do|is|are|can|may|get)\b.*\b(?:{_ADULTS})s?\b",
        r"\b(?:which|what) (?:family|relatives?)\b|\bcounts? as (?:a )?(?:family|parent|child)\b",
    ),
    family,
    "Does it cover care for a grandmother?",
)
