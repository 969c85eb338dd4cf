"""Which laws an answer speaks of: those that a question names, or else those that may give the
leave.  A law that is left out is named with the rule that rules it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.packs.leave.eligibility.assessing import LawAssessment
from whence.packs.leave.eligibility.book import Provision
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import LAWS, join_words, lower_first
from whence.packs.leave.records import Law
from whence.sdk.chat import RecordView, Statement

from .carrying import named_laws, overview_in, request_in, rule_of, sentences

TAKEN_OVER = "regulations.cfra"
"""The provision by which CFRA takes over regulations of the FMLA."""
NOTHING = "For {law} the rules I have say nothing on this."


def statements_by_law(
    view: RecordView, question: str, provisions: Sequence[Provision]
) -> list[Statement]:
    """The provisions of the laws that matter, and a word on each law that is silent or left out."""
    assessment = overview_in(view)
    named = named_laws(question)
    laws = named or giving_laws(assessment)
    own = [one for one in provisions if laws_of(one) & set(laws)]
    others = [one for one in provisions if one not in own]
    without = [law for law in assessment.relevant_laws if law.law not in assessment.laws]
    statements = [part for one in own for part in rule_statements(one)]
    if named:
        out = [not_given(one) for one in without if one.law in named]
        return [*out, *(statements or _silent(view, laws, others))]
    if not own:
        return [*map(not_given, _of(without, others)), *_silent(view, laws, others)]
    silent = [law for law in laws if law is Law.PDL and not any(law in laws_of(x) for x in own)]
    return [*statements, *map(_nothing, silent), *map(not_given, _of(without, others))]


def giving_laws(assessment: Overview) -> Sequence[Law]:
    """The laws that may give the leave; where none does, all that its reason is about."""
    return assessment.laws or [one.law for one in assessment.relevant_laws]


def laws_of(one: Provision) -> set[Law]:
    """The laws that a provision is of."""
    return {one.law, *one.also}


def rule_statements(one: Provision) -> Iterator[Statement]:
    """A rule's sentences, each with its section."""
    names = join_words([LAWS[law] for law in (one.law, *one.also)])
    text = f"{names} ({one.cited}): {one.text}"
    return (Statement(part, (rule_of(one),)) for part in sentences(text))


def _of(laws: Sequence[LawAssessment], provisions: Sequence[Provision]) -> list[LawAssessment]:
    return [law for law in laws if any(law.law in laws_of(one) for one in provisions)]


def not_given(law: LawAssessment) -> Statement:
    """That a law does not appear to give the leave, with the rules that are not met."""
    failed = law.with_result(Result.NOT_MET)
    why = join_words([lower_first(one.rule.title) for one in failed])
    text = f"{LAWS[law.law]} does not appear to give this leave ({why})."
    return Statement(text, tuple(rule_of(one.rule, one.actual) for one in failed))


def _nothing(law: Law) -> Statement:
    return Statement(NOTHING.format(law=LAWS[law]))


def _silent(
    view: RecordView, laws: Sequence[Law], others: Sequence[Provision]
) -> Iterator[Statement]:
    """Where no law that matters has a rule: CFRA follows the FMLA's regulations, if there are any;
    another law is said to have none here."""
    federal = [one for one in others if Law.FMLA in laws_of(one)]
    for law in laws:
        if law is Law.CFRA and federal:
            taken_over = book_for(request_in(view)).provisions[TAKEN_OVER]
            yield from rule_statements(taken_over)
            for one in federal:
                yield from rule_statements(one)
        else:
            yield _nothing(law)
