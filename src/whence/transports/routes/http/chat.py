"""Conversations: about one record, and all of one's own.  Nobody can read another's."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import computed_field
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import search, sessions
from whence.chat.transcript.views import SessionAnswer
from whence.kernel.wire import Wire
from whence.records import store
from whence.records.item_id import item_id
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal
from whence.transports.edge import paging as pages
from whence.transports.edge.access import Reader, Talker
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import DEFAULT_LIMIT, Cursor, Limit, PageOf
from whence.transports.routes.http.conversations import Place, SessionId, session_routes
from whence.transports.routes.http.subjects import Reference

Words = Annotated[
    str,
    Query(alias="q", min_length=1, max_length=search.QUERY_LIMIT, description="All must occur"),
]


class Opened(Wire):
    """A new conversation."""

    session_id: UUID


class MessageFound(Wire):
    """A message that contains the words, with the text around the first of them."""

    session_id: UUID
    title: str
    kind: str | None
    subject_id: UUID | None
    message_id: UUID
    ordinal: int
    role: str
    snippet: str
    created_at: datetime

    @computed_field
    @property
    def item_id(self) -> UUID | None:
        """The same as `subjectId`, where the kind is `items`."""
        return item_id(self.kind, self.subject_id)


def _own(session_id: SessionId) -> Place:
    return Place(session_id)


def chat_routes(kind: SubjectKind) -> APIRouter:
    """The routes of one's conversations about a kind's records."""
    router = APIRouter(prefix=f"/api/{kind.kind}/{{id}}/chat/sessions", tags=[kind.kind])

    @router.post("", status_code=201, name=f"open_chat_about_{kind.kind}")
    async def create(
        platform: CurrentPlatform, who: Talker, reference: Reference, response: Response
    ) -> Opened:
        """Start a conversation about the record."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            conversation = await sessions.open_session(session, who, kind.kind, row.id)
        response.headers["Location"] = f"/api/{kind.kind}/{row.id}/chat/sessions/{conversation.id}"
        return Opened(session_id=conversation.id)

    @router.get("", name=f"chats_about_{kind.kind}")
    async def listed(
        platform: CurrentPlatform,
        who: Reader,
        reference: Reference,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[SessionAnswer]:
        """Your conversations about the record, the last used first."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            return await listing(session, who, cursor, limit, kind=kind.kind, subject_id=row.id)

    @router.get("/active", name=f"active_chat_about_{kind.kind}")
    async def active(
        platform: CurrentPlatform, who: Reader, reference: Reference
    ) -> SessionAnswer | None:
        """Your last used conversation about the record, or null."""
        async with platform.unit(who) as session:
            row = await store.resolve(session, kind, reference)
            latest = await sessions.latest_session(session, who, kind.kind, row.id)
        return SessionAnswer.model_validate(latest) if latest else None

    def under_record(reference: Reference, session_id: SessionId) -> Place:
        return Place(session_id, kind, reference)

    session_routes(router, "", under_record, f"chat_about_{kind.kind}")
    del create, listed, active
    return router


router = APIRouter(prefix="/api/chat", tags=["chat"])


@router.get("/sessions")
async def own_chats(
    platform: CurrentPlatform, who: Reader, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> PageOf[SessionAnswer]:
    """All your conversations, the last used first."""
    async with platform.unit(who) as session:
        return await listing(session, who, cursor, limit)


@router.get("/search")
async def search_chats(
    platform: CurrentPlatform,
    who: Reader,
    words: Words,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> PageOf[MessageFound]:
    """Your messages, and the answers to them, that contain all the words; newest first."""
    before = pages.RowCursor.read(cursor)
    async with platform.unit(who) as session:
        matches = await search.search(session, who, words, before=before, limit=limit + 1)
    return pages.page_of(
        matches,
        limit,
        lambda match: MessageFound(
            session_id=match.session.id,
            title=match.session.title,
            kind=match.session.kind,
            subject_id=match.session.subject_id,
            message_id=match.message.id,
            ordinal=match.message.ordinal,
            role=match.message.role,
            snippet=match.snippet,
            created_at=match.message.created_at,
        ),
        lambda match: pages.RowCursor(match.message.created_at, match.message.id).written(),
    )


session_routes(router, "/sessions", _own, "own_chat")


async def listing(
    session: AsyncSession,
    who: Principal,
    cursor: str | None,
    limit: int,
    *,
    kind: str | None = None,
    subject_id: UUID | None = None,
    on_pages: bool = False,
) -> PageOf[SessionAnswer]:
    """A page of one's own conversations; `kind`, `subject_id` and `on_pages` as for `listed`."""
    before = pages.RowCursor.read(cursor)
    rows = await sessions.list_sessions(
        session,
        who,
        kind=kind,
        subject_id=subject_id,
        on_pages=on_pages,
        before=before,
        limit=limit + 1,
    )
    return pages.page_of(
        rows,
        limit,
        SessionAnswer.model_validate,
        lambda row: pages.RowCursor(row.updated_at, row.id).written(),
    )
