"""Turns that do not come to their end by themselves: stopped, cut, killed; what was said stays."""

from __future__ import annotations

import asyncio

import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk
from whence.app.platform import Platform
from whence.chat.turns import ending
from whence.chat.turns import runner as turns
from whence.events import log

pytestmark = pytest.mark.anyio


def tokens(events: list[log.Event]) -> str:
    return "".join(event.payload["token"] for event in events if event.type == "token")


async def test_stop_keeps_what_was_said_and_frees_the_conversation(
    slow: Desk, model: SlowModel
) -> None:
    begun = await slow.send("How long is it?")
    model.say("It is ", "not long ")
    await slow.until(lambda events: "not" in tokens(events))
    assert await slow.platform.turns.stop(slow.who, slow.session_id) == begun.turn_id
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    answer = await slow.answer(begun)
    assert (answer.status, answer.content.split()[:3]) == ("stopped", ["It", "is", "not"])
    assert await slow.platform.turns.stop(slow.who, slow.session_id) is None


async def test_an_answer_is_stopped_from_another_process_too(
    slow: Desk, model: SlowModel, elsewhere: Platform
) -> None:
    begun = await slow.send("How long is it?")
    model.say("It is ")
    await slow.on(elsewhere).platform.turns.stop(slow.who, slow.session_id)
    async with asyncio.timeout(10):
        await slow.platform.turns.wait_for_turn(begun.turn_id)
    assert (await slow.answer(begun)).status == "stopped"


async def test_a_process_that_stops_ends_its_turns_with_their_text(
    slow: Desk, model: SlowModel, elsewhere: Platform
) -> None:
    begun = await slow.send("How long is it?")
    model.say("It is ", "not long ")
    await slow.until(lambda events: "not" in tokens(events))
    await slow.platform.turns.close()
    answer = await slow.on(elsewhere).answer(begun)
    assert (answer.status, answer.content.split()[:3]) == ("interrupted", ["It", "is", "not"])
    assert answer.meta["notice"]["retry"] is True


async def test_the_turn_of_a_dead_process_is_ended_by_another_with_what_it_said(
    slow: Desk, model: SlowModel, elsewhere: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LEASE_SECONDS", 4.0)
    monkeypatch.setattr(turns, "RENEW_SECONDS", 3600)
    begun = await slow.send("How long is it?")
    model.say("It is ", "not long ")
    await slow.until(lambda events: "not" in tokens(events))
    await slow.until(lambda events: events[-1].type == "turn_ended")
    answer = await slow.on(elsewhere).answer(begun)
    assert (answer.status, answer.content.split()[:3]) == ("interrupted", ["It", "is", "not"])
    assert slow.platform.turns.running == 1
    model.say("and more ")
    async with asyncio.timeout(10):
        await slow.platform.turns.wait_for_turn(begun.turn_id)  # it finds out by itself
    assert await slow.on(elsewhere).answer(begun) == answer
    assert "more" not in tokens(await slow.events())


async def test_a_turn_that_is_alive_keeps_its_lease(
    slow: Desk, model: SlowModel, elsewhere: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LEASE_SECONDS", 1.5)
    monkeypatch.setattr(turns, "RENEW_SECONDS", 0.2)
    begun = await slow.send("How long is it?")
    await asyncio.sleep(4)
    model.say("It is short. ")
    model.end()
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    assert (await slow.answer(begun)).status == "complete"


async def test_an_answer_anew_stands_in_place_of_the_one_before(
    slow: Desk, model: SlowModel
) -> None:
    begun = await slow.send("How long is it?")
    model.say("It is short. ")
    model.end()
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    again = await slow.platform.turns.regenerate(slow.who, slow.session_id)
    model.say("It is long. ")
    model.end()
    await slow.platform.turns.wait_for_turn(again.turn_id)
    assert (await slow.answer(begun)).superseded_by == again.answer.id
    assert (await slow.answer(again)).content == "It is long."


async def test_pieces_of_a_stored_answer_are_removed_and_the_rest_stays(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "FORGET_SECONDS", 0.0)
    await desk.say("How long is it?")
    types = await desk.until(
        lambda events: [e.type for e in events] if not tokens(events) else None
    )
    assert types == ["message", "answer_started", "message", "turn_ended"]


async def test_pieces_of_many_answers_are_written_together(slow: Desk, model: SlowModel) -> None:
    begun = await slow.send("How long is it?")
    for number in range(200):
        model.say(f"{number} ")
        await asyncio.sleep(0.002)
    model.end()
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    events = await slow.events()
    pieces = [event for event in events if event.type == "token"]
    assert len(pieces) < 60
    assert tokens(events).split() == [str(number) for number in range(200)]


async def test_an_answer_of_the_dead_keeps_no_reference_that_points_nowhere(
    slow: Desk, model: SlowModel, elsewhere: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LEASE_SECONDS", 4.0)
    monkeypatch.setattr(turns, "RENEW_SECONDS", 3600)
    begun = await slow.send("How long is it?")
    model.say("Its title is A note [source:record:0]. ", "It is ", "not ")
    await slow.until(lambda events: "[1]" in tokens(events))
    await slow.until(lambda events: events[-1].type == "turn_ended")
    answer = await slow.on(elsewhere).answer(begun)
    assert answer.content.startswith("Its title is A note. It")
    assert (answer.citations, answer.meta["notice"]["retry"]) == ([], True)
    assert [e.payload["error"] for e in await slow.events() if e.type == "error"] == ["Interrupted"]
