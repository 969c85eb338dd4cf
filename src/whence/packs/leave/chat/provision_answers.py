"""Answers from the rules' own text, each sentence with its section."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from whence.packs.leave.eligibility.book import Provision
from whence.packs.leave.eligibility.book import Topic as RuleTopic
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.limits import ADVICE
from whence.packs.leave.records import Reason
from whence.sdk.chat import ByRule, RecordView, Statement

from .by_law import rule_statements, statements_by_law
from .carrying import by_provision, laws_in, overview_in, request_in

Answer = Callable[[RecordView, str], Sequence[Statement]]
BENEFITS = (
    "How much state disability insurance or paid family leave pays is not in these rules; the "
    "Employment Development Department of California decides on both."
)

DRAFTS = (
    "The drafts of these notices come with the research of the request, filled from its facts and "
    "with blanks where facts lack. `whence export` of the request has them at its end, and the "
    "tool draft_notices drafts them anew."
)
NOTICES = ("response.fmla", "response.cfra", "response.pdl", "rights.fmla", "designation.fmla")
KEY_EMPLOYEES = ("return.key", "return.cfra_key", "return.pdl_key")
KEY_WORDS = re.compile(r"\bkey (?:employee|person|staff|worker)|\bhigh(?:est|ly)?[- ]paid\b", re.I)


def says(topic: RuleTopic, *ids: str, adds: str = "") -> Answer:
    """An answer from the provisions on a topic, or from those of these ids only.

    Only the laws that the question names answer, or else those that may give the leave.
    """

    def answer(view: RecordView, question: str) -> Sequence[Statement]:
        statements = statements_by_law(view, question, _provisions(view, topic, ids))
        return [*statements, Statement(adds)] if adds else statements

    return answer


def protection(view: RecordView, question: str) -> Sequence[Statement]:
    """What protects from dismissal; for key employees also whether the return can be refused."""
    keys = _provisions(view, "return", KEY_EMPLOYEES) if KEY_WORDS.search(question) else []
    return statements_by_law(view, question, [*keys, *_provisions(view, "retaliation", ())])


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
    provisions = book_for(request_in(view)).provisions
    return [
        *statements_by_law(view, question, [provisions[name] for name in NOTICES]),
        Statement(DRAFTS),
    ]


def _provisions(view: RecordView, topic: RuleTopic, ids: Sequence[str]) -> list[Provision]:
    return [one for one in book_for(request_in(view)).on(topic) if not ids or one.id in ids]


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
