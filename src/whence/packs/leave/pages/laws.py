"""What the laws are, on pages that are about no single request."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.chat.carrying import laws_in, sentences
from whence.packs.leave.chat.questions import DEFINITION_WORDS
from whence.packs.leave.eligibility.book import Provision, checked_words
from whence.packs.leave.eligibility.editions import rule_book
from whence.packs.leave.eligibility.words import LAWS
from whence.sdk.chat import ByPage, Statement
from whence.sdk.pages import PageEntry, PageTopic, PageView

ENTRY = "definition"


def law_entry() -> PageEntry:
    """What each law is, with its section, as it is in force."""
    laws = rule_book().on("definition")
    sections = "; ".join(one.cited for one in laws)
    text = "\n".join(f"{_words(one)} {checked_words(one)}" for one in laws)
    return PageEntry(ENTRY, f"What the laws are ({sections})", text, laws[0].url)


def _words(one: Provision) -> str:
    return f"{LAWS[one.law]} ({one.cited}): {one.text}"


def _answer(view: PageView, question: str) -> Sequence[Statement]:
    laws = laws_in(question)
    return [
        Statement(part, (ByPage(ENTRY),))
        for one in rule_book().on("definition")
        if one.law in laws
        for part in sentences(_words(one))
    ]


LAWS_TOPIC = PageTopic(ENTRY, "what the laws are", DEFINITION_WORDS, _answer, "What is FMLA?")
