"""What can be asked about a request: eligibility, leave, dates, certification, laws, gaps."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.leave.eligibility.assessing import LawAssessment, Standing
from whence.packs.leave.eligibility.deadlines import Deadline
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.words import FIELDS, LAWS, lowered
from whence.packs.leave.flows.telling import cover_words, freed_words, leave_words
from whence.sdk.chat import ByRecord, RecordView, Statement

from .carrying import by_provision, by_result, laws_in, overview_in, request_in, rule_of

CERTIFICATION = "certification"
NO_DIAGNOSIS = "Please do not tell me a diagnosis; none is asked for here."
ASKS_ILLNESS = re.compile(r"diagnos|illness", re.I)


def eligibility(view: RecordView, question: str) -> Sequence[Statement]:
    """Each law's standing, and for one that is not met or not known the rules that decide."""
    found = overview_in(view)
    said: list[Statement] = []
    for law in laws_in(question):
        said += _standing(found.under(law))
    return said


def change(view: RecordView, question: str) -> Sequence[Statement]:
    """What would change the answer, rule by rule."""
    found = overview_in(view)
    said: list[Statement] = []
    for law in laws_in(question):
        for one in found.under(law).results:
            if one.result is not Result.MET and one.change:
                text = f"{LAWS[law]}, {lowered(one.rule.title)}: {one.change}"
                said += by_result(text, one)
    return said or [
        _on(
            found.under(law), f"No rule stands against leave under {LAWS[law]} on the stated facts."
        )
        for law in laws_in(question)
    ]


def entitlement(view: RecordView, question: str) -> Sequence[Statement]:
    """How much leave there is, what was used, and how far the rest carries."""
    found = overview_in(view)
    said: list[Statement] = []
    for leave in found.leave:
        if leave.law not in laws_in(question):
            continue
        path = f"leave.{leave.law.value}"
        said += by_provision(view, leave_words(leave), leave.provision, path)
        for words in filter(None, [cover_words(leave), *freed_words(leave)]):
            said += by_provision(view, words, leave.provision)
    for at, one in enumerate(found.remarks if said else ()):
        said += by_provision(view, one.text, one.provision, f"remarks[{at}]")
    if not said:
        said = [one for law in laws_in(question) for one in _standing(found.under(law))]
    return said


def dates(view: RecordView, question: str) -> Sequence[Statement]:
    """Notice, the employer's answers, and the return."""
    found = overview_in(view)
    told = [due for due in found.deadlines if due.name != CERTIFICATION]
    said = [one for due in told for one in _due(view, due)]
    return said or _none_given(found.assessed, "No date follows")


def certification(view: RecordView, question: str) -> Sequence[Statement]:
    """Whether and when a certification is due; the diagnosis is never needed here."""
    found = overview_in(view)
    told = [due for due in found.deadlines if due.name == CERTIFICATION]
    said = [one for due in told for one in _due(view, due)]
    if ASKS_ILLNESS.search(question):
        rule = book_for(request_in(view)).provisions["certification.cfra"]
        said += by_provision(view, "Under CFRA the diagnosis need not be in a certification.", rule)
    said = said or _none_given(found.assessed, "No certification is due")
    return [*said, Statement(NO_DIAGNOSIS)]


def laws(view: RecordView, question: str) -> Sequence[Statement]:
    """Which laws the leave runs under, at the same time or one after the other."""
    found = overview_in(view)
    said = [
        part
        for at, one in enumerate(found.together)
        for part in by_provision(view, one.text, one.provision, f"together[{at}]")
    ]
    return said or [one for law in found.assessed for one in _standing(law)]


def missing(view: RecordView, question: str) -> Sequence[Statement]:
    """The facts without which something cannot be told."""
    found = overview_in(view)
    said: list[Statement] = []
    for name in found.missing:
        wanting = [one for law in found.assessed for one in law.results if name in one.missing]
        text = f"Not known yet: {FIELDS[name]}."
        rules = [rule_of(one.rule) for one in wanting[:2]]
        if found.sharing and name in found.sharing.missing:
            rules.append(rule_of(found.sharing.provision))
        said.append(Statement(text, (ByRecord(name), *rules)))
    return said or [
        _on(law, f"Nothing is missing for {LAWS[law.law]}: all that its rules look at was stated.")
        for law in found.told
    ]


def facts(view: RecordView, question: str) -> Sequence[Statement]:
    """What was stated in the request."""
    stated = request_in(view).model_dump(mode="json", exclude={"title", "earlier_leave"})
    return [
        Statement(f"{FIELDS[name].capitalize()}: {_shown(value)}.", (ByRecord(name),))
        for name, value in stated.items()
        if value is not None and name in FIELDS
    ]


def _standing(law: LawAssessment) -> list[Statement]:
    deciding = {
        Standing.APPEARS_ELIGIBLE: law.having(Result.MET),
        Standing.NOT_ELIGIBLE: law.having(Result.NOT_MET),
        Standing.CANNOT_BE_TOLD: law.having(Result.UNKNOWN),
    }[law.standing]
    carriers = tuple(rule_of(one.rule, one.actual) for one in deciding)
    said = [Statement(law.wording, carriers)]
    for one in law.having(Result.NOT_MET):
        text = f"{one.rule.title}: needed is {one.rule.needed}; stated is: {one.actual}."
        said += by_result(text, one)
    return said


def _on(law: LawAssessment, text: str) -> Statement:
    """A sentence on all rules of a law that were held against the request."""
    return Statement(text, tuple(rule_of(one.rule, f"{one.actual}. {text}") for one in law.results))


def _none_given(assessed: Sequence[LawAssessment], begins: str) -> list[Statement]:
    """That something does not follow where no law gives the leave, and the rules that say so."""
    return [
        Statement(
            f"{begins} under {LAWS[law.law]}: it does not appear to give the leave on the stated "
            "facts.",
            tuple(rule_of(one.rule, one.actual) for one in law.having(Result.NOT_MET)),
        )
        for law in assessed
    ]


def _due(view: RecordView, due: Deadline) -> list[Statement]:
    return by_provision(view, due.text, due.provision, f"dates.{due.name}")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
