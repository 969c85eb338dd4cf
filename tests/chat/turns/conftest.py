"""Conversations about notes, in one process or several, by rules or with a model of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from chat.slow_model import SlowModel, slow_model
from whence.app import build
from whence.app.platform import Platform
from whence.chat.transcript import history, sessions
from whence.chat.transcript.messages import StartedTurn
from whence.chat.transcript.views import MessageAnswer
from whence.events import log
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.records import store
from whence.tenancy.principal import Principal


@dataclass
class Desk:
    """One person's conversation about a note, as one process sees it."""

    platform: Platform
    who: Principal
    note: UUID
    session_id: UUID

    async def send(self, content: str, client_id: str | None = None, **more: Any) -> StartedTurn:
        client_id = client_id or str(new_id())
        return await self.platform.turns.send(self.who, self.session_id, content, client_id, **more)

    async def say(self, content: str) -> MessageAnswer:
        """Send, wait for the end, and read the answer."""
        begun = await self.send(content)
        await self.platform.turns.wait_for_turn(begun.turn_id)
        return await self.answer(begun)

    async def answer(self, begun: StartedTurn) -> MessageAnswer:
        return next(each for each in await self.messages() if each.id == begun.answer.id)

    async def messages(self) -> list[MessageAnswer]:
        async with self.platform.unit(self.who) as session:
            await sessions.get(session, self.who, self.session_id)
            rows = await history.page(session, self.session_id, limit=100)
        return [MessageAnswer.model_validate(row) for row in reversed(rows)]

    async def events(self) -> list[log.Event]:
        return await log.read(self.platform.db, self.who.org_id, self.session_id, 0)

    async def until(self, condition: Callable[[list[log.Event]], Any], seconds: float = 90) -> Any:
        """Wait until the conversation's events are so."""
        async with asyncio.timeout(seconds):
            while not (result := condition(await self.events())):
                await asyncio.sleep(0.02)
        return result

    def on(self, platform: Platform) -> Desk:
        """The same conversation at another process."""
        return Desk(platform, self.who, self.note, self.session_id)


async def desk_of(platform: Platform, who: Principal, text: str = "four words stand here") -> Desk:
    kind = platform.kind("notes")
    async with platform.unit(who) as session:
        record = kind.record(title="A note", text=text)
        note = (await store.create(session, who, kind, record)).id
        conversation = await sessions.open_session(session, who, "notes", note)
    return Desk(platform, who, note, conversation.id)


@pytest.fixture
async def desk(platform: Platform) -> Desk:
    return await desk_of(platform, platform.owner)


@pytest.fixture
async def elsewhere(platform: Platform) -> AsyncIterator[Platform]:
    """Another process on the same database, which tends conversations."""
    async with build.platform(platform.settings) as other:
        other.turns.start()
        yield other


@pytest.fixture
async def model() -> AsyncIterator[SlowModel]:
    async with slow_model() as scripted:
        yield scripted


@pytest.fixture
async def slow(settings: Settings, model: SlowModel) -> AsyncIterator[Desk]:
    """A conversation that the slow model answers."""
    async with build.platform(model.for_answers(settings)) as other_platform:
        yield await desk_of(other_platform, other_platform.owner)


NewDesk = Callable[[], Awaitable[Desk]]
