"""What a pack adds to the inbox: read for the person who asks, and decided by the pack's routes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(serve: str, platform: Any) -> Any:
    secret = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=20) as opened:
        yield opened


async def test_an_entry_of_a_pack_waits_until_one_of_its_actions_decides_it(client: Any) -> None:
    note = (await client.post("/api/notes", json={"title": "A", "text": "a"})).json()["id"]
    for text, mood in (("So so", "doubt"), ("Fine", "praise"), ("Hm", "doubt")):
        await client.post("/api/remarks", json={"text": text, "noteId": note, "mood": mood})
    waiting = (await client.get("/api/inbox")).json()["items"]
    assert [(each["type"], each["entry"]["text"]) for each in waiting] == [
        ("pack", "So so"),
        ("pack", "Hm"),
    ]
    first = waiting[0]["entry"]
    assert (first["pack"], first["sourceTitle"]) == ("sample_pack", "Doubtful remarks")
    action = first["actions"][0]
    done = await client.request(action["method"], action["path"], json=action["body"])
    assert done.status_code == 204
    [left] = (await client.get("/api/inbox")).json()["items"]
    assert left["entry"]["text"] == "Hm"
    remark = (await client.get(f"/api/remarks/{first['subjectId']}")).json()
    assert remark["mood"] == "praise"
