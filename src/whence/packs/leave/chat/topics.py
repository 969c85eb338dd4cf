"""What can be asked about a request: eligibility, leave, dates, certification, laws, gaps."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.leave.eligibility.assessing import Eligibility, LawAssessment
from whence.packs.leave.eligibility.deadlines import Deadline
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.words import FIELDS, LAWS, lower_first
from whence.packs.leave.flows.dossier import cover_words, freed_words, leave_words
from whence.packs.leave.records import Law
from whence.sdk.chat import ByRecord, RecordView, Statement

from .carrying import (
    by_provision,
    by_result,
    laws_in,
    named_laws,
    overview_in,
    request_in,
    rule_of,
    sentences,
)
from .own_days import length, used_up

CERTIFICATION = "certification"
NO_DIAGNOSIS = "Please do not tell me a diagnosis; it is not needed here."
ASKS_ILLNESS = re.compile(r"diagnos|illness|what(?:'?s| is) wrong|\bcondition|surgery", re.I)


def eligibility(view: RecordView, question: str) -> Sequence[Statement]:
    """Each law's standing, with the rules that decide if it is not met or not known."""
    assessment = overview_in(view)
    statements: list[Statement] = []
    for law in laws_in(question):
        statements += _standing(assessment.under(law))
    return statements


def change(view: RecordView, question: str) -> Sequence[Statement]:
    """What would change the answer, rule by rule."""
    assessment = overview_in(view)
    statements: list[Statement] = []
    for law in laws_in(question):
        for one in assessment.under(law).results:
            if one.result is not Result.MET and one.change:
                text = f"{LAWS[law]}, {lower_first(one.rule.title)}: {one.change}"
                statements += by_result(text, one)
    return statements or [
        _on(
            assessment.under(law), f"No rule rules out leave under {LAWS[law]} on the stated facts."
        )
        for law in laws_in(question)
    ]


def entitlement(view: RecordView, question: str) -> Sequence[Statement]:
    """How much leave there is, what was used, and how long the rest lasts."""
    assessment = overview_in(view)
    statements: list[Statement] = []
    lead = [*length(view, question), *used_up(view, question)]
    for leave in assessment.leave:
        if leave.law not in laws_in(question):
            continue
        path = f"leave.{leave.law.value}"
        statements += by_provision(view, leave_words(leave), leave.provision, path)
        for words in filter(None, [cover_words(leave), *freed_words(leave)]):
            statements += by_provision(view, words, leave.provision)
    for at, one in enumerate(assessment.remarks if statements else ()):
        statements += by_provision(view, one.text, one.provision, f"remarks[{at}]")
    if not statements:
        statements = [one for law in laws_in(question) for one in _standing(assessment.under(law))]
        lead += _afterwards(view, question)
    return [*lead, *statements]


def _afterwards(view: RecordView, question: str) -> list[Statement]:
    """What another leave that follows this one has under a law that does not give this one."""
    together = overview_in(view).together
    return [
        part
        for at, one in enumerate(together)
        if any(LAWS[law] in one.text for law in named_laws(question))
        for part in by_provision(view, one.text, one.provision, f"together[{at}]")
    ]


def dates(view: RecordView, question: str) -> Sequence[Statement]:
    """Notice, the employer's answers, and the return."""
    assessment = overview_in(view)
    deadlines = [deadline for deadline in assessment.deadlines if deadline.name != CERTIFICATION]
    statements = [one for deadline in deadlines for one in _deadline_statements(view, deadline)]
    return statements or _not_available(assessment.assessed, "No date applies")


def certification(view: RecordView, question: str) -> Sequence[Statement]:
    """Whether and when a certification is due; the diagnosis is never needed here."""
    assessment = overview_in(view)
    deadlines = [deadline for deadline in assessment.deadlines if deadline.name == CERTIFICATION]
    statements = [one for deadline in deadlines for one in _deadline_statements(view, deadline)]
    if ASKS_ILLNESS.search(question) and Law.CFRA in assessment.laws:
        rule = book_for(request_in(view)).provisions["certification.cfra"]
        statements += by_provision(
            view, "Under CFRA the diagnosis need not be in a certification.", rule
        )
    statements = statements or _not_available(assessment.assessed, "No certification is due")
    return [*statements, Statement(NO_DIAGNOSIS)]


def laws(view: RecordView, question: str) -> Sequence[Statement]:
    """Which laws the leave runs under, at the same time or one after the other."""
    assessment = overview_in(view)
    statements = [
        part
        for at, one in enumerate(assessment.together)
        for part in by_provision(view, one.text, one.provision, f"together[{at}]")
    ]
    statements = statements or [one for law in assessment.assessed for one in _standing(law)]
    return [*used_up(view, question), *statements]


def missing(view: RecordView, question: str) -> Sequence[Statement]:
    """The facts that are still needed."""
    assessment = overview_in(view)
    statements: list[Statement] = []
    for name in assessment.missing:
        open_rules = [
            one for law in assessment.assessed for one in law.results if name in one.missing
        ]
        words = next((one.open_words for one in open_rules if one.open_words), FIELDS[name])
        text = f"Not known yet: {words}."
        rules = [rule_of(one.rule) for one in open_rules[:2]]
        if assessment.sharing and name in assessment.sharing.missing:
            rules.append(rule_of(assessment.sharing.provision))
        statements.append(Statement(text, (ByRecord(name), *rules)))
    return statements or [
        _on(law, f"Nothing is missing for {LAWS[law.law]}: every fact its rules need is stated.")
        for law in assessment.relevant_laws
    ]


def facts(view: RecordView, question: str) -> Sequence[Statement]:
    """What was stated in the request."""
    stated = request_in(view).model_dump(mode="json", exclude={"title", "earlier_leave"})
    return [
        Statement(f"{FIELDS[name].capitalize()}: {_format_value(value)}.", (ByRecord(name),))
        for name, value in stated.items()
        if value is not None and name in FIELDS
    ]


def _standing(law: LawAssessment) -> list[Statement]:
    deciding = {
        Eligibility.APPEARS_ELIGIBLE: law.with_result(Result.MET),
        Eligibility.APPEARS_LATER: law.with_result(Result.MET_LATER),
        Eligibility.NOT_ELIGIBLE: law.with_result(Result.NOT_MET),
        Eligibility.UNDETERMINED: law.with_result(Result.UNKNOWN),
    }[law.eligibility]
    citations = tuple(rule_of(one.rule, f"{one.actual}. {law.wording}") for one in deciding)
    statements = [Statement(part, citations) for part in sentences(law.wording)]
    for one in law.with_result(Result.NOT_MET):
        text = f"{one.rule.title}: required: {one.rule.needed}; stated: {one.actual}."
        statements += by_result(text, one)
    return statements


def _on(law: LawAssessment, text: str) -> Statement:
    """A sentence that cites all rules of a law applied to the request."""
    return Statement(text, tuple(rule_of(one.rule, f"{one.actual}. {text}") for one in law.results))


def _not_available(assessed: Sequence[LawAssessment], begins: str) -> list[Statement]:
    """Says that something does not apply because no law gives the leave, citing the rules."""
    return [
        Statement(
            f"{begins} under {LAWS[law.law]}: it does not appear to give the leave on the stated "
            "facts.",
            tuple(rule_of(one.rule, one.actual) for one in law.with_result(Result.NOT_MET)),
        )
        for law in assessed
    ]


def _deadline_statements(view: RecordView, deadline: Deadline) -> list[Statement]:
    return by_provision(view, deadline.text, deadline.provision, f"dates.{deadline.name}")


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
