"""What the laws are, on pages that are about no single request."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.chat.carrying import laws_in, sentences
from whence.packs.leave.chat.questions import DEFINITION_WORDS
from whence.packs.leave.eligibility.book import checked_words
from whence.packs.leave.eligibility.editions import rule_book
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law
from whence.sdk.chat import ByPage, Statement
from whence.sdk.pages import PageEntry, PageTopic, PageView


def law_entries() -> list[PageEntry]:
    """Each law's definition with its section, as it is in force."""
    return [
        PageEntry(
            _name(one.law),
            f"{LAWS[one.law]}: {one.title} ({one.cited})",
            f"{one.section}\n{one.text}\n{checked_words(one)}",
            one.url,
        )
        for one in rule_book().on("definition")
    ]


def _name(law: Law) -> str:
    return f"law_{law.value}"


def _answer(view: PageView, question: str) -> Sequence[Statement]:
    laws = laws_in(question)
    return [
        Statement(part, (ByPage(_name(one.law)),))
        for one in rule_book().on("definition")
        if one.law in laws and view.entry(_name(one.law))
        for part in sentences(f"{LAWS[one.law]} ({one.cited}): {one.text}")
    ]


LAWS_TOPIC = PageTopic(
    "definition", "what the laws are", DEFINITION_WORDS, _answer, "What is FMLA?"
)
