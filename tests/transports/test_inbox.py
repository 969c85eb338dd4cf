"""What waits for a person, of every kind of record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from chat.proposal_desk import Desk, rewrite
from whence.app.platform import Platform
from whence.kernel.clock import now
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Role

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


@pytest.fixture
def inbox_of(platform: Platform, serve: str) -> Callable[..., Any]:
    async def read(who: Principal | None = None) -> list[dict[str, Any]]:
        secret = await tokens.issue(platform.db, who or platform.owner, "t")
        async with httpx.AsyncClient(base_url=serve, timeout=30) as client:
            headers = {"Authorization": f"Bearer {secret}"}
            answer = await client.get("/api/inbox", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()["items"]

    return read


async def test_ones_own_open_proposals_wait_the_oldest_first(
    desk: Desk, inbox_of: Any, new_principal: Any
) -> None:
    first, second = await desk.note("One"), await desk.note("Two")
    made = [await desk.propose(note, text="new") for note in (first, second)]
    applied = await desk.propose(await desk.note("Three"), text="new")
    await desk.apply(applied)
    colleague = new_principal(Role.MEMBER, desk.owner.org_id)
    theirs = await desk.propose(await desk.note("Four"), who=colleague, text="new")
    items = await inbox_of()
    assert [(each["type"], each["id"]) for each in items] == [
        ("proposal", str(each.id)) for each in made
    ]
    assert items[0]["proposal"]["changes"] == [{"field": "text", "before": "words", "after": "new"}]
    assert [each["id"] for each in await inbox_of(colleague)] == [str(theirs.id)]
    assert await inbox_of(new_principal()) == []


async def test_what_can_no_longer_be_applied_is_out_of_date_or_gone(
    desk: Desk, inbox_of: Any, database_url: str
) -> None:
    changed, deleted, old = [await desk.note(title) for title in ("One", "Two", "Three")]
    for note in (changed, deleted):
        await desk.propose(note, text="new")
    expired = await desk.propose(old, text="new")
    rewrite(database_url, expired, expires_at=now() - timedelta(seconds=1))
    await desk.change(changed, title="Another")
    async with desk.platform.unit(desk.owner) as session:
        await desk.platform.delete(session, desk.owner, desk.platform.kind("notes"), deleted)
    [left] = await inbox_of()
    assert (left["subjectId"], left["proposal"]["status"]) == (str(changed), "stale")


async def test_the_question_of_a_paused_run_waits_for_everybody(
    desk: Desk, inbox_of: Any, new_principal: Any, database_url: str, platform: Platform
) -> None:
    note = await desk.note("One")
    async with platform.unit(desk.owner) as session:
        submitted = await platform.ask(session, desk.owner, platform.kind("notes"), note)
    question = '{"key": "identity", "text": "What is it?", "why": "", "kind": "text"}'
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE whence.work SET status = 'paused'")
        connection.execute("UPDATE whence.runs SET question = %s", (question,))
    colleague = new_principal(Role.VIEWER, desk.owner.org_id)
    for reader in (None, colleague):
        [waiting] = await inbox_of(reader)
        assert (waiting["type"], waiting["id"]) == ("question", str(submitted.id))
        assert waiting["question"]["text"] == "What is it?"
