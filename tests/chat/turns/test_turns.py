"""A turn from the message to its stored answer, without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest

from chat.turns.conftest import Desk, desk_of
from whence.app import build
from whence.app.platform import Platform
from whence.chat.transcript import sessions
from whence.chat.transcript.messages import TurnRunning
from whence.chat.turns.maintenance import _OPEN, Maintenance
from whence.events import log
from whence.records import store
from whence.research import runs
from whence.tenancy.principal import Principal, Role

pytestmark = pytest.mark.anyio


async def research(desk: Desk) -> None:
    kind = desk.platform.kind("notes")
    async with desk.platform.unit(desk.who) as session:
        submitted = await desk.platform.ask(session, desk.who, kind, desk.note)
    async with build.worker(desk.platform), asyncio.timeout(90):
        async for batch in desk.platform.bus.tail(desk.who.org_id, submitted.id):
            if any(event.type == "job_complete" for event in batch):
                return


async def status_of(desk: Desk, run_id: str) -> str:
    async with desk.platform.unit(desk.who) as session:
        return (await runs.get(session, UUID(run_id))).status


def types(events: list[log.Event]) -> list[str]:
    return [event.type for event in events]


def streamed(events: list[log.Event], message_id: object) -> str:
    return "".join(
        event.payload["token"]
        for event in events
        if event.type == "token" and event.payload["messageId"] == str(message_id)
    )


async def test_a_broken_price_table_stops_nothing_where_no_model_is_configured(
    desk: Desk,
) -> None:
    (desk.platform.settings.home / "prices.toml").write_text("[openai")
    await research(desk)
    answer = await desk.say("How long is it?")
    assert answer.status == "complete"
    assert "The note has 4 words [1]" in answer.content


async def test_a_question_about_a_researched_record_is_answered_with_references(
    desk: Desk,
) -> None:
    await research(desk)
    answer = await desk.say("How long is it?")
    assert (answer.status, answer.intent) == ("complete", "question")
    assert "The note has 4 words [1]" in answer.content
    assert {each.kind for each in answer.citations} == {"claim", "evidence"}


async def test_readers_are_told_of_both_messages_then_pieces_then_the_whole_answer(
    desk: Desk,
) -> None:
    begun = await desk.send("How long is it?")
    await desk.platform.turns.wait_for_turn(begun.turn_id)
    events = await desk.events()
    assert types(events) == ["message", "answer_started", "token", "message", "turn_ended"]
    answer = await desk.answer(begun)
    assert streamed(events, begun.answer.id).strip() == answer.content
    assert events[3].payload == answer.model_dump(mode="json", by_alias=True)


async def test_the_same_message_sent_twice_at_once_has_one_answer(desk: Desk) -> None:
    both = await asyncio.gather(
        desk.send("How long is it?", "a"), desk.send("How long is it?", "a")
    )
    assert sorted(begun.is_new for begun in both) == [False, True]
    assert both[0].answer.id == both[1].answer.id
    await desk.platform.turns.wait_for_turn(both[0].turn_id)
    assert len(await desk.messages()) == 2


async def test_an_unclear_message_is_asked_back_once_and_then_answered(desk: Desk) -> None:
    first, second = await desk.say("hmm"), await desk.say("well")
    assert first.intent == "unknown"
    assert first.content.endswith("?")
    assert (second.intent, second.content) != (first.intent, first.content)


async def test_a_change_is_proposed_and_nothing_is_written(desk: Desk) -> None:
    answer = await desk.say("set the title to Another")
    assert [action["changes"][0]["after"] for action in answer.actions] == ["Another"]
    async with desk.platform.unit(desk.who) as session:
        row = await store.get(session, desk.platform.kind("notes"), desk.note)
    assert row.version == 1


async def test_research_is_started_and_its_outcome_told_once_by_whichever_process(
    desk: Desk, elsewhere: Platform
) -> None:
    desk.platform.turns.start()
    answer = await desk.say("please research it again")
    assert answer.intent == "research"
    async with build.worker(desk.platform):
        await desk.until(lambda events: "research_progress" in types(events))
        async with asyncio.timeout(90):
            while await desk.platform.db.rows(_OPEN, {"followed": []}):
                await asyncio.sleep(0.05)
    notices = [each for each in await desk.messages() if each.role == "notice"]
    assert [each.content for each in notices] == [
        "The research is done. The note has 4 words [1][2]."
    ]


async def test_an_outcome_that_nobody_was_there_to_tell_is_told_by_the_next_process(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = await desk.say("please research it again")
    await desk.platform.turns.close()
    with monkeypatch.context() as nobody:
        nobody.setattr(Maintenance, "start", lambda _: None)  # the worker would tell it at once
        async with build.worker(desk.platform), asyncio.timeout(90):
            while await status_of(desk, answer.meta["research"]["jobId"]) != "success":
                await asyncio.sleep(0.05)
    assert [each.role for each in await desk.messages()] == ["user", "assistant"]
    async with build.platform(desk.platform.settings) as other:
        other.turns.start()
        async with asyncio.timeout(90):
            while (await desk.messages())[-1].role != "notice":
                await asyncio.sleep(0.05)


async def test_a_record_that_needs_no_research_is_researched_when_somebody_insists(
    desk: Desk,
) -> None:
    async with desk.platform.unit(desk.who) as session:
        kind = desk.platform.kind("notes")
        await store.patch(session, desk.who, kind, desk.note, {"title": "Done: a note"}, None)
    refused = await desk.say("please research it again")
    assert "it is done" in refused.content
    assert "research" not in refused.meta
    assert "jobId" in (await desk.say("research it anyway")).meta["research"]


async def test_yes_to_an_offer_of_research_starts_it(desk: Desk) -> None:
    offered = await desk.say("How long is it?")
    assert offered.meta["offer"] == "research"
    assert (await desk.say("yes please")).intent == "research"


async def test_a_viewer_may_ask_and_is_told_why_nothing_can_be_changed(
    platform: Platform, new_principal: Callable[..., Principal]
) -> None:
    owner = await desk_of(platform, platform.owner)
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)
    async with platform.unit(viewer) as session:
        conversation = await sessions.open_session(session, viewer, "notes", owner.note)
    desk = Desk(platform, viewer, owner.note, conversation.id)
    assert (await desk.say("How long is it?")).status == "complete"
    assert "You can read here" in (await desk.say("set the title to Another")).content
    assert "You can read here" in (await desk.say("please research it again")).content


async def test_twenty_people_are_answered_at_once(platform: Platform) -> None:
    desks = [await desk_of(platform, platform.owner) for _ in range(20)]
    answers = await asyncio.gather(*(desk.say("How long is it?") for desk in desks))
    assert {answer.status for answer in answers} == {"complete"}
    for desk in desks:
        events = await desk.events()
        assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_a_second_message_while_an_answer_is_written_is_refused(slow: Desk) -> None:
    begun = await slow.send("How long is it?")
    with pytest.raises(TurnRunning):
        await slow.send("And now?")
    await slow.platform.turns.stop(slow.who, slow.session_id)
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    assert (await slow.answer(begun)).status == "stopped"
