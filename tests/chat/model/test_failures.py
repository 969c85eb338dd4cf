"""Answers that end early, by model, line or person: what is kept, said and booked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from chat.model.conftest import ASKED, ModelReply
from llm.wire.talking import Want, wanting
from whence.chat.model import failure_notice as failing
from whence.chat.model.failure_notice import notice_of
from whence.llm import Budget, chatting

pytestmark = pytest.mark.anyio

PIECES = ["The camera ", "sells for ", "40 dollars."]
SALES = Want("find_sales", {"words": "Canon"})


async def test_a_model_that_does_not_begin_in_time_is_trouble_and_not_waited_for_again(
    wire, dialect, running, talk
):
    runtime = running(dialect, timeout=0.3)
    wire.script(replace(dialect.stream(PIECES), delay=1.5), dialect.stream(PIECES))
    model_reply = await talk(runtime)
    result = model_reply.result
    assert (result.status, result.reason, result.text) == ("failed", "timeout", "")
    assert len(wire.requests) == 1
    assert notice_of(result) == failing.Notice(failing.WHY["timeout"], retry=True)
    [call] = runtime.log.calls
    assert (call.outcome, call.reason, call.exact) == ("error", "timeout", False)
    assert call.tokens_in > 0, "a provider may charge for what we did not wait for"


async def test_a_silence_in_the_middle_keeps_what_was_said(
    wire, dialect, running, talk, monkeypatch
):
    monkeypatch.setattr(chatting, "SILENCE_SECONDS", 1.0)
    runtime = running(dialect)
    reply = dialect.stream(PIECES)
    at = next(n for n, chunk in enumerate(reply.chunks) if "40 dollars" in chunk)
    wire.script(replace(reply, pause=(at, 2.5)))
    model_reply = await talk(runtime)
    assert (model_reply.result.status, model_reply.result.reason) == ("cut", "timeout")
    assert model_reply.result.text == "The camera sells for "
    assert notice_of(model_reply.result) == failing.Notice(failing.CUT_TEXT, retry=True)
    assert runtime.log.calls[0].outcome == "error"


@pytest.mark.parametrize("cut", ["abruptly", "cleanly"])
async def test_a_line_cut_in_the_middle_keeps_what_was_said(wire, dialect, running, talk, cut):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES[:2], cut=cut), dialect.stream(PIECES))
    model_reply = await talk(runtime)
    assert (model_reply.result.status, model_reply.result.text) == ("cut", "The camera sells for ")
    assert len(wire.requests) == 1, "what was shown is not shown twice"
    assert not runtime.log.calls[0].exact


@pytest.mark.parametrize("cut", ["abruptly", "cleanly"])
async def test_half_a_call_is_not_run_and_nothing_shown_is_tried_again(
    wire, dialect, running, talk, bench, cut
):
    wire.script(wanting(dialect, SALES, cut=cut), dialect.stream(PIECES))
    model_reply = await talk(running(dialect))
    assert bench.called == []
    assert (model_reply.result.status, model_reply.result.text) == ("complete", "".join(PIECES))


@pytest.mark.parametrize("status", [500, 429, 529])
async def test_an_error_that_passes_is_not_seen(wire, dialect, running, talk, fail, status):
    runtime = running(dialect)
    wire.script(fail(status), dialect.stream(PIECES))
    model_reply = await talk(runtime)
    assert (model_reply.result.status, model_reply.result.text) == ("complete", "".join(PIECES))
    assert runtime.log.calls[0].calls == 2


async def test_an_error_that_stays_is_trouble(wire, dialect, running, talk, fail):
    wire.script(fail(500), fail(500), fail(500))
    model_reply = await talk(running(dialect))
    assert (model_reply.result.status, model_reply.result.reason) == ("failed", "server_error")
    assert notice_of(model_reply.result) == failing.Notice(failing.WHY["server_error"], retry=True)


async def test_an_error_after_a_first_round_keeps_what_that_round_said(
    wire, dialect, running, talk, fail
):
    wire.script(wanting(dialect, SALES, pieces=["Let me look."]), *[fail(500)] * 3)
    model_reply = await talk(running(dialect))
    assert (model_reply.result.status, model_reply.result.text) == ("cut", "Let me look.")
    assert model_reply.finished_calls == [("find_sales", "ok")]


async def test_a_refusal_that_openai_streams_is_no_empty_answer(wire, openai, running, talk):
    wire.script(openai.streamed_refusal("I will", "I not"))
    model_reply = await talk(running(openai))
    assert (model_reply.result.status, model_reply.result.text) == ("refused", "")
    assert notice_of(model_reply.result) == failing.Notice(failing.REFUSED_TEXT, retry=False)
    assert len(wire.requests) == 1


async def test_a_refusal_is_told_and_not_tried_again(wire, dialect, running, talk):
    if dialect.provider == "ollama":
        pytest.skip("Ollama has no refusal on the wire")
    word = {"openai": "content_filter", "anthropic": "refusal"}[dialect.provider]
    wire.script(wanting(dialect, stop=word))
    model_reply = await talk(running(dialect))
    assert (model_reply.result.status, len(wire.requests)) == ("refused", 1)
    assert notice_of(model_reply.result) == failing.Notice(failing.REFUSED_TEXT, retry=False)


async def test_an_answer_at_its_greatest_length_is_kept_and_its_calls_are_not_run(
    wire, dialect, running, talk, bench
):
    word = {"openai": "length", "anthropic": "max_tokens", "ollama": "length"}[dialect.provider]
    wire.script(wanting(dialect, SALES, pieces=PIECES, stop=word))
    model_reply = await talk(running(dialect))
    assert (model_reply.result.status, model_reply.result.text) == ("truncated", "".join(PIECES))
    assert bench.called == []


async def test_a_call_in_an_answer_that_was_cut_short_is_none(wire, openai, running):
    runtime = running(openai)
    model = runtime.models.text
    meter = runtime.meter("chat.answer", "1", model)
    wire.script(wanting(openai, SALES, stop="length"))
    *_, end = [e async for e in chatting.stream_answer(model, ASKED.messages, (), meter)]
    assert (end.status, end.calls) == ("truncated", ())


async def test_an_empty_answer_is_trouble(wire, dialect, running, talk):
    wire.script(dialect.stream([]))
    model_reply = await talk(running(dialect))
    assert (model_reply.result.status, model_reply.result.reason) == ("failed", "empty")


async def test_a_budget_ends_an_answer_between_its_rounds(wire, dialect, running, talk):
    runtime = running(dialect, budget=Budget(1, 10**6, Decimal(100), 600))
    wire.script(wanting(dialect, SALES, pieces=["Let me look."]), dialect.stream(PIECES))
    model_reply = await talk(runtime)
    assert (model_reply.result.status, model_reply.result.text) == ("budget", "Let me look.")
    assert (len(wire.requests), runtime.log.exhausted) == (1, "calls")
    assert runtime.log.held.calls == 0, "what was reserved is settled"


class Stopping(ModelReply):
    """Somebody who presses stop at some words."""

    def __init__(self, stop: asyncio.Event) -> None:
        super().__init__()
        self.stop = stop

    async def on_text(self, text: str) -> None:
        await super().on_text(text)
        if "sells for" in text:
            self.stop.set()
            await asyncio.sleep(30)


async def test_a_stop_keeps_what_was_said_and_books_it(wire, dialect, running, talk):
    runtime, stop = running(dialect), asyncio.Event()
    reply = dialect.stream(PIECES)
    rest = next(number for number, chunk in enumerate(reply.chunks) if PIECES[2] in chunk)
    wire.script(replace(reply, pause=(rest, 1.0)))
    model_reply = await talk(runtime, stop=stop, reply=Stopping(stop))
    assert (model_reply.result.status, model_reply.result.text) == (
        "stopped",
        "The camera sells for ",
    )
    [call] = runtime.log.calls
    assert (call.outcome, call.reason, call.calls) == ("error", "stopped", 1)
    assert call.tokens_in > 0
    assert runtime.log.held.calls == 0


async def test_a_stop_ends_a_tool_that_is_running(wire, dialect, running, talk, bench):
    runtime, stop = running(dialect), asyncio.Event()
    bench.together = asyncio.Barrier(2)  # it waits for a second call that never comes
    wire.script(wanting(dialect, SALES))
    answering = asyncio.create_task(talk(runtime, stop=stop))
    while not bench.called:
        await asyncio.sleep(0.01)
    stop.set()
    received = await asyncio.wait_for(answering, 3)
    assert (received.result.status, received.finished_calls) == ("stopped", [])


async def test_a_cancelled_task_is_booked_all_the_same(wire, dialect, running, talk):
    runtime = running(dialect)
    reply = dialect.stream(PIECES)
    wire.script(replace(reply, pause=(len(reply.chunks) - 1, 1.0)))
    received = ModelReply()
    answering = asyncio.create_task(talk(runtime, reply=received))
    while not received.texts:
        await asyncio.sleep(0.01)
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
    assert [(call.outcome, call.reason) for call in runtime.log.calls] == [("error", "stopped")]


class Gone(ModelReply):
    """A listener that may not write any more, because another process has the turn."""

    async def on_text(self, text: str) -> None:
        raise PermissionError("stale turn")


async def test_what_a_listener_raises_ends_the_answer_and_is_passed_on(
    wire, dialect, running, talk
):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES))
    with pytest.raises(PermissionError, match="stale turn"):
        await talk(runtime, reply=Gone())
    assert len(runtime.log.calls) == 1
