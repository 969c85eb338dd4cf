"""Erasing over REST: for owners alone, counted first, and the tombstone afterwards."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from erasure.traces import MARKER, note, tables_with
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


@pytest.fixture
async def boss(platform: Any, person: Any) -> httpx.AsyncClient:
    """The owner, signed in; a token erases nothing."""
    return await person(platform.owner)


async def test_a_record_is_counted_erased_and_listed(
    platform: Any, boss: httpx.AsyncClient, database_url: str
) -> None:
    record = await note(platform, MARKER, MARKER, f"{MARKER}-1")
    subject = {"kind": "notes", "id": f"{MARKER}-1", "alsoKnownAs": [MARKER]}
    before = tables_with(database_url)
    counted = await boss.post("/api/erasures/preview", json=subject)
    assert (counted.status_code, counted.json()["removed"]["sample_pack.notes"]) == (200, 1)
    assert tables_with(database_url) == before
    assert (await boss.get("/api/erasures")).json()["items"] == []

    erased = await boss.post("/api/erasures", json=subject | {"reason": "asked for"})
    tombstone = erased.json()
    assert erased.status_code == 201
    assert (tombstone["kind"], tombstone["subjectId"]) == ("notes", str(record))
    assert tombstone["erasedBy"] == str(platform.owner.user_id)
    assert tombstone["removed"] == counted.json()["removed"]
    assert tables_with(database_url) == []
    assert (await boss.get(f"/api/notes/{record}")).status_code == 404
    assert (await boss.get("/api/erasures")).json()["items"] == [tombstone]
    by_id = {"kind": "notes", "id": str(record), "reason": "again"}
    assert (await boss.post("/api/erasures", json=by_id)).json() == tombstone


async def test_nobody_but_an_owner_erases_or_reads_what_was(
    platform: Any, new_principal: Any, person: Any, signed_in: Any
) -> None:
    record = await note(platform, "A", "b")
    body = {"kind": "notes", "id": str(record), "reason": "no"}
    member = await person(new_principal(Role.MEMBER, platform.owner.org_id))
    for client in (member, await signed_in(platform.owner)):
        for path in ("/api/erasures", "/api/erasures/preview"):
            assert (await client.post(path, json=body)).status_code == 403
    assert (await member.get("/api/erasures")).status_code == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "notes", "id": "there-is-none", "reason": "x"}, 404),
        ({"kind": "nothing", "id": "x", "reason": "x"}, 404),
        ({"kind": "notes", "id": "x"}, 422),
        ({"kind": "notes", "id": "x", "reason": " "}, 404),
        ({"kind": "notes", "id": "x", "reason": "x", "alsoKnownAs": ["ab"] * 21}, 422),
    ],
)
async def test_what_cannot_be_erased_is_refused(
    boss: httpx.AsyncClient, body: dict[str, Any], status: int
) -> None:
    assert (await boss.post("/api/erasures", json=body)).status_code == status


async def test_an_erasure_of_another_organization_is_not_seen(
    platform: Any, boss: httpx.AsyncClient, new_principal: Any, person: Any
) -> None:
    record = await note(platform, "A", "b")
    stranger = await person(new_principal())
    body = {"kind": "notes", "id": str(record), "reason": "x"}
    assert (await stranger.post("/api/erasures", json=body)).status_code == 404
    assert (await boss.post("/api/erasures", json=body)).status_code == 201
    assert (await stranger.get("/api/erasures")).json()["items"] == []
    assert (await stranger.post("/api/erasures", json=body)).status_code == 404
