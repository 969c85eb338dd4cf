"""Answers by rules on a page: the topics a question asks about, from what the page shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from whence.chat.citing.composing import BY_RULES, MAX_TOPICS, insert_markers, topics_of
from whence.chat.citing.sources import Source, SourceBook
from whence.chat.language.language_detection import ENGLISH_ONLY, is_other_language
from whence.chat.language.length_limit import readable_part
from whence.chat.language.out_of_reach import asks_for_help
from whence.chat.offer import ByPage, ByRule, Statement
from whence.chat.pages.page import Page, PageEntry, PageView

SHOWN_EXAMPLES = 3
"""Questions that a refusal names; `help` lists all."""
TOOL = "page"
"""The tool name in markers that cite entries of a page."""


def compose_on_page(page: Page, view: PageView, question: str, book: SourceBook) -> str:
    """The answer with markers; every source it cites is added to the book.

    A sentence whose sources the page does not show is left out, never given without them.
    """
    question = readable_part(question)
    topics = topics_of(page, question)
    if any(re.search(each, question, re.I) for each in page.refused):
        topics = [topic for topic in topics if topic.computed is not None]
    if not topics:
        return refuse_on_page(page, question)
    marks: dict[Source, str] = {}
    answers: list[str] = []
    for topic in topics[:MAX_TOPICS]:
        if topic.computed is not None:
            view = replace(view, entries=[*view.entries, *topic.computed(view, question)])
        sentences = [_sentence(each, view, marks, book) for each in topic.answer(view, question)]
        answer = " ".join(each for each in sentences if each and each not in " ".join(answers))
        if answer or not any(sentences):
            answers.append(answer or f"This page shows nothing about {topic.title}.")
    if more := [topic.title for topic in topics[MAX_TOPICS:]]:
        answers.append(f"Ask me again about {', and '.join(more)}.")
    return "\n\n".join([*answers, BY_RULES])


def refuse_on_page(page: Page, question: str, deed: str = "answer") -> str:
    """That it cannot be answered or done here, and a few examples of what can be answered.

    All that can be, where the question is for that.
    """
    if asks_for_help(question) or is_other_language(question) or not page.topics:
        return list_page_topics(page, question)
    examples = "\n".join(f"- “{topic.example}”" for topic in page.topics[:SHOWN_EXAMPLES])
    return (
        f"Without a language model I cannot {deed} that on the page “{page.title}”. Here you can "
        f"ask, for example:\n\n{examples}\n\nTo change or research a record, open it; say "
        "“help” for all that I can answer here."
    )


def list_page_topics(page: Page, question: str) -> str:
    """The topics that rules can answer on a page, each with an example; states no facts."""
    closing = (
        "This page is not about a single record: open one to ask about it, change it or have it "
        "researched. What would you like to do?"
    )
    if not page.topics:
        head = f"Without a language model I cannot answer questions on the page “{page.title}”."
        return f"{head} {closing}"
    lines = [f"- {topic.title}: “{topic.example}”" for topic in page.topics]
    head = f"On the page “{page.title}” I can answer, without a language model, questions about:"
    if is_other_language(question):
        head = f"{ENGLISH_ONLY} On the page “{page.title}” I can answer questions about:"
    list_of_topics = "\n".join([head, *lines])
    return f"{list_of_topics}\n\n{closing}"


def entry_source(entry: PageEntry) -> Source:
    """An entry of a page as a source to cite."""
    return Source(
        "page", entry.title, f"{entry.title}\n{entry.text}", path=entry.name, url=entry.url
    )


def _sentence(
    statement: Statement, view: PageView, marks: dict[Source, str], book: SourceBook
) -> str | None:
    if not statement.by:
        return statement.text.strip()
    sources = _sources(statement, view)
    for tool, source in sources:
        if source not in marks:
            marks[source] = str(book.add(tool, source))
    markers = [marks[source] for _, source in sources]
    return insert_markers(statement.text.strip(), markers) if markers else None


def _sources(statement: Statement, view: PageView) -> Sequence[tuple[str, Source]]:
    sources: list[tuple[str, Source]] = []
    for citation in statement.by:
        match citation:
            case ByPage(name):
                entry = view.entry(name)
                sources += [(TOOL, entry_source(entry))] if entry else []
            case ByRule(title, text, url):
                sources.append(("rule", Source("rule", title, f"{title}\n{text}", url=url)))
            case _:
                continue
    return sources
