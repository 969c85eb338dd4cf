"""Conversations over real sockets and server-sent events: drops, double sends, a killed process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import groupby
from typing import Any

import httpx
import pytest
import socketio
from pydantic import ValidationError

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk, desk_of
from streams.processes import ApiProcesses
from whence.app.platform import Platform
from whence.chat.transcript.messages import CONTENT_LIMIT
from whence.kernel.ids import new_id
from whence.records import store
from whence.tenancy import tokens
from whence.tenancy.principal import Role
from whence.transports.routes.sockets.contract import Join
from whence.transports.serve import serve as serve_api

pytestmark = pytest.mark.anyio
NAMESPACE = "/chat"


class Client:
    """A Socket.IO client that joins one conversation, and again each time it comes back."""

    def __init__(self, url: str, token: str, session_id: str) -> None:
        self.url, self.token, self.session_id = url, token, session_id
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.cursor: int | None = None

    async def __aenter__(self) -> Client:
        self.socket = socketio.AsyncClient(reconnection=False)
        self.socket.on("*", self._hear, namespace=NAMESPACE)
        await self.socket.connect(
            self.url,
            auth={"token": self.token},
            namespaces=[NAMESPACE],
            wait_timeout=30,
        )
        joined: dict[str, Any] = {"sessionId": self.session_id}
        if self.cursor is not None:
            joined["after"] = self.cursor
        assert await self.call("join_session", **joined) == {"ok": True}
        return self

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(AttributeError):
            await self.socket.shutdown()

    async def _hear(self, name: str, data: dict[str, Any]) -> None:
        self.events.append((name, data))
        self.cursor = data.get("seq", data.get("lastSeq", self.cursor))

    async def call(self, event: str, **payload: Any) -> dict[str, Any]:
        return await self.socket.call(event, payload, namespace=NAMESPACE, timeout=20)

    async def send(self, content: str, client_id: str | None = None) -> dict[str, Any]:
        return await self.call(
            "send_message",
            sessionId=self.session_id,
            content=content,
            clientMessageId=client_id or str(new_id()),
        )

    async def until(self, name: str, seconds: float = 90) -> dict[str, Any]:
        async with asyncio.timeout(seconds):
            while not (result := [data for event, data in self.events if event == name]):
                await asyncio.sleep(0.01)
        return result[-1]

    @property
    def streamed(self) -> str:
        return "".join(data["token"] for name, data in self.events if name == "token")

    @property
    def seqs(self) -> list[int]:
        return [data["seq"] for _, data in self.events if "seq" in data]


NewClient = Callable[[str, Desk], Awaitable[Client]]


@pytest.fixture
def client() -> NewClient:
    async def make(url: str, desk: Desk) -> Client:
        token = await tokens.issue(desk.platform.db, desk.who, str(new_id()))
        return Client(url, token, str(desk.session_id))

    return make


@pytest.fixture
async def slow_url(slow: Desk) -> AsyncIterator[str]:
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve_api(slow.platform, "127.0.0.1", 0, url.set_result))
    yield await url
    task.cancel()
    await asyncio.wait([task])


async def test_a_question_over_a_socket_gets_its_answer(
    serve: str, desk: Desk, client: NewClient
) -> None:
    async with await client(serve, desk) as person:
        assert (await person.until("chat_status"))["messages"] == []
        sent = await person.send("How long is it?")
        assert sent["ok"] is True
        await person.until("turn_ended")
        assert [name for name, _ in person.events][:3] == [
            "chat_status",
            "message",
            "answer_started",
        ]
        whole = await person.until("message")
        assert (whole["id"], whole["status"]) == (sent["answerId"], "complete")


async def test_the_longest_message_is_taken_however_its_sender_spells_it(
    serve: str, desk: Desk, client: NewClient
) -> None:
    """This client escapes what is not ASCII: twelve bytes for each character."""
    async with await client(serve, desk) as person:
        assert (await person.send("\U0001f600" * CONTENT_LIMIT))["ok"]
        refused = await person.send("\U0001f600" * (CONTENT_LIMIT + 1))
        assert refused["error"]["type"] == "/problems/invalid"


async def test_the_same_message_sent_twice_is_once(
    serve: str, desk: Desk, client: NewClient
) -> None:
    async with await client(serve, desk) as one, await client(serve, desk) as two:
        first, second = await asyncio.gather(
            one.send("How long is it?", "same"), two.send("How long is it?", "same")
        )
        assert sorted([first["isNew"], second["isNew"]]) == [False, True]
        assert first["answerId"] == second["answerId"]


async def test_two_drops_in_the_middle_lose_and_double_nothing(
    slow: Desk, slow_url: str, client: NewClient, model: SlowModel
) -> None:
    words = [f"w{number} " for number in range(30)]
    person = await client(slow_url, slow)
    async with person:
        sent = await person.send("How long is it?")
        model.say(*words[:10])
        await slow.until(lambda _: "w8" in person.streamed)
    model.say(*words[10:20])
    async with person:
        await slow.until(lambda _: "w18" in person.streamed)
    model.say(*words[20:])
    model.end()
    await slow.platform.turns.wait_for_turn((await slow.messages())[-1].turn_id)  # type: ignore[arg-type]
    async with person:
        await person.until("turn_ended")
    assert person.streamed.split() == [word.strip() for word in words]
    assert person.seqs == list(range(person.seqs[0], person.seqs[-1] + 1))
    whole = next(m for m in await slow.messages() if str(m.id) == sent["answerId"])
    assert (whole.status, whole.content) == ("complete", "".join(words).strip())


async def test_who_joins_in_the_middle_has_what_was_said_and_gets_the_rest(
    slow: Desk, slow_url: str, client: NewClient, model: SlowModel
) -> None:
    async with await client(slow_url, slow) as first:
        await first.send("How long is it?")
        model.say("one ", "two ", "three ")
        await slow.until(lambda _: "two" in first.streamed)
        async with await client(slow_url, slow) as second:
            status = await second.until("chat_status")
            model.say("four ", "five ")
            model.end()
            await second.until("turn_ended")
            begun = status["messages"][-1]["content"]
            assert (begun + second.streamed).split() == ["one", "two", "three", "four", "five"]


async def test_stop_over_a_socket_ends_the_answer(
    slow: Desk, slow_url: str, client: NewClient, model: SlowModel
) -> None:
    async with await client(slow_url, slow) as person:
        sent = await person.send("How long is it?")
        refused = await person.send("And now?")
        assert refused["error"]["type"] == "/problems/turn-running"
        stopped = await person.call("stop", sessionId=person.session_id)
        assert stopped == {"ok": True, "turnId": sent["turnId"]}
        assert (await person.until("turn_ended"))["status"] == "stopped"


async def test_a_change_is_applied_once_however_often_it_is_clicked(
    serve: str, desk: Desk, client: NewClient
) -> None:
    async with await client(serve, desk) as one, await client(serve, desk) as two:
        sent = await one.send("set the title to Another")
        await one.until("turn_ended")
        click = {"messageId": sent["answerId"], "actionIndex": 0}
        first, second = await asyncio.gather(
            one.call("apply_action", **click), two.call("apply_action", **click)
        )
        assert first["ok"]
        assert first == second
        assert (await two.until("action_applied"))["field"] == "title"
    async with desk.platform.unit(desk.who) as session:
        row = await store.get(session, desk.platform.kind("notes"), desk.note)
    assert row.version == 2


async def test_the_same_over_rest_and_server_sent_events(serve: str, desk: Desk) -> None:
    token = await tokens.issue(desk.platform.db, desk.who, "rest")
    headers = {"Authorization": f"Bearer {token}"}
    base = f"/api/notes/{desk.note}/chat/sessions/{desk.session_id}"
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as person:
        body = {"content": "How long is it?", "clientMessageId": "a"}
        sent = await person.post(f"{base}/messages", json=body)
        assert (sent.status_code, sent.json()["isNew"]) == (202, True)
        again = await person.post(f"{base}/messages", json=body)
        assert again.json() == sent.json() | {"isNew": False}
        events: list[str] = []
        path = f"/api/chat/sessions/{desk.session_id}/events"
        async with asyncio.timeout(20), person.stream("GET", path, params={"after": 0}) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    events.append(line.removeprefix("event: "))
                if events[-1:] == ["turn_ended"]:
                    break
        # A slow machine sends the pieces of an answer in several tokens.
        kinds = [kind for kind, _ in groupby(events)]
        assert kinds == ["message", "answer_started", "token", "message", "turn_ended"]


async def test_another_person_of_the_organization_finds_no_such_conversation(
    serve: str, desk: Desk, new_principal: Any
) -> None:
    colleague = new_principal(Role.OWNER, desk.who.org_id)
    token = await tokens.issue(desk.platform.db, colleague, "colleague")
    stranger = socketio.AsyncClient(reconnection=False)
    await stranger.connect(serve, auth={"token": token}, namespaces=[NAMESPACE], wait_timeout=30)
    for event in ("join_session", "stop", "regenerate"):
        reported = await stranger.call(
            event, {"sessionId": str(desk.session_id)}, namespace=NAMESPACE
        )
        assert reported["error"]["type"] == "/problems/not-found"
    await stranger.shutdown()


@pytest.mark.parametrize("payload", [{"after": True}, {"after": -1}, {"after": "x"}])
def test_a_cursor_is_a_number(payload: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Join.model_validate({"sessionId": "0190a5c8-0000-7000-8000-000000000000", **payload})


@pytest.mark.long
async def test_an_api_process_killed_in_the_middle_of_a_turn_loses_no_word(
    platform: Platform, start_api: ApiProcesses, client: NewClient, model: SlowModel
) -> None:
    desk = await desk_of(platform, platform.owner)
    asking = {"WHENCE_MODEL": "ollama:slow", "WHENCE_MODEL_BASE_URL": model.base}
    first, second = await start_api(**asking), await start_api(**asking)
    person = await client(first.url, desk)
    async with person:
        sent = await person.send("How long is it?")
        model.say("red ", "green ", "blue ")
        await desk.until(lambda _: "green" in person.streamed)
        first.kill()
    person.url = second.url
    async with person:
        assert (await person.until("turn_ended"))["status"] == "interrupted"
        whole = await person.until("message")
        assert (whole["id"], whole["status"]) == (sent["answerId"], "interrupted")
        assert whole["content"].split()[:2] == ["red", "green"]
        again = await person.call("regenerate", sessionId=person.session_id)
        model.say("white ")
        model.end()
        async with asyncio.timeout(20):
            while (person.events[-1][0], person.events[-1][1].get("turnId")) != (
                "turn_ended",
                again["turnId"],
            ):
                await asyncio.sleep(0.02)
    assert (await desk.messages())[-1].content == "white"
