"""An answer by rules on a page: the topics that a question asks for, from what the page shows."""

from __future__ import annotations

from collections.abc import Sequence

from whence.chat.citing.composing import BY_RULES, MOST_TOPICS, marked, topics_of
from whence.chat.citing.sources import Source, SourceBook
from whence.chat.language.language_detection import ENGLISH_ONLY, is_other_language
from whence.chat.language.length_limit import readable_part
from whence.chat.offer import ByPage, ByRule, Statement
from whence.chat.pages.page import Page, PageEntry, PageView

TOOL = "page"
"""Names the entries of a page in markers."""


def compose_on_page(page: Page, view: PageView, question: str, book: SourceBook) -> str:
    """The answer with markers; every source that it cites is put into the book.

    A sentence whose carriers the page does not show is left out, never said without them.
    """
    question = readable_part(question)
    topics = topics_of(page, question)
    if not topics:
        return what_a_page_answers(page, question)
    marks: dict[Source, str] = {}
    answers: list[str] = []
    for topic in topics[:MOST_TOPICS]:
        said = [_sentence(each, view, marks, book) for each in topic.answer(view, question)]
        answer = " ".join(each for each in said if each and each not in " ".join(answers))
        if answer or not any(said):
            answers.append(answer or f"This page shows nothing on {topic.title}.")
    if rest := [topic.title for topic in topics[MOST_TOPICS:]]:
        answers.append(f"Ask me again about {', and '.join(rest)}.")
    return "\n\n".join([*answers, BY_RULES])


def what_a_page_answers(page: Page, question: str) -> str:
    """What rules can answer on a page, with an example for each topic; claims nothing."""
    rest = (
        "It is about no single record: open one to ask about it, to change it or to have it "
        "researched. What would you like?"
    )
    if not page.topics:
        return f"Without a language model I can answer nothing on the page “{page.title}”. {rest}"
    lines = [f"- {topic.title}: “{topic.example}”" for topic in page.topics]
    head = f"On the page “{page.title}” I can answer, without a language model:"
    if is_other_language(question):
        head = f"{ENGLISH_ONLY} On the page “{page.title}” I can answer:"
    asked = "\n".join([head, *lines])
    return f"{asked}\n\n{rest}"


def entry_source(entry: PageEntry) -> Source:
    """An entry of a page, as what it carries can cite it."""
    return Source(
        "page", entry.title, f"{entry.title}\n{entry.text}", path=entry.name, url=entry.url
    )


def _sentence(
    said: Statement, view: PageView, marks: dict[Source, str], book: SourceBook
) -> str | None:
    if not said.by:
        return said.text.strip()
    sources = _carriers(said, view)
    for tool, source in sources:
        if source not in marks:
            marks[source] = str(book.add(tool, source))
    shown = [marks[source] for _, source in sources]
    return marked(said.text.strip(), shown) if shown else None


def _carriers(said: Statement, view: PageView) -> Sequence[tuple[str, Source]]:
    found: list[tuple[str, Source]] = []
    for by in said.by:
        match by:
            case ByPage(name):
                entry = view.entry(name)
                found += [(TOOL, entry_source(entry))] if entry else []
            case ByRule(title, text, url):
                found.append(("rule", Source("rule", title, f"{title}\n{text}", url=url)))
            case _:
                continue
    return found
