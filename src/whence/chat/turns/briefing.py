"""What a model gets for a turn about a record or a page: instructions, data and tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from uuid import UUID

from whence.chat.citing.fencing import harmless
from whence.chat.citing.sources import SourceBook
from whence.chat.model.context import context_of, context_on_page
from whence.chat.model.organization import organization_of
from whence.chat.model.prompting import PromptParts, read, read_plain_prompt
from whence.chat.pages.page import Page, PageView
from whence.chat.record_view import RecordView
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.turn_subject import PageSubject, TurnSubject, record_of
from whence.kernel.clock import now
from whence.llm.prompts import fenced
from whence.tenancy.organization import OrganizationProfile

CONTEXT_TOKENS = 12_000
"""For the record and its research: half of a small model's context."""
PAGE_TOKENS = 4_000
"""For a page that is shown with a record; a page alone gets the budget of a record."""


@dataclass(frozen=True)
class Briefing:
    """The parts of the prompt, and the names of the tools to offer."""

    briefed: PromptParts
    tools: Sequence[str]
    at: datetime


def briefing(
    deps: TurnDependencies,
    turn_subject: TurnSubject,
    record_view: RecordView | None,
    organization: OrganizationProfile,
    book: SourceBook,
) -> Briefing:
    """The briefing for the record or page the person is on; its sources are added to the book."""
    at = record_view.at if record_view else now()
    context: list[str] = []
    words: list[str] = []
    versions: list[str] = []
    subject_phrase, tools = "one of their records", tuple[str, ...]()
    if isinstance(turn_subject, PageSubject):
        page, view = turn_subject.at.page, turn_subject.view
        subject_phrase = f"the page “{page.title}” of the program, which they have open"
        tools = tuple(page.tools)
        words.append(_fill_page_prompt(page, view))
        versions.append(read(page.prompt).version)
        room = PAGE_TOKENS if record_view else CONTEXT_TOKENS
        if view.entries or not record_view:
            context.append(context_on_page(page.title, view.entries, at, book, room))
    if record := record_of(turn_subject):
        chat = deps.chat(record.kind)
        prompt = read_plain_prompt(chat.prompt)
        words.append(prompt.text.strip())
        versions.append(prompt.version)
        tools = tools if isinstance(turn_subject, PageSubject) else tuple(chat.tools)
    if record_view:
        context.insert(0, context_of(record_view, book, CONTEXT_TOKENS))
    briefed = PromptParts(
        subject_phrase,
        organization_of(organization, book),
        "\n\n".join(words),
        "\n\n".join(context),
        ".".join(versions),
    )
    return Briefing(briefed, tools, at)


def _fill_page_prompt(page: Page, view: PageView) -> str:
    """The page's template filled with its values; text written by others is fenced."""
    prompt = read(page.prompt)
    values = {name: _as_prompt_text(name, getattr(view.values, name)) for name in prompt.inputs}
    return prompt.fill(values, {})


def _as_prompt_text(name: str, value: object) -> str:
    match value:
        case None:
            return "(none)"
        case Enum():
            return str(value.value)
        case bool() | int() | float() | Decimal() | date() | UUID():
            return str(value)
        case str():
            return fenced(name, harmless(value))
        case _:
            return fenced(name, harmless(json.dumps(value, ensure_ascii=False, default=str)))
