"""Questions on the rules themselves, answered from the rule data with the section."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.eligibility.book import BASES, Provision, Rule
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.finding import best_rules
from whence.packs.leave.eligibility.words import LAWS, day, lower_first
from whence.packs.leave.records import Law
from whence.sdk.chat import ByRule, RecordView, Statement

from .by_law import giving_laws, laws_of
from .carrying import laws_in, named_laws, overview_in, request_in, rule_of, sentences
from .neighbours import CIVIL_RIGHTS, neighbours_in

MAX_RULES = 4
"""Rules in an answer: nobody would read more; a narrower question finds the rest."""
ASK = (
    "For anything else ask the employer's human resources, the Wage and Hour Division "
    f"(dol.gov/agencies/whd), or {CIVIL_RIGHTS}"
)
COVERED = (
    "They cover eligibility, how much leave, which laws run together, notice, certification, "
    "return, paid leave, health cover and protection from retaliation under the FMLA, CFRA and "
    "California pregnancy disability leave."
)
NOT_HERE = f"The rules I have do not cover that. {COVERED}"


def rules(view: RecordView, question: str) -> Sequence[Statement]:
    """The rules that match the question's words, best first; says so if none does."""
    request = request_in(view)
    scored = best_rules(book_for(request), question, laws_in(question))
    giving = giving_laws(overview_in(view))
    fitting = [at for at in scored if named_laws(question) or _laws(at[1]) & set(giving)]
    best = sorted(fitting or scored, key=lambda at: (-at[0], not _fits(at[1], request.reason)))
    if not best:
        return [Statement(NOT_HERE)]
    top = best[0][0]
    best_of_rank = [one for score, one in best[:MAX_RULES] if score >= top]
    return [statement for one in best_of_rank for statement in _statements(one)]


def limits(view: RecordView, question: str) -> Sequence[Statement]:
    """What these rules do not cover, what they do, and whom to ask."""
    matters = neighbours_in(question)
    if not matters:
        return [Statement(NOT_HERE), Statement(f"{ASK}.")]
    named = [
        Statement(
            f"The rules I have do not cover that: {lower_first(each.matter)}. Ask {each.whom}."
        )
        for each in matters
    ]
    return [*named, Statement(COVERED)]


def sources(view: RecordView, question: str) -> Sequence[Statement]:
    """Since when the rules are in force, when they were checked, and which texts were not read."""
    assessment = overview_in(view)
    statements: list[Statement] = []
    for law in laws_in(question):
        statute = assessment.under(law).statute
        text = (
            f"{LAWS[law]}: the rules are those in force since {day(statute.effective)}, last "
            f"compared with their sources on {day(statute.checked)}."
        )
        statements.append(
            Statement(text, (ByRule(f"{LAWS[law]}: rule data {statute.version}", text),))
        )
    for one in assessment.unread:
        text = f"{one.section} ({lower_first(one.title)}): {BASES[one.basis]}."
        statements.append(Statement(text, (rule_of(one),)))
    return statements


def _statements(one: Rule | Provision) -> list[Statement]:
    text = f"{LAWS[one.law]} ({one.cited}): {one.text}"
    return [Statement(part, (rule_of(one),)) for part in sentences(text)]


def _laws(one: Rule | Provision) -> set[Law]:
    return laws_of(one) if isinstance(one, Provision) else {one.law}


def _fits(one: Rule | Provision, reason: str | None) -> bool:
    return isinstance(one, Provision) or not one.reasons or reason in one.reasons
