"""The development context of conversations in the LangGraph development server.

A graph gets nothing there but its input.  This opens a platform for the process, as the command
line does, and talks as the local owner, on an event loop of its own: the server refuses blocking
calls on its own loop, and ends graphs at any time.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import select

from whence.app import build
from whence.app.platform import Platform
from whence.chat.citing.composing import topics_of
from whence.chat.pages.general_page import NAME as GENERAL
from whence.chat.transcript import sessions
from whence.chat.transcript.messages import StartedTurn
from whence.chat.transcript.tables import ChatMessage
from whence.chat.transcript.views import MessageAnswer
from whence.kernel.errors import Invalid
from whence.kernel.settings import Settings
from whence.records import store

T = TypeVar("T")
CLOSE_SECONDS = 20.0


@dataclass(frozen=True)
class StudioMessage:
    """What somebody says in a conversation: a message, or input for a wizard."""

    content: str = ""
    wizard_input: Mapping[str, Any] | None = None
    session_id: UUID | None = None
    """The conversation to continue; None begins one."""
    page: str | None = None
    """The page it is said on; None: the one that can answer it."""
    record: str | None = None
    """The record that a new conversation is about, such as `items/HP-001`."""


@dataclass
class DevelopmentContext:
    """One platform for the graphs of this process, opened when the first one needs it."""

    _opened: Future[tuple[asyncio.AbstractEventLoop, Platform]] | None = None
    _closing: Callable[[], None] | None = field(default=None)

    async def take_turn(self, message: StudioMessage) -> MessageAnswer:
        """The answer, once it is complete.  Raises what `Turns.send` raises, and Invalid."""
        return await self._run(lambda platform: _take_turn(platform, message))

    async def _run(self, make: Callable[[Platform], Coroutine[Any, Any, T]]) -> T:
        if self._opened is None:
            self._opened = Future()
            thread = threading.Thread(target=self._serve, name="whence-studio", daemon=True)
            thread.start()
            atexit.register(self._close, thread)
        loop, platform = await asyncio.wrap_future(self._opened)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(make(platform), loop))

    def _serve(self) -> None:
        _allow_blocking()
        asyncio.run(self._keep_open())

    async def _keep_open(self) -> None:
        assert self._opened is not None  # `_run` made it before this thread
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        self._closing = lambda: loop.call_soon_threadsafe(ended.set) and None
        try:
            async with build.platform(Settings()) as platform:
                platform.turns.start()
                self._opened.set_result((loop, platform))
                await ended.wait()
        except Exception as error:  # the edge of a thread: whoever waits for the platform gets it
            if self._opened.done():
                raise
            self._opened.set_exception(error)
            self._opened = None

    def _close(self, thread: threading.Thread) -> None:
        if self._closing:
            self._closing()
        thread.join(CLOSE_SECONDS)


def _allow_blocking() -> None:
    """Let this thread make blocking calls, which the server forbids wherever a loop runs."""
    with suppress(ImportError, AttributeError):  # the server's own library, and no public way
        import_module("blockbuster.blockbuster")._skip.value = True


async def _take_turn(platform: Platform, message: StudioMessage) -> MessageAnswer:
    started = await _started(platform, message)
    await platform.turns.wait_for_turn(started.turn_id)
    async with platform.unit(platform.owner) as session:
        query = select(ChatMessage).where(ChatMessage.id == started.answer.id)
        return MessageAnswer.model_validate((await session.scalars(query)).one())


async def _started(platform: Platform, message: StudioMessage) -> StartedTurn:
    who, page = platform.owner, {"page": message.page or _page_for(platform, message.content)}
    session_id, is_about_record = message.session_id, False
    async with platform.unit(who) as session:
        if session_id is not None:
            is_about_record = (await sessions.get(session, who, session_id)).kind is not None
        elif message.record is not None:
            kind_name, slash, reference = message.record.partition("/")
            if not slash:
                raise Invalid("A record is named as KIND/ID, such as items/HP-001.")
            kind = platform.kind(kind_name)
            row = await store.resolve(session, kind, reference)
            session_id = (await sessions.open_session(session, who, kind.kind, row.id)).id
            is_about_record = True
        elif message.wizard_input is not None:
            session_id = (await sessions.open_session(session, who, None, None, page)).id
    if session_id is not None and (is_about_record or message.wizard_input is not None):
        wizard_input = message.wizard_input
        return await platform.turns.send(who, session_id, message.content, None, wizard_input)
    return await platform.turns.send_on_page(who, page, message.content, None, session_id)


def _page_for(platform: Platform, question: str) -> str:
    """The page without ids that has the most topics for the question, or the general one."""
    pages = [page for page in platform.pages.all_pages if not page.ids.model_fields]
    matches = {page.name: len(topics_of(page, question)) for page in pages}
    best = max(matches, key=lambda name: matches[name], default=GENERAL)
    return best if matches.get(best) else GENERAL
