"""The events of a turn over a real socket: one of each kind of message, as the types say."""

from __future__ import annotations

from typing import Any

import pytest

from chat.turns.conftest import Desk
from chat.turns.test_sockets import NAMESPACE, Client
from whence.kernel.ids import new_id
from whence.tenancy import tokens
from whence.transports.routes.sockets.server_events import SERVER_EVENTS

pytestmark = pytest.mark.anyio


async def client(url: str, desk: Desk) -> Client:
    token = await tokens.issue(desk.platform.db, desk.who, str(new_id()))
    return Client(url, token, str(desk.session_id))


def is_of_its_model(name: str, data: dict[str, Any]) -> bool:
    """Whether an event has exactly the fields that its published type has."""
    [event] = [each for each in SERVER_EVENTS if (each.namespace, each.name) == (NAMESPACE, name)]
    fields = event.payload.model_json_schema(mode="serialization")["properties"]
    return data.keys() == fields.keys() | event.more.keys()


async def test_every_event_of_a_turn_has_the_fields_of_its_published_type(
    serve: str, desk: Desk
) -> None:
    async with await client(serve, desk) as person:
        await person.send("set the title to Another")
        await person.until("turn_ended")
        names = {name for name, _ in person.events}
        assert names >= {"chat_status", "message", "answer_started", "token", "turn_ended"}
        assert all(is_of_its_model(name, data) for name, data in person.events)


async def test_an_answer_begins_with_its_own_event_and_ends_with_one_message(
    serve: str, desk: Desk
) -> None:
    async with await client(serve, desk) as person:
        sent = await person.call("send_message", sessionId=person.session_id, content="How long?")
        await person.until("turn_ended")
        begun = await person.until("answer_started")
        assert (begun["messageId"], begun["replyTo"]) == (sent["answerId"], sent["messageId"])
        messages = [data for name, data in person.events if name == "message"]
        assert [each["role"] for each in messages] == ["user", "assistant"]
        assert [each["id"] for each in messages] == [sent["messageId"], sent["answerId"]]
        assert messages[1]["status"] == "complete"
        assert messages[0]["clientMessageId"]
