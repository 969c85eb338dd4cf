"""A connection that breaks costs nothing: the answer goes on, and so does whoever hears it."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from agent.desk import PATH, AgentReply, Browser, Refused
from chat.slow_model import SlowModel
from whence.app.platform import Platform
from whence.chat.transcript import events as announcing
from whence.events import log
from whence.kernel.ids import new_id
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio

PAGE = "sample_pack.notes"
PIECES = [f"Piece {letter} of it. " for letter in "abcdefghijkl"]
WHOLE = "".join(PIECES).strip()


async def note_of(browser: Browser) -> str:
    made = await browser.client.post("/api/notes", json={"title": "A", "text": "a b c"})
    return made.json()["id"]


async def test_cut_in_the_middle_it_is_heard_to_the_end_each_piece_once(
    slow: Browser, model: SlowModel
) -> None:
    body = {"message": "How many?", "context": {"page": PAGE}, "clientMessageId": "one"}
    reply, connections = AgentReply(), 0
    model.say(PIECES[0])
    await slow.hear(body, most=2, reply=reply)
    for piece in PIECES[1:]:  # each heard on a connection of its own
        model.say(piece)
        await slow.hear(body, reply.ids[-1], most=1, reply=reply)
        connections += 1
    model.end()
    await slow.hear(body, reply.ids[-1], reply=reply)
    assert connections == len(PIECES) - 1
    assert reply.types[0] == "conversation"
    assert reply.types.count("conversation") == reply.types.count("done") == 1
    assert "gap" not in reply.types
    assert reply.text.strip() == reply.done["content"].strip() == WHOLE
    assert len(model.requests) == 1, "no second turn was begun"


async def test_wherever_it_is_cut_the_rest_is_what_would_have_come(browser: Browser) -> None:
    note = {"noteId": await note_of(browser)}
    whole = await browser.ask("Change the title to B", "sample_pack.note", ids=note)
    assert whole.types[-3:] == ["tool_call_start", "tool_call_result", "done"]
    assert whole.events[-2]["summary"] == "proposes to change the title"
    conversation = whole.events[0]["conversationId"]
    for cut in range(len(whole.events) - 1):
        for body, path in (
            ({"message": "Change the title to B", "conversationId": conversation}, PATH),
            (None, f"{PATH}/{conversation}/events"),
        ):
            rest = await browser.hear(body, whole.ids[cut], path=path)
            assert rest.events == whole.events[cut + 1 :], (cut, path)
            assert rest.ids == whole.ids[cut + 1 :]


async def test_an_id_of_more_than_there_was_leaves_no_end_out(browser: Browser) -> None:
    note = {"noteId": await note_of(browser)}
    whole = await browser.ask("Change the title to B", "sample_pack.note", ids=note)
    path = f"{PATH}/{whole.events[0]['conversationId']}/events"
    turn, seq, _ = whole.ids[-2].split(".")
    async with asyncio.timeout(20):
        rest = await browser.hear(None, f"{turn}.{seq}.999", path=path)
    assert rest.types[-1] == "done"


async def test_who_has_heard_the_end_is_told_that_there_is_no_more(browser: Browser) -> None:
    reply = await browser.ask("How many?", PAGE)
    body = {"message": "How many?", "context": {"page": PAGE}}
    path = f"{PATH}/{reply.done['conversationId']}/events"
    for refused in (
        browser.hear(body, reply.ids[-1]),
        browser.hear(None, reply.ids[-1], path=path),
    ):
        with pytest.raises(Refused) as nothing:
            await refused
        assert nothing.value.status == 204


async def test_once_the_pieces_are_gone_a_gap_comes_and_the_whole_answer(
    platform: Platform, browser: Browser
) -> None:
    whole = await browser.ask("How many notes are there?", PAGE)
    conversation = UUID(whole.done["conversationId"])
    async with platform.unit(platform.owner) as session:
        last = await log.last_seq(session, conversation)
    await announcing.prune_tokens(platform.db, platform.owner.org_id, conversation, last)
    raw: list[str] = []
    body = {"message": "How many notes are there?", "context": {"page": PAGE}}
    async with browser.open(body, whole.ids[0]) as stream:
        async for data, _ in stream:
            raw.append(data["type"])
            if data["type"] == "text_delta":
                assert data["content"] == whole.done["content"]
            if data["type"] == "done":
                assert data == whole.done
    assert raw == ["gap", "text_delta", "done"]
    again = await browser.hear(None, path=f"{PATH}/{conversation}/events")
    assert again.types == ["conversation", "text_delta", "done"]
    assert again.done == whole.done


async def test_a_gap_that_breaks_off_is_told_again(platform: Platform, browser: Browser) -> None:
    whole = await browser.ask("How many notes are there?", PAGE)
    conversation = UUID(whole.done["conversationId"])
    async with platform.unit(platform.owner) as session:
        last = await log.last_seq(session, conversation)
    await announcing.prune_tokens(platform.db, platform.owner.org_id, conversation, last)
    path = f"{PATH}/{conversation}/events"
    reply = await browser.hear(None, whole.ids[0], most=2, path=path)
    assert reply.types == ["gap", "text_delta"]
    await browser.hear(None, reply.ids[-1], reply=reply, path=path)
    assert (reply.types, reply.text) == (["gap", "text_delta", "done"], whole.done["content"])


async def test_the_answer_goes_on_when_the_page_is_left(slow: Browser, model: SlowModel) -> None:
    reply = await slow.ask("How many?", PAGE, most=1)
    model.say(*PIECES)
    model.end()
    path = f"/api/agent/conversations/{reply.events[0]['conversationId']}/messages"
    async with asyncio.timeout(20):
        while (answer := (await slow.client.get(path)).json()["items"][0])["status"] != "complete":
            await asyncio.sleep(0.05)
    assert answer["content"].strip() == WHOLE
    rest = await slow.ask("How many?", PAGE, last_id=reply.ids[-1])
    assert rest.text.strip() == WHOLE


async def test_a_message_sent_twice_is_one_also_where_it_begins_the_conversation(
    slow: Browser, model: SlowModel
) -> None:
    sent = str(new_id())
    both = [
        asyncio.create_task(slow.ask("How many?", PAGE, clientMessageId=sent)) for _ in range(2)
    ]
    model.say(*PIECES)
    model.end()
    one, other = await asyncio.gather(*both)
    late = await slow.ask("How many?", PAGE, clientMessageId=sent)
    for reported in (one, other, late):
        assert reported.events[0] == one.events[0] | {"title": reported.events[0]["title"]}
        assert reported.done == one.done
        assert reported.text.strip() == WHOLE
    assert len(model.requests) == 1
    listed = (await slow.client.get("/api/agent/conversations")).json()["items"]
    assert [each["messageCount"] for each in listed] == [2]


async def test_one_answer_at_a_time_and_it_can_be_stopped(slow: Browser, model: SlowModel) -> None:
    model.say(PIECES[0])
    reply = await slow.ask("How many?", PAGE, most=2)
    conversation = reply.events[0]["conversationId"]
    with pytest.raises(Refused) as busy:
        await slow.ask("And now?", conversationId=conversation)
    assert (busy.value.status, busy.value.problem["type"]) == (409, "/problems/turn-running")
    stopped = await slow.client.post(f"/api/agent/conversations/{conversation}/stop")
    assert stopped.json()["turnId"] == reply.events[0]["turnId"]
    rest = await slow.hear(None, reply.ids[-1], path=f"{PATH}/{conversation}/events")
    assert rest.done["status"] == "stopped"
    assert rest.done["content"].strip() == PIECES[0].strip()


async def test_who_loses_the_token_hears_no_more(
    thinking: Platform, slow: Browser, model: SlowModel
) -> None:
    model.say(PIECES[0])
    body = {"message": "How many?", "context": {"page": PAGE}}
    async with slow.open(body) as stream, asyncio.timeout(20):
        async for data, _ in stream:
            if data["type"] == "text_delta":
                for token in await tokens.listed(thinking.db, thinking.owner):
                    await tokens.revoke(thinking.db, thinking.owner, token.id)
            last = data
    assert (last["type"], last["problem"]) == ("error", "/problems/unauthorized")


async def test_a_deleted_conversation_ends_its_streams(
    slow: Browser, model: SlowModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.transports.routes.sse.stream.PING_SECONDS", 0.2)
    reply = AgentReply()
    body = {"message": "How many?", "context": {"page": PAGE}}
    async with slow.open(body) as stream, asyncio.timeout(20):
        async for data, event_id in stream:
            reply.hear(data, event_id)
            if data["type"] == "conversation":
                path = f"/api/agent/conversations/{data['conversationId']}"
                assert (await slow.client.delete(path)).status_code == 204
    assert reply.types == ["conversation", "error"]
    assert reply.events[-1]["problem"] == "/problems/not-found"
