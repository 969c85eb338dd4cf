"""With `WHENCE_DELETION=erase`, who deletes a record erases its research and conversations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from erasure.traces import MARKER, note, researched, tables_with
from whence.app.platform import Platform
from whence.chat.transcript import sessions as chats
from whence.kernel.settings import Settings
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Role

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["erase", "keep"])
def settings(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    return settings.model_copy(update={"deletion": request.param})


@pytest.fixture
def member(platform: Platform, new_principal: Any) -> Principal:
    return new_principal(Role.MEMBER, platform.owner.org_id)


@pytest.fixture
async def client(
    platform: Platform, serve: str, member: Principal
) -> AsyncIterator[httpx.AsyncClient]:
    token = await tokens.issue(platform.db, member, "member")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as made:
        yield made


async def talked(platform: Platform, record: UUID) -> None:
    """A conversation of another person about the record."""
    who = platform.owner
    async with platform.unit(who) as session:
        chat = await chats.open_session(session, who, "notes", record)
    begun = await platform.turns.send(who, chat.id, f"Is there {MARKER}?")
    await platform.turns.wait_for_turn(begun.turn_id)


def stored(database_url: str, record: UUID) -> dict[str, int]:
    with psycopg.connect(database_url) as admin:
        counts = {}
        for table in ("whence.runs", "whence.dossiers", "whence.chat_sessions"):
            query = f"SELECT count(*) FROM {table} WHERE subject_id = %s"
            counts[table] = admin.execute(query.encode(), (record,)).fetchone()[0]  # type: ignore[index]
        return counts


async def test_a_deletion_erases_or_keeps_as_the_setting_says(
    platform: Platform,
    worker: object,
    client: httpx.AsyncClient,
    member: Principal,
    database_url: str,
) -> None:
    record = await note(platform, f"{MARKER} one", f"the {MARKER} of a note")
    await researched(platform, record)
    await talked(platform, record)
    before = stored(database_url, record)
    assert all(before.values())

    assert (await client.delete(f"/api/notes/{record}")).status_code == 204

    assert (await client.get(f"/api/notes/{record}")).status_code == 404
    if platform.settings.deletion == "keep":
        assert stored(database_url, record) == before
        return
    assert not any(stored(database_url, record).values())
    assert tables_with(database_url) == []
    with psycopg.connect(database_url) as admin:
        [tombstone] = admin.execute("SELECT erased_by, by_deletion FROM whence.erasures").fetchall()
    assert tombstone == (member.user_id, True)


async def test_a_member_still_erases_no_person_and_no_record_by_name(
    client: httpx.AsyncClient, platform: Platform
) -> None:
    record = await note(platform, "One", "words")
    for kind, subject in (("notes", record), ("person", platform.owner.user_id)):
        body = {"kind": kind, "id": str(subject), "reason": "x"}
        assert (await client.post("/api/erasures", json=body)).status_code == 403
