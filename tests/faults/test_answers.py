"""The process that writes an answer is killed or told to stop: no word is lost, none is doubled."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk, desk, model
from faults.conftest import Worker
from whence.chat.transcript.views import MessageAnswer
from whence.tenancy import tokens

__all__ = ["desk", "model"]
pytestmark = pytest.mark.anyio
SOON = {
    "whence.chat.turns.runner.LEASE_SECONDS": 3.0,
    "whence.chat.turns.runner.RENEW_SECONDS": 0.3,
}
AS_SHIPPED: dict[str, float] = {}
"""For a process that has to renew in time, and is waited for by nobody."""
LONG_LEASE = {
    "whence.chat.turns.runner.LEASE_SECONDS": 5.0,
    "whence.chat.turns.runner.RENEW_SECONDS": 0.3,
}
"""For one that has to renew in time while the test waits longer than its lease."""


class Person:
    """Somebody at the API, who may go and come back to another process."""

    def __init__(self, desk: Desk, token: str) -> None:
        self.desk = desk
        self.base = f"/api/notes/{desk.note}/chat/sessions/{desk.session_id}"
        self.headers = {"Authorization": f"Bearer {token}"}

    async def at(self, api: Worker, method: str, path: str, **body: Any) -> Any:
        url = await api.ready()
        async with httpx.AsyncClient(base_url=url, headers=self.headers, timeout=30) as client:
            answer = await client.request(method, f"{self.base}{path}", json=body or None)
            assert answer.status_code < 300, answer.text
            return answer.json()

    async def ask(self, api: Worker) -> Any:
        message = {"content": "How long is it?", "clientMessageId": "one"}
        return await self.at(api, "POST", "/messages", **message)

    async def comes_back(self, api: Worker) -> list[MessageAnswer]:
        """What is there, oldest first, once nobody writes any more."""
        async with asyncio.timeout(90):
            while True:
                page = await self.at(api, "GET", "/messages")
                result = [MessageAnswer.model_validate(each) for each in page["items"]][::-1]
                if result[-1].status != "streaming":
                    return result
                await asyncio.sleep(0.1)


@pytest.fixture
async def person(desk: Desk) -> Person:
    return Person(desk, await tokens.issue(desk.platform.db, desk.who, "person"))


@pytest.fixture
async def api(start: Callable[..., Worker], model: SlowModel) -> Callable[..., Any]:
    values = {"MODEL": "ollama:slow", "MODEL_BASE_URL": model.base}
    return lambda point="", changes=SOON, **more: start(
        point, flow="api", changes=changes, **values, **more
    )


async def until_streamed(desk: Desk, words: str) -> None:
    await desk.until(
        lambda events: words in "".join(e.payload["token"] for e in events if e.type == "token")
    )


async def tried_again(person: Person, api: Worker, model: SlowModel) -> None:
    before = await person.comes_back(api)
    while not model.pieces.empty():
        model.pieces.get_nowait()
    begun = await person.at(api, "POST", "/regenerate")
    model.say("It has four words.")
    model.end()
    after = await person.comes_back(api)
    assert [str(each.id) for each in after] == [*(str(e.id) for e in before), begun["answerId"]]
    assert (after[-1].status, after[-1].content) == ("complete", "It has four words (no source).")
    assert str(after[-2].superseded_by) == begun["answerId"]


@pytest.mark.parametrize("how", ["KILL", "TERM"])
async def test_what_was_said_is_there_on_return_marked_and_with_another_try(
    desk: Desk, person: Person, api: Any, model: SlowModel, how: str
) -> None:
    first = api()
    sent = await person.ask(first)
    model.say("It is ", "not ", "long. ", "And")
    await until_streamed(desk, "long")
    await first.end(getattr(signal, f"SIG{how}"))  # nobody is there any more
    second = api(changes=AS_SHIPPED)
    question, answer = await person.comes_back(second)
    assert (question.content, str(answer.id)) == ("How long is it?", sent["answerId"])
    assert (answer.status, answer.content[:15]) == ("interrupted", "It is not long.")
    assert answer.meta["notice"]["retry"] is True
    assert "stopped while answering" in answer.meta["notice"]["text"]
    assert (await person.ask(second)) == sent | {"isNew": False}  # the client was not sure
    ends = [e.payload["status"] for e in await desk.events() if e.type == "turn_ended"]
    assert ends == ["interrupted"]
    await tried_again(person, second, model)


@pytest.mark.parametrize("point", ["before answer_end", "after answer_end"])
async def test_an_answer_whose_end_was_not_committed_is_interrupted_and_whole(
    desk: Desk, person: Person, api: Any, model: SlowModel, point: str
) -> None:
    first = api(point)
    await person.ask(first)
    model.say("It is ", "not ", "long. ")
    await until_streamed(desk, "not")
    model.end()
    await first.struck()
    await first.gone()
    second = api(changes=AS_SHIPPED)
    _, answer = await person.comes_back(second)
    assert answer.status == "interrupted"
    assert answer.content in ("It is not", "It is not long.")  # nothing that readers had is lost
    await tried_again(person, second, model)


async def test_an_answer_goes_on_while_nobody_listens_and_is_found_whole(
    desk: Desk, person: Person, api: Any, model: SlowModel
) -> None:
    only = api()
    await person.ask(only)
    url = await only.ready()
    async with (
        httpx.AsyncClient(base_url=url, headers=person.headers, timeout=30) as client,
        client.stream("GET", f"/api/chat/sessions/{desk.session_id}/events") as listening,
    ):
        model.say("It is ")
        async for line in listening.aiter_lines():
            if '"token"' in line:
                break
    model.say("not ", "long.")
    model.end()
    _, answer = await person.comes_back(only)
    assert (answer.status, answer.content) == ("complete", "It is not long.")


async def test_a_long_answer_is_not_ended_by_another_process(
    desk: Desk, person: Person, api: Any, model: SlowModel
) -> None:
    writer, other = api(changes=LONG_LEASE), api(changes=LONG_LEASE)
    await person.ask(writer)
    await other.ready()
    model.say("It is ")
    await asyncio.sleep(1.5 * LONG_LEASE["whence.chat.turns.runner.LEASE_SECONDS"])
    model.say("not long.")
    model.end()
    _, answer = await person.comes_back(other)
    assert (answer.status, answer.content) == ("complete", "It is not long.")
