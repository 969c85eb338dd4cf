"""Questions on the rules themselves, answered from the rule data with the section."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.leave.eligibility.book import Provision, Rule
from whence.packs.leave.eligibility.library import book_for
from whence.packs.leave.eligibility.words import LAWS
from whence.sdk import Look, Said

from .carrying import laws_in, request_in, rule_of, sentences

MOST = 4
"""Rules in an answer: more would be read by nobody; a narrower question gets the rest."""
IN_TITLE = 3
"""A title that is all of a question's words weighs as much as so many words of a text."""
COMMON = frozenset(
    re.findall(
        r"\w+",
        "the and for what does say says rule rules law laws leave with under that this how much "
        "many who which when must need needs employee employer employees is are can have has act "
        "section about work working mean means count counts counted fmla cfra pdl",
    )
)
"""Words that stand in most rules or questions and tell none of them apart."""
_SAME = {
    "in-law": "parents-in-law",
    "tenure": "service",
    "service": "service",
    "size": "covered",
    "rolling": "12-month",
    "year": "12-month",
    "doctor": "certification",
    "part-time": "intermittent",
}
NOT_HERE = (
    "That is not in the rules that I have. They are about eligibility, how much leave, which laws "
    "run together, notice, certification and return, under the FMLA, CFRA and California pregnancy "
    "disability leave; not about pay, benefits, taxes, other states or how a court would decide."
)


def rules(look: Look, question: str) -> Sequence[Said]:
    """The rules whose words a question has, best first; says so where none has them."""
    words = _words(question)
    laws = laws_in(question)
    request = request_in(look)
    book, reason = book_for(request), request.reason
    known = [rule for law in laws for rule in book.rules(law)]
    known += [one for one in book.provisions.values() if one.law in laws]
    scored = [(_score(one, words), _fits(one, reason), one) for one in known]
    best = sorted((at for at in scored if at[0] > 0), key=lambda at: (-at[0], not at[1]))
    if not best:
        return [Said(NOT_HERE)]
    top = best[0][0]
    chosen = [one for score, _, one in best[:MOST] if score >= top]
    return [said for one in chosen for said in _said(one)]


def limits(look: Look, question: str) -> Sequence[Said]:
    """What these rules do not cover."""
    return [Said(NOT_HERE)]


def _said(one: Rule | Provision) -> list[Said]:
    text = f"{LAWS[one.law]} ({one.cited}): {one.text}"
    return [Said(part, (rule_of(one),)) for part in sentences(text)]


def _score(one: Rule | Provision, words: frozenset[str]) -> float:
    """How much the rule is about the question's words: the part of its title that they are, and
    each word that its text has."""
    title, text = _words(one.title), _words(f"{one.text} {getattr(one, 'needed', '')}")
    share = len(words & title) / len(title) if title else 0.0
    return round(IN_TITLE * share + len(words & text), 6)


def _fits(one: Rule | Provision, reason: str | None) -> bool:
    return isinstance(one, Provision) or not one.reasons or reason in one.reasons


def _words(text: str) -> frozenset[str]:
    found: list[str] = re.findall(r"[a-z0-9][a-z0-9,/-]*[a-z0-9]", text.lower())
    plain: set[str] = {_SAME.get(word, word) for word in found if word not in COMMON}
    return frozenset(word[:-1] if word.endswith("s") and len(word) > 4 else word for word in plain)
