"""What a model is told before a turn, of a record or of a page: its words, its data, its tools."""

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
from whence.chat.model.prompting import Briefed, plain, read
from whence.chat.pages.page import Page, PageView
from whence.chat.record_view import RecordView
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.turn_subject import About, AboutPage, record_of
from whence.kernel.clock import now
from whence.llm.prompts import fenced
from whence.tenancy.organization import OrganizationProfile

CONTEXT_TOKENS = 12_000
"""Of the record and its research: half of what a small model holds, so that the rest fits too."""
PAGE_TOKENS = 4_000
"""Of a page beside its record; a page alone has what a record has."""


@dataclass(frozen=True)
class Briefing:
    """The words for a model, and the names of the tools that it may be offered."""

    briefed: Briefed
    tools: Sequence[str]
    at: datetime


def briefing(
    deps: TurnDependencies,
    about: About,
    look: RecordView | None,
    organization: OrganizationProfile,
    book: SourceBook,
) -> Briefing:
    """What a model is told of where the person is; all that it shows is put into the book."""
    at = look.at if look else now()
    context: list[str] = []
    words: list[str] = []
    versions: list[str] = []
    subject, tools = "one of their records", tuple[str, ...]()
    if isinstance(about, AboutPage):
        page, view = about.at.page, about.view
        subject = f"the page “{page.title}” of the program, which they have open"
        tools = tuple(page.tools)
        words.append(_filled(page, view))
        versions.append(read(page.prompt).version)
        room = PAGE_TOKENS if look else CONTEXT_TOKENS
        if view.entries or not look:
            context.append(context_on_page(page.title, view.entries, at, book, room))
    if record := record_of(about):
        chat = deps.chat(record.kind)
        prompt = plain(chat.prompt)
        words.append(prompt.text.strip())
        versions.append(prompt.version)
        tools = tools if isinstance(about, AboutPage) else tuple(chat.tools)
    if look:
        context.insert(0, context_of(look, book, CONTEXT_TOKENS))
    briefed = Briefed(
        subject,
        organization_of(organization, book),
        "\n\n".join(words),
        "\n\n".join(context),
        ".".join(versions),
    )
    return Briefing(briefed, tools, at)


def _filled(page: Page, view: PageView) -> str:
    """The page's template with its values; what others wrote stands in fences."""
    prompt = read(page.prompt)
    shown = {name: _shown(name, getattr(view.values, name)) for name in prompt.inputs}
    return prompt.fill(shown, {})


def _shown(name: str, value: object) -> str:
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
