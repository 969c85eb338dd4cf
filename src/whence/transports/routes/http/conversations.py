"""The routes of one conversation, under its record or among all of one's own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.chat.proposals.notifications import with_current_status
from whence.chat.transcript import contexts, history, sessions
from whence.chat.transcript import export as exporting
from whence.chat.transcript.export import Format
from whence.chat.transcript.tables import ChatSession
from whence.chat.transcript.views import MessageAnswer, SessionAnswer
from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.kernel.wire import Wire
from whence.records import store
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal
from whence.transports.edge import paging as pages
from whence.transports.edge.access import Reader, Talker
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import DEFAULT_LIMIT, BadCursor, Cursor, Limit, PageOf
from whence.transports.routes.http.subjects import typed
from whence.transports.routes.http.work_logs import ModelExchange

SessionId = Annotated[UUID, Path(alias="sid", description="The conversation")]
MessageId = Annotated[UUID, Path(alias="mid", description="An answer of the conversation")]
_FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {}, "text/markdown": {}}}
}


class Rename(Wire):
    title: Annotated[str, Field(min_length=1, max_length=sessions.TITLE_LIMIT)]


class PartRead(Wire):
    """One part of what rules read for an answer."""

    title: str
    entries: list[str]
    left_out: int
    """Further entries, which are not kept."""


class AnswerContext(Wire):
    """What an answer was written from; `model` and `rules` null: it is not kept, or no longer."""

    model: ModelExchange | None
    """What the model was sent at last, and what it answered."""
    rules: list[PartRead] | None
    """Beside `model`: the model gave no answer, and rules did."""
    kept_days: float
    """How long contexts are kept (`WHENCE_PROMPT_DAYS`); 0: not at all."""


@dataclass(frozen=True)
class Place:
    """A conversation as its address names it: alone or under its record."""

    session_id: UUID
    kind: SubjectKind | None = None
    reference: str = ""

    async def own_conversation(self, session: AsyncSession, who: Principal) -> ChatSession:
        """The conversation; raises NotFound if it is not one's own, or of another record."""
        row = await store.resolve(session, self.kind, self.reference) if self.kind else None
        chat = await sessions.get(session, who, self.session_id)
        if row and self.kind and (chat.kind, chat.subject_id) != (self.kind.kind, row.id):
            raise NotFound("There is no such conversation.")
        return chat


def session_routes(
    router: APIRouter, prefix: str, place_of: Callable[..., Place], name: str
) -> None:
    """The routes of one conversation, under either address."""
    in_address = Annotated[Place, Depends(place_of)]

    async def read(platform: CurrentPlatform, who: Reader, place: Place) -> SessionAnswer:
        """A conversation, without its messages."""
        async with platform.unit(who) as session:
            return SessionAnswer.model_validate(await place.own_conversation(session, who))

    async def rename(
        platform: CurrentPlatform, who: Talker, place: Place, body: Rename
    ) -> SessionAnswer:
        """Rename a conversation."""
        async with platform.unit(who) as session:
            chat = await place.own_conversation(session, who)
            renamed = await sessions.rename(session, who, chat.id, body.title)
            return SessionAnswer.model_validate(renamed)

    async def delete(platform: CurrentPlatform, who: Talker, place: Place) -> None:
        """Delete a conversation with all its messages; applied changes remain."""
        async with platform.unit(who) as session:
            await sessions.delete(session, who, (await place.own_conversation(session, who)).id)

    async def messages(
        platform: CurrentPlatform,
        who: Reader,
        place: Place,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[MessageAnswer]:
        """The messages, newest first, with citations, tool calls and actions."""
        before = _ordinal(cursor) if cursor else None
        async with platform.unit(who) as session:
            chat = await place.own_conversation(session, who)
            rows = await history.page(session, chat.id, before=before, limit=limit + 1)
            stored = [MessageAnswer.model_validate(row) for row in rows[:limit]]
            shown = await with_current_status(session, platform.kinds, who.user_id, stored)
        more = pages.write_cursor(rows[limit - 1].ordinal) if len(rows) > limit else None
        return PageOf(items=shown, next_cursor=more)

    async def context(
        platform: CurrentPlatform, who: Reader, place: Place, message_id: MessageId
    ) -> AnswerContext:
        """What an answer was written from: what a model was sent, or what rules read."""
        async with platform.unit(who) as session:
            chat = await place.own_conversation(session, who)
            kept = await contexts.read(session, chat.id, message_id)
        return AnswerContext.model_validate(
            {
                "model": kept.model,
                "rules": kept.rules,
                "kept_days": platform.settings.prompt_days,
            }
        )

    async def export(
        platform: CurrentPlatform,
        who: Reader,
        place: Place,
        form: Annotated[Format, Query(alias="format")] = Format.JSON,
    ) -> Response:
        """The whole conversation as a file."""
        async with platform.unit(who) as session:
            chat = SessionAnswer.model_validate(await place.own_conversation(session, who))
        return StreamingResponse(
            exporting.export_pieces(chat, _batches(platform, who, chat), form, now()),
            media_type=exporting.MEDIA_TYPES[form],
            headers={
                "Content-Disposition": f"attachment; filename=conversation-{chat.id}.{form}",
                "Cache-Control": "private, no-store",
            },
        )

    path = f"{prefix}/{{sid}}"
    add = router.add_api_route
    add(path, typed(read, place=in_address), name=f"read_{name}")
    add(path, typed(rename, place=in_address), methods=["PATCH"], name=f"rename_{name}")
    delete = typed(delete, place=in_address)
    add(path, delete, methods=["DELETE"], status_code=204, name=f"delete_{name}")
    add(f"{path}/messages", typed(messages, place=in_address), name=f"messages_of_{name}")
    add(
        f"{path}/messages/{{mid}}/context",
        typed(context, place=in_address),
        name=f"context_in_{name}",
    )
    add(
        f"{path}/export",
        typed(export, place=in_address),
        response_class=Response,
        responses=_FILES,
        name=f"export_{name}",
    )


async def _batches(
    platform: Platform, who: Principal, chat: SessionAnswer
) -> AsyncGenerator[list[MessageAnswer]]:
    """All messages that existed when the export began."""
    after = 0
    while after < chat.message_count:
        async with platform.unit(who) as session:
            rows = await history.batch(
                session,
                chat.id,
                after=after,
                up_to=chat.message_count,
                limit=exporting.BATCH,
            )
            stored = [MessageAnswer.model_validate(row) for row in rows]
            shown = await with_current_status(session, platform.kinds, who.user_id, stored)
        if not rows:
            return  # deleted meanwhile
        yield shown
        after = rows[-1].ordinal


def _ordinal(cursor: str) -> int:
    digits = pages.read_cursor(cursor, 1)[0]
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise BadCursor
    return int(digits)
