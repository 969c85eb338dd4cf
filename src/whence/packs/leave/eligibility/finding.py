"""Rules and provisions by the words of a question, best first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.leave.records import Law

from .book import Provision, Rule, RuleBook

TITLE_WEIGHT = 3
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
_SYNONYMS = {
    "in-law": "parents-in-law",
    "tenure": "service",
    "service": "service",
    "size": "covered",
    "rolling": "12-month",
    "year": "12-month",
    "doctor": "certification",
    "part-time": "intermittent",
    "husband": "spouse",
    "wife": "spouse",
}


def best_rules(
    book: RuleBook, question: str, laws: Sequence[Law]
) -> list[tuple[float, Rule | Provision]]:
    """What has words of the question, with how much it is about them; the best first."""
    words = _words(question)
    candidates: list[Rule | Provision] = [rule for law in laws for rule in book.rules(law)]
    candidates += [one for one in book.provisions.values() if one.law in laws]
    scored = [(_score(one, words), one) for one in candidates]
    return sorted((at for at in scored if at[0] > 0), key=lambda at: -at[0])


def _score(one: Rule | Provision, words: frozenset[str]) -> float:
    """How much the rule is about the question's words: the part of its title that they are, each
    word that its text has, and once more each that is what it needs."""
    needed = _words(one.needed) if isinstance(one, Rule) else frozenset[str]()
    title, text = _words(one.title), _words(one.text) | needed
    share = len(words & title) / len(title) if title else 0.0
    return round(TITLE_WEIGHT * share + len(words & text) + len(words & needed), 6)


def _words(text: str) -> frozenset[str]:
    words: list[str] = re.findall(r"[a-z0-9][a-z0-9,/-]*[a-z0-9]", text.lower())
    plain: set[str] = {_SYNONYMS.get(word, word) for word in words if word not in COMMON}
    return frozenset(word[:-1] if word.endswith("s") and len(word) > 4 else word for word in plain)
