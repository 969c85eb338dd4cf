"""Conversations on pages, as held over `POST /api/agent/chat`.  Nobody can read another's."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.pages import sessions as page_sessions
from whence.chat.transcript.tables import ChatSession
from whence.chat.transcript.views import SessionAnswer
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Reader, Talker
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import DEFAULT_LIMIT, Cursor, Limit, PageOf
from whence.transports.routes.http.chat import listing
from whence.transports.routes.http.conversations import Place, SessionId, session_routes
from whence.transports.routes.http.turns import TurnBegun, TurnStopped, begun_answer

router = APIRouter(prefix="/api/agent", tags=["agent"])


class PageOffered(Wire):
    """A page that supports chat: its name for `context.page`, and the ids it takes."""

    name: str
    title: str
    ids: dict[str, object]
    """The JSON schema of the ids."""


@dataclass(frozen=True)
class OnPages(Place):
    """A conversation on pages; one about a record is not returned here."""

    async def own_conversation(self, session: AsyncSession, who: Principal) -> ChatSession:
        """The conversation; raises NotFound if it is not one's own, or is about a record."""
        return await page_sessions.get(session, who, self.session_id)


def _here(session_id: SessionId) -> Place:
    return OnPages(session_id)


@router.get("/pages")
async def offered_pages(platform: CurrentPlatform, who: Reader) -> list[PageOffered]:
    """The pages that support chat, by name."""
    return [
        PageOffered(name=page.name, title=page.title, ids=page.ids.model_json_schema())
        for page in platform.pages.all_pages
    ]


@router.get("/conversations")
async def conversations_on_pages(
    platform: CurrentPlatform, who: Reader, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> PageOf[SessionAnswer]:
    """Your conversations on pages, the last used first."""
    async with platform.unit(who) as session:
        return await listing(session, who, cursor, limit, on_pages=True)


session_routes(router, "/conversations", _here, "conversation_on_pages")


@router.post("/conversations/{sid}/regenerate", status_code=202)
async def answer_anew_on_page(
    platform: CurrentPlatform, who: Talker, session_id: SessionId
) -> TurnBegun:
    """Answer the last message again, from the page it was sent on, as that page is now."""
    async with platform.unit(who) as session:
        page_session = await page_sessions.get(session, who, session_id)
    return begun_answer(await platform.turns.regenerate(who, page_session.id))


@router.post("/conversations/{sid}/stop")
async def stop_on_page(
    platform: CurrentPlatform, who: Talker, session_id: SessionId
) -> TurnStopped:
    """Stop the answer in progress; the text so far is kept."""
    async with platform.unit(who) as session:
        page_session = await page_sessions.get(session, who, session_id)
    return TurnStopped(turn_id=await platform.turns.stop(who, page_session.id))
