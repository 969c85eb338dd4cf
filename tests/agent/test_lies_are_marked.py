"""A model that states what no source has is marked wherever its answer is read."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import StringIO
from uuid import UUID

import httpx
import pytest
from rich.console import Console

from agent.conftest import served
from agent.desk import Browser, events
from chat.turns.conftest import Desk, desk_of
from chat.turns.test_sockets import Client
from llm.conftest import Wire
from llm.wire.conftest import OpenAI
from whence.app.platform import Platform
from whence.cli.conversation import Conversation
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio

LIE = ["It is worth 999.99 ", "USD [1]. One sold yesterday ", "for 1,234.56 USD."]
_MARKED = re.compile(
    r"999\.99 USD[^.]*\((?:no source|not in its source)\)[^.]*\..*"
    r"1,234\.56 USD[^.]*\((?:no source|not in its source)\)",
    re.S,
)
QUESTION = "What does it say?"


def is_marked(text: str) -> bool:
    return _MARKED.search(text) is not None


@dataclass
class Talk:
    """A conversation about a note whose model lies, at a real server."""

    browser: Browser
    desk: Desk

    @property
    def client(self) -> httpx.AsyncClient:
        return self.browser.client

    @property
    def path(self) -> str:
        return f"/api/chat/sessions/{self.desk.session_id}"

    async def ask_and_wait(self) -> None:
        """Ask, and wait until the answer has ended."""
        begun = await self.desk.send(QUESTION)
        await self.desk.platform.turns.wait_for_turn(begun.turn_id)


@pytest.fixture
async def talk(modelled: Platform, wire: Wire) -> AsyncIterator[Talk]:
    wire.script(OpenAI().stream(LIE))
    async with served(modelled) as browser:
        yield Talk(browser, await desk_of(modelled, modelled.owner))


async def test_in_the_messages_over_http_and_in_both_exports(talk: Talk) -> None:
    await talk.ask_and_wait()
    page = (await talk.client.get(f"{talk.path}/messages")).json()
    assert is_marked(page["items"][0]["content"])
    assert page["items"][0]["meta"]["checked"]["uncited"]
    for form in ("md", "json"):
        export = await talk.client.get(f"{talk.path}/export", params={"format": form})
        text = export.text if form == "md" else json.loads(export.text)["messages"][-1]["content"]
        assert is_marked(text.replace("\\", "")), form


async def test_in_the_last_message_event_of_server_sent_events(talk: Talk) -> None:
    await talk.ask_and_wait()
    async with talk.client.stream("GET", f"{talk.path}/events", params={"after": 0}) as stream:
        async with asyncio.timeout(60):
            async for data, _ in events(stream):
                if data.get("role") == "assistant" and data["status"] == "complete":
                    break
    assert is_marked(data["content"])


async def test_in_the_message_event_of_a_socket_that_replaces_the_tokens(talk: Talk) -> None:
    token = await tokens.issue(talk.desk.platform.db, talk.desk.who, "socket")
    url = str(talk.client.base_url)
    async with Client(url, token, str(talk.desk.session_id)) as person:
        await person.send(QUESTION)
        await person.until("turn_ended")
        names = [name for name, _ in person.events]
        final = [data for name, data in person.events if name == "message"][-1]
    assert not is_marked(person.streamed), "marks are known once the answer is whole"
    assert names.index("turn_ended") > len(names) - 1 - names[::-1].index("message")
    assert (final["status"], is_marked(final["content"])) == ("complete", True)


async def test_in_what_an_agents_stream_ends_with_and_what_a_page_keeps(talk: Talk) -> None:
    answer = await talk.browser.ask(QUESTION, "resale.items")
    assert is_marked(answer.done["content"])
    session = answer.one("conversation")["conversationId"]
    page = await talk.client.get(f"/api/agent/conversations/{session}/messages")
    assert is_marked(page.json()["items"][0]["content"])


@pytest.mark.parametrize("is_terminal", [True, False])
async def test_in_the_terminal_below_what_streamed(talk: Talk, is_terminal: bool) -> None:
    screen = StringIO()
    console = Console(file=screen, force_terminal=is_terminal, width=200, color_system=None)
    view = Conversation(talk.desk.platform, UUID(str(talk.desk.session_id)), console, quiet=False)
    await view.send(QUESTION)
    assert is_marked(screen.getvalue())


async def test_in_the_history_that_the_next_model_is_told(talk: Talk, wire: Wire) -> None:
    await talk.ask_and_wait()
    wire.script(OpenAI().stream(["I do not know."]))
    await talk.ask_and_wait()
    history = json.dumps(wire.requests[-1].body["messages"], ensure_ascii=False)
    assert "999.99" in history
    assert is_marked(history)
