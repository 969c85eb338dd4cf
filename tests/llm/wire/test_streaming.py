"""Streamed text on each real provider client; what arrived is kept and a cut is marked."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from decimal import Decimal

import pytest

from whence.llm import Budget, Message, SkillRuntime
from whence.llm.chatting import AnswerEnd, TextDelta, stream_answer

pytestmark = pytest.mark.anyio

PIECES = ["The camera ", "sells for ", "900 dollars."]
ASKED = [Message("system", "Be brief."), Message("user", "What is it worth?")]


async def answer_of(runtime: SkillRuntime) -> AsyncGenerator[TextDelta | AnswerEnd]:
    meter = runtime.meter("chat.answer", "1", runtime.models.text)
    try:
        async with aclosing(
            stream_answer(runtime.models.text, ASKED, (), meter, runtime.policy)
        ) as events:
            async for event in events:
                yield event
        await meter.close("ok")
    finally:
        await meter.close("error")


async def listen(runtime: SkillRuntime) -> tuple[list[str], AnswerEnd]:
    *deltas, end = [event async for event in answer_of(runtime)]
    assert isinstance(end, AnswerEnd)
    assert all(isinstance(event, TextDelta) for event in deltas)
    return [event.text for event in deltas], end


async def test_the_pieces_are_the_whole_and_so_is_the_end(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES))
    deltas, end = await listen(runtime)
    assert "".join(deltas) == "".join(PIECES)
    assert (end.status, end.text) == ("complete", "".join(PIECES))
    [call] = runtime.log.calls
    assert (call.skill, call.outcome, call.tokens_in, call.tokens_out) == (
        "chat.answer",
        "ok",
        100,
        20,
    )
    assert call.exact
    assert wire.requests[0].body["stream"] is True


@pytest.mark.parametrize("cut", ["abruptly", "cleanly"])
async def test_a_stream_cut_in_the_middle_keeps_its_text_and_is_marked(wire, dialect, running, cut):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES[:2], cut=cut), dialect.stream(PIECES))
    deltas, end = await listen(runtime)
    assert (end.status, end.text) == ("cut", "The camera sells for ")
    assert "".join(deltas) == end.text, "what was shown is not shown twice"
    assert len(wire.requests) == 1
    [call] = runtime.log.calls
    assert call.tokens_in > 0
    assert not call.exact


async def test_a_stream_that_fails_before_its_first_piece_is_tried_again(
    wire, dialect, running, fail
):
    runtime = running(dialect)
    wire.script(fail(529), dialect.stream(PIECES))
    deltas, end = await listen(runtime)
    assert ("".join(deltas), end.status) == ("".join(PIECES), "complete")
    assert runtime.log.calls[0].calls == 2


async def test_a_stream_that_never_starts_ends_as_failed(wire, dialect, running, fail):
    runtime = running(dialect)
    wire.script(fail(500), fail(500), fail(500))
    deltas, end = await listen(runtime)
    assert (deltas, end.status, end.reason) == ([], "failed", "server_error")


async def test_a_silent_stream_times_out(wire, dialect, running):
    runtime = running(dialect, timeout=0.2)
    reply = dialect.stream(PIECES)
    wire.script(type(reply)(reply.chunks, headers=reply.headers, delay=0.8))
    _, end = await listen(runtime)
    assert (end.status, end.reason) == ("failed", "timeout")


async def test_a_listener_that_leaves_early_is_recorded(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES))
    events = answer_of(runtime)
    await anext(events)
    await events.aclose()
    [call] = runtime.log.calls
    assert (call.outcome, call.reason) == ("error", "stopped")


async def test_without_a_budget_nothing_is_asked(wire, dialect, running):
    runtime = running(dialect, budget=Budget(0, 10**6, Decimal(1), 600))
    _, end = await listen(runtime)
    assert (end.status, wire.requests) == ("budget", [])


async def test_nobody_but_the_provider_hears_of_a_stream(wire, dialect, running, tracing_elsewhere):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES))
    await listen(runtime)
    await tracing_elsewhere()
    assert [request.path for request in wire.requests] == [dialect.path]


@pytest.mark.parametrize("cut", ["abruptly", "cleanly"])
async def test_text_that_came_right_before_a_cut_is_kept_to_its_last_character(
    wire, dialect, running, cut
):
    runtime = running(dialect)
    pieces = [f"{number} " for number in range(200)]
    wire.script(dialect.stream(pieces, cut=cut))
    deltas, end = await listen(runtime)
    assert (end.status, end.text) == ("cut", "".join(pieces))
    assert "".join(deltas) == "".join(pieces)


def limited(runtime: SkillRuntime, characters: int) -> SkillRuntime:
    object.__setattr__(runtime.models.text.choice, "answer_characters", characters)
    return runtime


async def test_an_answer_without_end_is_cut_off_at_the_limit(wire, dialect, running):
    runtime = limited(running(dialect), 15)
    wire.script(dialect.stream([*PIECES, *["and more "] * 200]))
    deltas, end = await listen(runtime)
    assert (end.status, end.text) == ("truncated", "The camera sell")
    assert "".join(deltas) == end.text


async def test_an_answer_of_exactly_the_limit_is_whole(wire, dialect, running):
    runtime = limited(running(dialect), len("".join(PIECES)))
    wire.script(dialect.stream(PIECES))
    _, end = await listen(runtime)
    assert (end.status, end.text) == ("complete", "".join(PIECES))
