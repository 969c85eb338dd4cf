"""Answers from the rules' own text, each sentence with its section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from whence.packs.leave.eligibility.book import Provision
from whence.packs.leave.eligibility.book import Topic as RuleTopic
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.limits import ADVICE
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law, Reason
from whence.sdk.chat import ByRule, RecordView, Statement

from .carrying import by_provision, laws_in, overview_in, request_in, rule_of, sentences

Answer = Callable[[RecordView, str], Sequence[Statement]]
BENEFITS = (
    "How much state disability insurance or paid family leave pays is not in these rules; the "
    "Employment Development Department of California decides on both."
)

DRAFTS = (
    "I keep drafts of these notices with the research of the request, filled from its facts and "
    "with blanks where facts lack; research it, or fetch its letters, to see them."
)


def says(topic: RuleTopic, *ids: str, adds: str = "") -> Answer:
    """An answer from the provisions on a topic, or from those of these ids only.

    Only the laws that the question names answer, or else those that may give the leave.
    """

    def answer(view: RecordView, question: str) -> Sequence[Statement]:
        provisions = [
            one for one in book_for(request_in(view)).on(topic) if not ids or one.id in ids
        ]
        laws = _laws(view, question)
        fitting = [one for one in provisions if one.law in laws] or provisions
        statements = [part for one in fitting for part in rule_statements(one)]
        return [*statements, Statement(adds)] if adds else statements

    return answer


def definitions(view: RecordView, question: str) -> Sequence[Statement]:
    """What the laws that a question names are."""
    laws = laws_in(question)
    book = book_for(request_in(view))
    return [
        part for one in book.on("definition") if one.law in laws for part in rule_statements(one)
    ]


def agencies(view: RecordView, question: str) -> Sequence[Statement]:
    """Whom to ask."""
    names = overview_in(view).agencies
    return [*(Statement(one, (ByRule("Whom to ask", one),)) for one in names), Statement(ADVICE)]


def notices(view: RecordView, question: str) -> Sequence[Statement]:
    """Which notices can be drafted, and where the drafts are."""
    request = request_in(view)
    book = book_for(request)
    statements = [
        part
        for name in ("response.fmla", "rights.fmla", "designation.fmla")
        for part in rule_statements(book.provisions[name])
    ]
    return [*statements, Statement(DRAFTS)]


def rule_statements(one: Provision) -> Iterator[Statement]:
    """A rule's sentences, each with its section."""
    text = f"{LAWS[one.law]} ({one.cited}): {one.text}"
    return (Statement(part, (rule_of(one),)) for part in sentences(text))


def _laws(view: RecordView, question: str) -> Sequence[Law]:
    named = laws_in(question)
    return named if len(named) < len(Law) else overview_in(view).laws or named


def spouses(view: RecordView, question: str) -> Sequence[Statement]:
    """What spouses of one employer may have to share, for what the leave is for."""
    request, assessment = request_in(view), overview_in(view)
    caring = request.reason is Reason.MILITARY_CAREGIVER
    ids = ("spouses.caregiver",) if caring else ("spouses.fmla", "spouses.cfra")
    own = [
        part
        for at, one in enumerate(assessment.remarks)
        if one.provision.id in ids
        for part in by_provision(view, one.text, one.provision, f"remarks[{at}]")
    ]
    if own:
        return own
    return says("entitlement", *ids)(view, question)
