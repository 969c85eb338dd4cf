"""What a list shows of the research of its records."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from whence.app.platform import Platform
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


async def test_a_list_shows_the_telling_claims_of_what_was_researched(
    platform: Platform, serve: str, worker: asyncio.Task[None], new_principal: object
) -> None:
    headers = {"Authorization": f"Bearer {await tokens.issue(platform.db, platform.owner, 't')}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=30) as client:
        known, unknown = [
            (
                await client.post("/api/notes", json={"title": title, "text": "three short words"})
            ).json()["id"]
            for title in ("A", "B")
        ]
        job = (await client.post(f"/api/notes/{known}/research")).json()["jobId"]
        async with asyncio.timeout(30):
            while (await client.get(f"/api/notes/{known}/research/jobs/{job}")).json()[
                "status"
            ] in ("pending", "running"):
                await asyncio.sleep(0.05)
        answer = await client.get("/api/notes/conclusions", params={"id": [known, unknown]})
        [shown] = answer.json()
        assert (shown["id"], shown["jobId"], shown["isPartial"]) == (known, job, False)
        [words] = shown["conclusions"]
        assert (words["path"], words["value"], words["verdict"]) == ("words", 3, "supported")
        assert 0 < words["confidence"] <= 1
        [pack] = [
            each for each in (await client.get("/api/packs")).json() if each["id"] == "sample_pack"
        ]
        [kind] = [each for each in pack["kinds"] if each["kind"] == "notes"]
        assert kind["display"]["conclusions"] == [{"path": "words", "label": "Words"}]
        remark = await client.get("/api/remarks/conclusions", params={"id": [known]})
        assert remark.json() == []  # a kind without research
