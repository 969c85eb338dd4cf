"""What carries a sentence: the rule with its section, the stated fields, the dossier's claim."""

from __future__ import annotations

import re

from whence.packs.leave.eligibility.book import Dated, Provision, Rule, checked_words
from whence.packs.leave.eligibility.judging import RuleResult
from whence.packs.leave.eligibility.overview import Overview, overview
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law, LeaveRequest
from whence.sdk.chat import ByClaim, ByRecord, ByRule, RecordView, Statement

_LAW_WORDS = {
    Law.FMLA: r"\bfmla\b|\bfederal|family and medical leave act",
    Law.CFRA: r"\bcfra\b|california family rights",
    Law.PDL: r"\bpdl+\b|pregnancy disability",
}


def request_in(view: RecordView) -> LeaveRequest:
    """The request that the conversation is about."""
    assert isinstance(view.record, LeaveRequest)
    return view.record


def overview_in(view: RecordView) -> Overview:
    """What the rules say of the request as it is now, also where it was never researched."""
    return overview(request_in(view), view.at.date())


def laws_in(question: str) -> list[Law]:
    """The laws that a question names; all of them where it names none."""
    return named_laws(question) or list(Law)


def named_laws(question: str) -> list[Law]:
    """The laws that a question names, if any."""
    return [law for law, words in _LAW_WORDS.items() if re.search(words, question, re.I)]


def rule_of(one: Dated, applied: str = "", facts: str = "the stated facts") -> ByRule:
    """A rule with its section; `applied` is what follows from it on the facts."""
    needed = f"Needed: {one.needed}.\n" if isinstance(one, Rule) else ""
    text = f"{one.section}\n{needed}{one.text}\n{checked_words(one)}"
    return ByRule(
        f"{LAWS[one.law]}: {one.title} ({one.cited})",
        f"{text}\nOn {facts}: {applied}" if applied else text,
        one.url,
    )


def by_result(text: str, one: RuleResult) -> list[Statement]:
    """Sentences on one rule, carried by the rule and the fields that it looked at."""
    fields = tuple(ByRecord(name) for name in one.fields if not one.missing)
    citations = (rule_of(one.rule, f"{one.actual}. {text}"), *fields)
    return [Statement(part, citations) for part in sentences(text)]


def sentences(text: str) -> list[str]:
    """A text's sentences, so that each can be cited by itself; `Gov. Code` ends none."""
    return [part for part in re.split(r"(?<=[.])(?<!Gov\.)\s+(?=[A-Z])", text) if part]


def by_provision(
    view: RecordView, text: str, one: Provision, path: str | None = None
) -> list[Statement]:
    """Sentences that a provision carries, and the dossier's claim where it says the same."""
    claim = view.claim(path) if path else None
    says_the_same = claim is not None and claim.statement.startswith(text)
    claims = (ByClaim(path),) if path and says_the_same else ()
    citations = (*claims, rule_of(one, text))
    return [Statement(part, citations) for part in sentences(text)]
