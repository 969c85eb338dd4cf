"""What a turn is about: a record or an open page."""

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
"""The metadata key of a message for the page it was sent from: `{page, …ids}`."""


class NotHere(Invalid):
    """This conversation is not about a record or a page; start a new one."""


@dataclass(frozen=True)
class RecordSubject:
    """The record the conversation is about."""

    kind: str
    subject_id: UUID


@dataclass(frozen=True)
class PageSubject:
    """The page the person has open, with what it showed when the message was sent."""

    at: PageAt
    view: PageView

    @property
    def record(self) -> RecordSubject | None:
        """The record the page is about."""
        kind, record_id = self.at.page.kind, self.at.record_id
        return RecordSubject(kind, record_id) if kind and record_id else None


TurnSubject = RecordSubject | PageSubject


def record_of(subject: TurnSubject) -> RecordSubject | None:
    """The record a turn is about; None for a page without one."""
    return subject if isinstance(subject, RecordSubject) else subject.record


async def subject_of(
    session: AsyncSession,
    who: Principal,
    pages: Pages,
    chat_session: ChatSession,
    context: Context | PageAt | None,
) -> TurnSubject:
    """The turn's subject as it is now: the conversation's record, or else this page.

    Raises NotHere, and what `Pages.at` and `Pages.load` raise.
    """
    if chat_session.kind is not None and chat_session.subject_id is not None:
        return RecordSubject(chat_session.kind, chat_session.subject_id)
    if not context:
        raise NotHere
    at = context if isinstance(context, PageAt) else pages.at(context)
    return PageSubject(at, await pages.load(session, who, at))
