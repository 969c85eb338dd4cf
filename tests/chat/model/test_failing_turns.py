"""Whole turns that go wrong: what was said and sent is kept, it is told, and trying again works."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from chat.model.engine import scripted
from chat.turns.conftest import Desk
from llm.conftest import Wire
from llm.wire.conftest import OpenAI
from llm.wire.talking import Want, wanting
from whence.chat.model import tool_loop
from whence.chat.transcript.views import MessageAnswer
from whence.kernel.settings import Settings
from whence.kernel.wire import Wire as WireModel
from whence.tenancy.principal import Scope
from whence.tools.tool import Tool, ToolContext, tool

pytestmark = pytest.mark.anyio
OPENAI = OpenAI()
PIECES = ["It is ", "neither long ", "nor short."]
BY_RULES = "without a language model"


class Nothing(WireModel):
    pass


class Read(WireModel):
    words: str = "read"


@pytest.fixture
def open_desk(
    settings: Settings, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    return lambda *tools, **changes: scripted(settings, wire, tools, **changes)


async def again(desk: Desk, wire: Wire) -> None:
    """Trying again gives the answer, in place of the one that went wrong."""
    before = await desk.messages()
    wire.script(OPENAI.stream(PIECES))
    begun = await desk.platform.turns.regenerate(desk.who, desk.session_id)
    await desk.platform.turns.wait_for_turn(begun.turn_id)
    after = await desk.messages()
    assert [each.id for each in after] == [*(each.id for each in before), begun.answer.id]
    assert after[-2].superseded_by == begun.answer.id
    assert (after[-1].status, after[-1].content) == ("complete", "".join(PIECES))
    assert "notice" not in after[-1].meta


async def trouble(desk: Desk, answer: MessageAnswer) -> tuple[str, bool]:
    """The words below the answer, which the readers were told as well."""
    notice = answer.meta["notice"]
    [payloads] = [each.payload for each in await desk.events() if each.type == "error"]
    assert (payloads["messageId"], payloads["message"]) == (str(answer.id), notice["text"])
    question = (await desk.messages())[0]
    assert (question.role, question.content) == ("user", "How long is it?")
    return notice["text"], notice["retry"]


async def test_a_model_that_does_not_begin_in_time(open_desk: Any, wire: Wire) -> None:
    async with open_desk(model_timeout=0.5) as desk:
        wire.script(replace(OPENAI.stream(PIECES), delay=1.5))
        answer = await desk.say("How long is it?")
        assert answer.status == "complete"
        assert BY_RULES in answer.content
        notice, retry = await trouble(desk, answer)
        assert notice.startswith("The language model took too long")
        assert retry
        await again(desk, wire)


async def test_a_chat_waits_no_longer_than_its_own_setting(open_desk: Any, wire: Wire) -> None:
    async with open_desk(model_timeout=30, chat_first_token_seconds=0.3) as desk:
        wire.script(replace(OPENAI.stream(PIECES), delay=1.5))
        answer = await desk.say("How long is it?")
        assert BY_RULES in answer.content
        assert (await trouble(desk, answer))[0].startswith("The language model took too long")


@pytest.mark.parametrize(
    ("status", "words", "retry"),
    [
        (401, "The language model refused its key", False),
        (403, "The language model refused its key", False),
        (429, "The language model takes no more requests", True),
        (500, "The language model has trouble of its own", True),
    ],
)
async def test_rules_answer_for_a_model_that_fails_and_say_which_trouble_it_has(
    open_desk: Any, wire: Wire, fail: Any, status: int, words: str, retry: bool
) -> None:
    async with open_desk() as desk:
        wire.script(*[fail(status)] * 3)
        answer = await desk.say("How long is it?")
        assert answer.status == "complete"
        assert answer.method == "rules:chat@1"
        assert BY_RULES in answer.content
        notice = await trouble(desk, answer)
        assert notice[0].startswith(words)
        assert notice[1] is retry


async def test_a_provider_that_is_away(open_desk: Any, wire: Wire) -> None:
    async with open_desk(model_base_url="http://127.0.0.1:9/v1") as desk:
        answer = await desk.say("How long is it?")
        assert answer.status == "complete"
        assert BY_RULES in answer.content
        assert (await trouble(desk, answer))[0].startswith("The language model cannot be reached")


@pytest.mark.parametrize("cut", ["abruptly", "cleanly"])
async def test_a_provider_that_is_cut_off_in_the_middle(
    open_desk: Any, wire: Wire, cut: Any
) -> None:
    async with open_desk() as desk:
        wire.script(OPENAI.stream(PIECES[:2], cut=cut))
        answer = await desk.say("How long is it?")
        assert (answer.status, answer.content) == ("interrupted", "It is neither long")
        words, retry = await trouble(desk, answer)
        assert words.startswith("The answer was cut off here")
        assert retry
        tokens = [e.payload["token"] for e in await desk.events() if e.type == "token"]
        assert "".join(tokens).strip() == answer.content
        await again(desk, wire)


async def test_a_refusal(open_desk: Any, wire: Wire) -> None:
    async with open_desk() as desk:
        wire.script(OPENAI.streamed_refusal("I will not."))
        answer = await desk.say("How long is it?")
        assert (answer.status, answer.content) == ("complete", "")
        words, retry = await trouble(desk, answer)
        assert words.startswith("The model declined")
        assert not retry


def slow(calls: list[asyncio.Event], *, listens: bool = True) -> Tool:
    @tool(Scope.READ)
    async def look_up(arguments: Nothing, context: ToolContext) -> Read:
        """Look something up, without an end."""
        calls.append(asyncio.Event())
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                calls[-1].set()
                if listens:
                    raise
                await asyncio.sleep(30)
                raise

    return look_up


@pytest.fixture
async def calls() -> list[asyncio.Event]:
    return []


@pytest.mark.parametrize("listens", [True, False])
async def test_a_tool_that_takes_too_long_is_tried_twice_and_then_told(
    open_desk: Any, wire: Wire, calls: list[Any], monkeypatch: Any, listens: bool
) -> None:
    assert tool_loop.TOOL_SECONDS == 15
    monkeypatch.setattr(tool_loop, "TOOL_SECONDS", 0.3)
    async with open_desk(slow(calls, listens=listens)) as desk:
        wire.script(wanting(OPENAI, Want("look_up", {})), OPENAI.stream(PIECES))
        async with asyncio.timeout(20):  # whoever waits for such a tool waits longer
            answer = await desk.say("How long is it?")
        assert (answer.status, answer.content) == ("complete", "".join(PIECES))
        assert (len(calls), all(call.is_set() for call in calls)) == (2, True)
        [call] = answer.tool_calls
        assert (call.status, "took longer than" in (call.summary or "")) == ("failed", True)
        assert "Look up" in answer.meta["notice"]["text"]
        assert "took longer than" in str(wire.requests[-1].body)
        await again(desk, wire)


@pytest.mark.parametrize("listens", [True, False])
async def test_a_stop_while_a_tool_runs(
    open_desk: Any, wire: Wire, calls: list[Any], listens: bool
) -> None:
    async with open_desk(slow(calls, listens=listens)) as desk:
        wire.script(wanting(OPENAI, Want("look_up", {}), pieces=["Let me look."]))
        begun = await desk.send("How long is it?")
        await until(lambda: calls)
        assert await desk.platform.turns.stop(desk.who, desk.session_id) == begun.turn_id
        async with asyncio.timeout(20):
            await desk.platform.turns.wait_for_turn(begun.turn_id)
        answer = await desk.answer(begun)
        assert (answer.status, answer.content) == ("stopped", "Let me look.")
        [call] = answer.tool_calls
        assert (call.name, call.status) == ("look_up", "stopped")
        assert calls[0].is_set()
        await again(desk, wire)


async def until(holds: Callable[[], Awaitable[Any] | Any], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)
