"""A proposed change is decided by whichever way in: its conversation hears of it, and shows it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from chat.proposal_desk import rewrite
from chat.turns.conftest import Desk
from whence.app import build
from whence.chat.proposals import service as proposals
from whence.chat.proposals.applying import apply_action
from whence.chat.proposals.refusals import ProposalExpired, RecordChanged
from whence.chat.proposals.tables import ProposalRow
from whence.chat.transcript import sessions
from whence.kernel.clock import now
from whence.kernel.errors import NotReady
from whence.records import store
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
async def proposed(desk: Desk) -> str:
    """The id of a change that an answer proposed."""
    answer = await desk.say("set the title to Another")
    return answer.actions[0]["id"]


async def person(desk: Desk, serve: str) -> httpx.AsyncClient:
    token = await tokens.issue(desk.platform.db, desk.who, "rest")
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=serve, headers=headers, timeout=30)


async def decisions(desk: Desk) -> list[tuple[Any, ...]]:
    payloads = [each.payload for each in await desk.events() if each.type == "action_applied"]
    return [(each["success"], each["status"], each["field"]) for each in payloads]


async def states(desk: Desk, client: httpx.AsyncClient) -> set[str]:
    """The change's state as each way to read the conversation again shows it."""
    base = f"/api/chat/sessions/{desk.session_id}"
    pages = (await client.get(f"{base}/messages")).json()["items"]
    export = (await client.get(f"{base}/export")).json()["messages"]
    result = [each["actions"] for each in (*pages, *export)]
    async with client.stream("GET", f"{base}/events") as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                result += [each["actions"] for each in json.loads(line[6:])["messages"]]
                break
    shown = [action["status"] for actions in result for action in actions]
    assert len(shown) == 3
    return set(shown)


async def test_what_is_decided_over_rest_reaches_the_conversation_once(
    desk: Desk, serve: str, proposed: str
) -> None:
    async with await person(desk, serve) as client:
        assert await states(desk, client) == {"proposed"}
        for _ in range(2):
            assert (await client.post(f"/api/proposals/{proposed}/apply")).status_code == 200
        assert await decisions(desk) == [(True, "applied", "title")]
        assert await states(desk, client) == {"applied"}
        for _ in range(2):
            assert (await client.post(f"/api/proposals/{proposed}/undo")).status_code == 200
        assert (await decisions(desk))[1:] == [(True, "undone", "title")]
        assert await states(desk, client) == {"undone"}


async def test_an_action_says_what_it_would_write_and_whether_it_was_applied(
    desk: Desk, serve: str, proposed: str
) -> None:
    async with await person(desk, serve) as client:
        path = f"/api/chat/sessions/{desk.session_id}/messages"

        async def action() -> dict[str, Any]:
            return (await client.get(path)).json()["items"][0]["actions"][0]

        shown = await action()
        assert (shown["type"], shown["applied"]) == ("update_record", False)
        assert shown["payload"]["values"] == {"title": "Another"}
        assert shown["payload"]["subjectId"] == shown["subjectId"]
        announced = [each.payload for each in await desk.events() if each.type == "message"][-1]
        assert announced["actions"] == [shown]

        await client.post(f"/api/proposals/{proposed}/apply")
        assert (await action())["applied"] is True
        await client.post(f"/api/proposals/{proposed}/undo")
        assert (await action())["applied"] is False


async def test_what_is_declined_reaches_the_conversation(
    desk: Desk, serve: str, proposed: str
) -> None:
    async with await person(desk, serve) as client:
        assert (await client.post(f"/api/proposals/{proposed}/decline")).status_code == 200
        assert await decisions(desk) == [(True, "declined", "title")]
        assert await states(desk, client) == {"declined"}


async def test_what_is_decided_in_another_process_reaches_the_conversation(
    desk: Desk, proposed: str
) -> None:
    async with build.platform(desk.platform.settings) as other, other.unit(desk.who) as session:
        await proposals.apply(session, desk.who, other.kinds, UUID(proposed))
    assert await decisions(desk) == [(True, "applied", "title")]


async def test_a_decision_that_is_not_committed_is_not_told(desk: Desk, proposed: str) -> None:
    async def caller() -> None:
        async with desk.platform.unit(desk.who) as session:
            await proposals.apply(session, desk.who, desk.platform.kinds, UUID(proposed))
            raise NotReady

    with pytest.raises(NotReady):
        await caller()
    assert await decisions(desk) == []


async def test_a_change_that_cannot_be_applied_any_more_is_shown_so_and_refused(
    desk: Desk, serve: str, proposed: str, database_url: str
) -> None:
    answer = (await desk.messages())[-1]
    async with await person(desk, serve) as client:
        kind = desk.platform.kind("notes")
        async with desk.platform.unit(desk.who) as session:
            await store.patch(session, desk.who, kind, desk.note, {"text": "changed"}, None)
        assert await states(desk, client) == {"stale"}
        with pytest.raises(RecordChanged):
            await apply_action(desk.platform.db, desk.who, desk.platform.kinds, answer.id, 0)
        async with desk.platform.unit(desk.who) as session:
            row = await session.get_one(ProposalRow, (desk.who.org_id, UUID(proposed)))
        rewrite(database_url, row, expires_at=now() - timedelta(seconds=1))
        assert await states(desk, client) == {"expired"}
        with pytest.raises(ProposalExpired):
            await apply_action(desk.platform.db, desk.who, desk.platform.kinds, answer.id, 0)
    assert await decisions(desk) == [(False, None, None)] * 2


async def test_a_deleted_conversation_gets_no_words_of_a_decision(
    desk: Desk, proposed: str, database_url: str
) -> None:
    async with desk.platform.unit(desk.who) as session:
        await sessions.delete(session, desk.who, desk.session_id)
    async with desk.platform.unit(desk.who) as session:
        await proposals.apply(session, desk.who, desk.platform.kinds, UUID(proposed))
    with psycopg.connect(database_url) as admin:
        left = "SELECT count(*) FROM whence.events WHERE stream_id = %s"
        assert admin.execute(left, (desk.session_id,)).fetchone() == (0,)
