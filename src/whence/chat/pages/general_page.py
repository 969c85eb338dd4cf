"""The page that stands in for one that no pack offers: what can be told without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.offer import ByPage, Statement
from whence.chat.pages.page import Page, PageEntry, PageTopic, PageValues, PageView, reads_out
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal

NAME = "general"
"""The name of the page itself, for clients that mean no particular page."""
PAGES = "pages"
_PROMPT = Path(__file__).parents[1] / "prompts" / "general_page.md"


class GeneralValues(PageValues):
    """The values for the template."""

    pages: str


def general_page(kinds: Mapping[str, SubjectKind], offered: Callable[[], Sequence[Page]]) -> Page:
    """The page, which counts records of all `kinds` and names the pages `offered`."""

    async def load(session: AsyncSession, who: Principal, ids: Any, at: datetime) -> PageView:
        del who, ids, at
        entries = [await _counted(session, kind) for kind in kinds.values()]
        titles = ", ".join(f"{page.title} ({page.name})" for page in offered()) or "none"
        pages = PageEntry(PAGES, "Pages", f"You can ask about these pages: {titles}.")
        return PageView([*entries, pages], GeneralValues(pages=titles))

    return Page(
        name=NAME,
        title="Everything",
        prompt=_PROMPT,
        values=GeneralValues,
        load=load,
        topics=(
            PageTopic(
                "records",
                "how many records there are",
                ("how many", "count", "records", *(name.replace("-", " ") for name in kinds)),
                _read_records,
                "How many records are there?",
            ),
            PageTopic(
                PAGES,
                "the pages you can ask about",
                ("page", "pages", "help", "what can you", "what can I ask"),
                reads_out(PAGES),
                "Which pages can I ask about?",
            ),
        ),
    )


async def _counted(session: AsyncSession, kind: SubjectKind) -> PageEntry:
    row = kind.row
    query = select(func.count()).select_from(row).where(row.deleted_at.is_(None))
    number = (await session.execute(query)).scalar_one()
    verb = "is" if number == 1 else "are"
    return PageEntry(
        f"records.{kind.kind}", kind.plural.capitalize(), f"There {verb} {kind.counted(number)}."
    )


def _read_records(view: PageView, question: str) -> Sequence[Statement]:
    """The counts of the kinds that the question names, or of all."""
    entries = [entry for entry in view.entries if entry.name.startswith("records.")]
    named = [entry for entry in entries if entry.title.lower() in question.lower()]
    return [Statement(entry.text, (ByPage(entry.name),)) for entry in named or entries]
