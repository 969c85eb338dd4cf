"""Streamed text on each real provider client; what arrived is kept and a cut is marked."""

from __future__ import annotations

from decimal import Decimal

import pytest

from whence.llm import Budget, Message, TextDelta, TextEnd, stream_text

pytestmark = pytest.mark.anyio

PIECES = ["The camera ", "sells for ", "900 dollars."]
ASKED = [Message("system", "Be brief."), Message("user", "What is it worth?")]


async def listen() -> tuple[list[str], TextEnd]:
    events = [event async for event in stream_text(ASKED, purpose="chat.answer")]
    *deltas, end = events
    assert isinstance(end, TextEnd)
    assert all(isinstance(event, TextDelta) for event in deltas)
    return [event.text for event in deltas], end


async def test_the_pieces_are_the_whole_and_so_is_the_end(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES))
    deltas, end = await listen()
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
    deltas, end = await listen()
    assert (end.status, end.text) == ("cut", "The camera sells for ")
    assert "".join(deltas) == end.text, "what was shown is not shown twice"
    assert len(wire.requests) == 1
    [call] = runtime.log.calls
    assert call.outcome == "error"
    assert call.tokens_in > 0
    assert not call.exact


async def test_a_stream_that_fails_before_its_first_piece_is_tried_again(
    wire, dialect, running, fail
):
    runtime = running(dialect)
    wire.script(fail(529), dialect.stream(PIECES))
    deltas, end = await listen()
    assert ("".join(deltas), end.status) == ("".join(PIECES), "complete")
    assert runtime.log.calls[0].calls == 2


async def test_a_stream_that_never_starts_ends_as_failed(wire, dialect, running, fail):
    running(dialect)
    wire.script(fail(500), fail(500), fail(500))
    deltas, end = await listen()
    assert (deltas, end.status, end.reason) == ([], "failed", "server_error")


async def test_a_silent_stream_times_out(wire, dialect, running):
    running(dialect, timeout=0.2, tries=1)
    reply = dialect.stream(PIECES)
    wire.script(type(reply)(reply.chunks, headers=reply.headers, delay=0.8))
    _, end = await listen()
    assert (end.status, end.reason) == ("failed", "timeout")


async def test_a_listener_that_leaves_early_is_recorded(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.stream(PIECES))
    events = stream_text(ASKED, purpose="chat.answer")
    await anext(events)
    await events.aclose()
    [call] = runtime.log.calls
    assert (call.outcome, call.reason) == ("error", "stopped")


async def test_without_a_budget_nothing_is_asked(wire, dialect, running):
    running(dialect, budget=Budget(0, 10**6, Decimal(1), 600))
    _, end = await listen()
    assert (end.status, wire.requests) == ("budget", [])


async def test_without_a_model_the_stream_says_so():
    assert await listen() == ([], TextEnd("no_model"))


async def test_nobody_but_the_provider_hears_of_a_stream(wire, dialect, running, tracing_elsewhere):
    running(dialect)
    wire.script(dialect.stream(PIECES))
    await listen()
    await tracing_elsewhere()
    assert [request.path for request in wire.requests] == [dialect.path]
