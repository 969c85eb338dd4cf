"""What an answer was written from: kept for its person, for a while, and gone with its message."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from chat.turns.conftest import Desk, SlowModel, desk_of
from whence.app import build
from whence.chat.transcript import contexts, sessions
from whence.chat.transcript.contexts import AnswerContext
from whence.chat.transcript.views import MessageAnswer
from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio


async def context_of(desk: Desk, answer: MessageAnswer) -> AnswerContext:
    async with desk.platform.unit(desk.who) as session:
        return await contexts.read(session, desk.session_id, answer.id)


async def test_rules_leave_what_they_read_of_the_record_and_of_earlier_messages(
    desk: Desk,
) -> None:
    await desk.say("How long is it?")
    answer = await desk.say("What is its title?")
    context = await context_of(desk, answer)
    assert context.model is None
    assert context.rules is not None
    parts = {part.title: list(part.entries) for part in context.rules}
    assert "title: A note" in parts["The note"]
    assert parts["Earlier messages"][0] == "user: How long is it?"


async def test_a_model_leaves_the_whole_prompt_and_its_answer(slow: Desk, model: SlowModel) -> None:
    model.say("It is ", "a lamp.")
    model.end()
    answer = await slow.say("Describe it in your own words, please, as a poem about the sea")
    context = await context_of(slow, answer)
    assert context.rules is None
    assert context.model is not None
    [sent] = model.requests
    kept = {message.text for message in context.model.messages}
    assert {message["content"] for message in sent["messages"]} <= kept
    assert context.model.answer == "It is a lamp."
    assert not context.model.is_shortened


async def test_a_stopped_answer_and_a_failed_model_leave_theirs_too(
    slow: Desk, model: SlowModel
) -> None:
    begun = await slow.send("Describe it in your own words, please, as a poem about the sea")
    model.say("It is ")
    await slow.until(lambda events: [e for e in events if e.type == "token"] or None)
    await slow.platform.turns.stop(slow.who, slow.session_id)
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    stopped = await context_of(slow, await slow.answer(begun))
    assert stopped.model is not None
    assert stopped.model.messages
    model.pieces.put_nowait("")
    model.end()
    failed = await context_of(slow, await slow.say("Describe it in other words, as a short tale"))
    assert failed.model is not None
    assert failed.model.answer is None
    assert failed.rules is not None, "rules answered instead, from this"


async def test_a_context_goes_with_its_time_and_with_its_conversation(desk: Desk) -> None:
    answer, other = await desk.say("How long is it?"), await desk.say("What is its title?")
    async with desk.platform.db.unit(None) as session:
        count = text("SELECT whence.prune_turn_contexts(:before, :most)")
        removed = await session.scalar(count, {"before": now() + timedelta(days=1), "most": 1})
    assert removed == 1
    assert await context_of(desk, answer) == AnswerContext()
    assert (await context_of(desk, other)).rules
    async with desk.platform.unit(desk.who) as session:
        await sessions.delete(session, desk.who, desk.session_id)
        assert await session.scalar(text("SELECT count(*) FROM whence.turn_contexts")) == 0


async def test_nothing_is_kept_where_the_operator_says_so(settings: Settings) -> None:
    async with build.platform(settings.model_copy(update={"prompt_days": 0})) as platform:
        desk = await desk_of(platform, platform.owner)
        assert await context_of(desk, await desk.say("How long is it?")) == AnswerContext()


async def test_what_a_person_wrote_has_no_context(desk: Desk) -> None:
    begun = await desk.send("How long is it?")
    await desk.platform.turns.wait_for_turn(begun.turn_id)
    async with desk.platform.unit(desk.who) as session:
        with pytest.raises(NotFound):
            await contexts.read(session, desk.session_id, begun.user.id)
