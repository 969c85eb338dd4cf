"""Questions on the rules themselves, answered from the rule data with the section."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.eligibility.book import BASES, Provision, Rule
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.finding import best_rules
from whence.packs.leave.eligibility.words import LAWS, day, lowered
from whence.sdk.chat import ByRule, RecordView, Statement

from .carrying import laws_in, overview_in, request_in, rule_of, sentences

MOST = 4
"""Rules in an answer: more would be read by nobody; a narrower question gets the rest."""
NOT_HERE = (
    "That is not in the rules that I have. They are about eligibility, how much leave, which laws "
    "run together, notice, certification and return, under the FMLA, CFRA and California pregnancy "
    "disability leave; not about pay, benefits, taxes, other states or how a court would decide."
)


def rules(view: RecordView, question: str) -> Sequence[Statement]:
    """The rules whose words a question has, best first; says so where none has them."""
    request = request_in(view)
    found = best_rules(book_for(request), question, laws_in(question))
    best = sorted(found, key=lambda at: (-at[0], not _fits(at[1], request.reason)))
    if not best:
        return [Statement(NOT_HERE)]
    top = best[0][0]
    chosen = [one for score, one in best[:MOST] if score >= top]
    return [said for one in chosen for said in _said(one)]


def limits(view: RecordView, question: str) -> Sequence[Statement]:
    """What these rules do not cover."""
    return [Statement(NOT_HERE)]


def sources(view: RecordView, question: str) -> Sequence[Statement]:
    """Since when the rules are in force, when they were checked, and which were not read."""
    found = overview_in(view)
    said: list[Statement] = []
    for law in laws_in(question):
        statute = found.under(law).statute
        text = (
            f"{LAWS[law]}: the rules are those in force since {day(statute.effective)}, last "
            f"compared with their sources on {day(statute.checked)}."
        )
        said.append(Statement(text, (ByRule(f"{LAWS[law]}: rule data {statute.version}", text),)))
    for one in found.unread:
        text = f"{one.section} ({lowered(one.title)}): {BASES[one.basis]}."
        said.append(Statement(text, (rule_of(one),)))
    return said


def _said(one: Rule | Provision) -> list[Statement]:
    text = f"{LAWS[one.law]} ({one.cited}): {one.text}"
    return [Statement(part, (rule_of(one),)) for part in sentences(text)]


def _fits(one: Rule | Provision, reason: str | None) -> bool:
    return isinstance(one, Provision) or not one.reasons or reason in one.reasons
