"""What a turn is about: a record, or a page that is open."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.pages.catalog import Pages
from whence.chat.pages.page import Context, PageAt, PageView
from whence.chat.transcript.tables import ChatSession
from whence.kernel.errors import Invalid
from whence.tenancy.principal import Principal

PAGE_CONTEXT = "context"
"""Of a message that was sent from a page: where it was sent from, `{page, …ids}`."""


class NotHere(Invalid):
    """This conversation is about no record and no page; begin another one."""


@dataclass(frozen=True)
class AboutRecord:
    """The record that the conversation was begun about."""

    kind: str
    subject_id: UUID


@dataclass(frozen=True)
class AboutPage:
    """The page that the person has open, with what it showed when the message was sent."""

    at: PageAt
    view: PageView

    @property
    def record(self) -> AboutRecord | None:
        """The record that the page is about."""
        kind, found = self.at.page.kind, self.at.record_id
        return AboutRecord(kind, found) if kind and found else None


About = AboutRecord | AboutPage


def record_of(about: About) -> AboutRecord | None:
    """The record that a turn is about, None for a page without one."""
    return about if isinstance(about, AboutRecord) else about.record


async def about_of(
    session: AsyncSession,
    who: Principal,
    pages: Pages,
    kept: ChatSession,
    context: Context | PageAt | None,
) -> About:
    """What a turn is about, as it is now: the conversation's record, or else this page.

    Raises NotHere, and as `Pages.at` and `Pages.load`.
    """
    if kept.kind is not None and kept.subject_id is not None:
        return AboutRecord(kept.kind, kept.subject_id)
    if not context:
        raise NotHere
    at = context if isinstance(context, PageAt) else pages.at(context)
    return AboutPage(at, await pages.load(session, who, at))
